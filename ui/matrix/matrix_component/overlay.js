// The layer over the cells, drawn anew with every move: cross-hair, cursor, selection, the class that was searched for.

import { ANGLES, coverTexts, coverUpright, nameLength, paintColumnName, paintMarks, paintRowName } from "./margins.js"
import { Pen, fade } from "./pen.js"

export function paintOverlay(ctx, scene) {
  const { cells, frame, theme, shown, hover, anchor } = scene
  const pen = new Pen(ctx, scene)
  const cursor = scene.focused ? scene.cursor : null
  const found = scene.found >= 0 ? { i: scene.found, j: scene.found } : null
  const chosen = chosenPlace(scene.selected)
  pen.within(frame.left - 3, frame.top - 3, shown.w + 6, shown.h + 6, () => {
    if (found) paintCross(pen, scene, shown, found, theme.primary, true)
    if (chosen) paintCross(pen, scene, shown, chosen, theme.text, false)
    if (hover) paintCross(pen, scene, shown, hover, theme.text, false)
    if (scene.selected) paintSelection(pen, scene)
    if (scene.drag) paintBox(pen, scene, scene.drag, [scene.px(5), scene.px(3)])
    else if (cursor) paintBox(pen, scene, cells.boxOf(anchor ?? cursor, cursor), [scene.px(3), scene.px(2)])
  })
  const named = [hover, cursor, found, chosen].filter(Boolean)
  if (scene.nameMode === "marked" && !named.some(({ j }) => j >= 0)) paintMarks(pen, scene, scene.marks ?? [])
  paintNameLabels(pen, scene, shown, named)
}

// The cell, or the row or column (the other place is -1), that was chosen; null = none, or several.
function chosenPlace(selected) {
  const [row, column] = [selected?.rows, selected?.cols].map(runs =>
    !runs ? -1 : runs.length === 1 && runs[0][1] - runs[0][0] === 1 ? runs[0][0] : null,
  )
  return !selected || row === null || column === null ? null : { i: row, j: column }
}

function paintCross(pen, scene, { w, h }, { i, j }, colour, edged) {
  const { frame, view, cells } = scene
  const size = Math.max(1, Math.round(view.cell))
  const light = fade(colour, size < scene.px(3) ? 0.5 : edged ? 0.16 : 0.1)
  const [across, down] = [i >= 0, j >= 0 && j < cells.n_cols]
  const [x, y] = [scene.x(j), scene.y(i)]
  // The cell where both meet stays as it is: its number must be read on its own colour.
  const [left, right] = across && down ? [x - frame.left, frame.left + w - x - size] : [w, 0]
  const [above, below] = across && down ? [y - frame.top, frame.top + h - y - size] : [h, 0]
  if (across) pen.fill(frame.left, y, left, size, light)
  if (across) pen.fill(x + size, y, right, size, light)
  if (down) pen.fill(x, frame.top, size, above, light)
  if (down) pen.fill(x, y + size, size, below, light)
  if (!edged) return
  const [strong, line] = [fade(colour, 0.9), scene.px(1)]
  pen.frame(frame.left - 2, scene.y(i) - 0.5, w + 4, size + 1, strong, line)
  pen.frame(scene.x(j) - 0.5, frame.top - 2, size + 1, h + 4, strong, line)
}

function paintSelection(pen, scene) {
  const { rows, cols } = scene.selected
  for (const run of rows ?? [null]) for (const other of cols ?? [null]) paintBox(pen, scene, { rows: run, cols: other })
}

// A frame that is seen on light and on dark cells: the page's colour under the text's.
function paintBox(pen, scene, box, dash = []) {
  const { i0, i1, j0, j1 } = scene.cells.regionOf(box)
  const least = scene.px(5) // a cell of a pixel still gets a frame that can be seen
  const [x, y] = [scene.x(j0), scene.y(i0)]
  const [w, h] = [scene.x(j1) - x, scene.y(i1) - y]
  const [dx, dy] = [Math.max(0, least - w) / 2, Math.max(0, least - h) / 2]
  for (const [colour, width, pattern] of [[scene.theme.page, 4, []], [scene.theme.text, 2, dash]]) {
    pen.frame(x - dx - 0.5, y - dy - 0.5, w + 2 * dx, h + 2 * dy, colour, scene.px(width), pattern)
  }
}

// The names of the rows and columns that are pointed at, in front of the others; of two that would lie on each other,
// the first.
function paintNameLabels(pen, scene, shown, places) {
  const { frame, view, theme } = scene
  const name = { size: 12, weight: "700", colour: theme.text }
  const line = name.size * 1.7 * frame.ratio
  const taken = { i: [], j: [] }
  const isFree = (axis, at) => {
    if (taken[axis].some(other => Math.abs(other - at) * view.cell < line)) return false
    return taken[axis].push(at)
  }
  for (const { i, j } of places) {
    if (i >= shown.i0 && i < shown.i1 && isFree("i", i)) {
      const y = Math.max(frame.top, scene.y(i) + view.cell / 2)
      const [top, bottom] = coverTexts(scene, y - line / 2, y + line / 2)
      const room = frame.left - scene.outside - scene.px(6) // up to the brackets
      pen.fill(scene.outside, top, room, bottom - top, theme.page)
      paintRowName(pen, scene, i, name)
    }
    if (j >= shown.j0 && j < shown.j1 && isFree("j", j)) paintColumnLabel(pen, scene, j, name, line)
  }
}

function paintColumnLabel(pen, scene, j, name, line) {
  const { frame, view, theme, nameMode } = scene
  if (nameMode === "marked") return paintMarks(pen, scene, [j])
  const [x, high] = [scene.x(j), frame.top - scene.outside - 1]
  pen.within(0, scene.outside, frame.width, high, () => {
    if (nameMode === "flat") return pen.fill(x, scene.outside, view.cell, high, theme.page)
    pen.turned(x + view.cell / 2, frame.top - 1, ANGLES[nameMode], () => {
      const wide = coverUpright(scene, line)
      pen.fill(0, -wide / 2, nameLength(scene) + scene.px(8), wide, theme.page)
    })
  })
  paintColumnName(pen, scene, j, name)
}
