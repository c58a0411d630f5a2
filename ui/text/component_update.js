// What changes often, passed to a big component on the same page. A component of its own, because every change of a
// component's data sends its whole script again, and those of the pictures are long.

const updates = (globalThis[Symbol.for("blindspot.updates")] ??= new Map()) // whom it is for -> {role: data, changed}

export default function ({ data }) {
  if (!data) return
  if (!updates.has(data.to)) updates.set(data.to, {})
  const target = updates.get(data.to)
  target[data.role] = data
  target.changed?.(data.role)
  return () => {
    if (target[data.role] === data) target[data.role] = null
  }
}
