// What moves, handed to a big component on the same page. A component of its own, because every change of a
// component's data sends its whole script again, and those of the pictures are long.

const handed = (globalThis[Symbol.for("blindspot.handed")] ??= new Map()) // whom it is for -> {role: data, changed}

export default function ({ data }) {
  if (!data) return
  if (!handed.has(data.to)) handed.set(data.to, {})
  const box = handed.get(data.to)
  box[data.role] = data
  box.changed?.(data.role)
  return () => {
    if (box[data.role] === data) box[data.role] = null
  }
}
