// The margins of the matrix: names, axes, groups, which part is shown, the legend.

import { WHOLE, legendText } from "./cells.js"
import { faintestOf, hasHalo } from "./colours.js"
import { faded } from "./pen.js"
import { EDGE } from "./scene.js"

export const LEGEND = 58 // CSS pixels below the cells
export const LEGEND_WIDTH = 480 // at most
export const TURN = { flat: 0, slanted: -Math.PI / 4, upright: -Math.PI / 2 }
const NOUN = {
  none: "rows",
  row: "share of the true class",
  column: "share of the prediction",
  all: "share of all rows",
}

// Names beside the cells: all of them while a line has room, else every so many.
export function paintNames(pen, scene, { i0, i1, j0, j1 }) {
  const { frame, view, theme } = scene
  const cell = view.cell / frame.ratio
  const size = Math.max(8, Math.min(12, cell * 0.95))
  const step = cell >= 7.5 ? 1 : Math.ceil(11 / cell)
  const colour = step === 1 ? theme.text : faded(theme.text, 0.75)
  const from = at => Math.ceil(at / step) * step
  for (let i = from(i0); i < i1; i += step) paintRowName(pen, scene, i, { size, colour })
  for (let j = from(j0); j < j1; j += step) paintColumnName(pen, scene, j, { size, colour })
  const axis = { size: 11, weight: "600", colour: faded(theme.text, 0.7), align: "right", base: "alphabetic" }
  const [x, y] = [frame.left - scene.px(6), frame.top - scene.px(9)]
  pen.text("prediction →", x, y - axis.size * frame.ratio * 1.25, axis)
  pen.text("truth ↓", x, y, axis)
}

function weightOf({ cells }, at, weight = "") {
  return `${cells.special.has(at) ? "italic" : ""} ${weight}`
}

export function paintRowName(pen, scene, i, { size, colour, weight }) {
  const { frame, cells, view, shown } = scene
  const y = scene.y(i) + view.cell / 2
  const half = (size * frame.ratio) / 2
  if (scene.isZoomed && (y < frame.top + half || y > frame.top + shown.h - half + scene.px(2))) return
  const room = frame.left - frame.strip - scene.px(10)
  const how = { size, colour, weight: weightOf(scene, i, weight), align: "right", room }
  pen.text(cells.names[i], frame.left - scene.px(6), y, how)
}

export function paintColumnName(pen, scene, j, { size, colour, weight }) {
  const { frame, cells, view, mode } = scene
  const flat = mode === "flat"
  const x = scene.x(j) + view.cell / 2
  if (x < frame.left || x > frame.left + frame.room) return
  const [align, room] = flat ? ["center", view.cell] : ["left", nameLength(scene)]
  pen.turned(x, frame.top - scene.px(flat ? 10 : 6), TURN[mode], () => {
    pen.text(cells.names[j], 0, 0, { size, colour, weight: weightOf(scene, j, weight), align, room })
  })
}

// The length that a name may have that stands upright or leans.
export function nameLength(scene) {
  const high = scene.frame.top - scene.frame.strip - scene.px(8)
  return scene.mode === "slanted" ? high * 1.3 : high
}

// Outside the names: the groups, with ▾ to collapse and ▸ to expand.
export function paintGroups(pen, scene, shown) {
  const { cells } = scene
  const spans = cells.expanded.map(([start, end, name]) => [start, end, `▾ ${name}`])
  for (const [at] of cells.groupAt) spans.push([at, at + 1, "▸"])
  for (const [start, end, text] of spans) {
    if (start < shown.i1 && end > shown.i0) paintGroup(pen, scene, text, scene.y(start), scene.y(end), shown.h, true)
    if (start < shown.j1 && end > shown.j0) paintGroup(pen, scene, text, scene.x(start), scene.x(end), shown.w, false)
  }
}

function paintGroup(pen, scene, text, start, end, length, down) {
  const { frame, theme } = scene
  const first = down ? frame.top : frame.left
  const [a, b] = [Math.max(start, first), Math.min(end, first + length)]
  const thick = frame.strip - scene.px(3)
  const box = long => (down ? [0, a, thick, long] : [a, 0, long, thick])
  const middle = down ? [thick / 2, (a + b) / 2] : [(a + b) / 2, thick / 2]
  const named = text.length > 1
  const size = named ? 11 : Math.max(7, Math.min(18, (b - a) / frame.ratio))
  const room = Math.max(b - a - scene.px(6), size * frame.ratio)
  pen.fill(...box(b - a - 1), faded(theme.text, 0.09))
  pen.within(...box(b - a), () => {
    pen.turned(...middle, down && named ? TURN.upright : 0, () => {
      pen.text(text, 0, 0, { size, weight: "600", colour: theme.text, align: "center", room })
    })
  })
}

// Zoomed in: two thin bars say which part of the matrix this is.
export function paintWhere(pen, scene, { w, h }) {
  const { cells, frame, view, theme } = scene
  const [thick, gap] = [scene.px(3), scene.px(3)]
  for (const [whole, part, from, down] of [
    [cells.n_cols * view.cell, w, view.x, false],
    [cells.n_rows * view.cell, h, view.y, true],
  ]) {
    if (whole <= part + 1) continue
    const bar = (start, long, opacity) => {
      const box = down ? [frame.left + w + gap, frame.top + start, thick, long]
        : [frame.left + start, frame.top + h + gap, long, thick]
      pen.fill(...box, faded(theme.text, opacity))
    }
    bar(0, part, 0.14)
    bar((from / whole) * part, Math.max(thick * 3, (part * part) / whole), 0.6)
  }
}

// Two scales: the correct rows' and the errors', each with its own largest value.
export function paintLegend(pen, scene) {
  const { frame, look, theme } = scene
  const top = frame.top + frame.high + scene.px(16)
  const words = scene.px(22 + 2 * 54 + EDGE) // "correct" and "errors" before their scales
  const width = Math.max(scene.px(60), Math.min(scene.px(128), (frame.width - frame.left - words) / 2))
  let x = frame.left
  if (!look.errors_only) x = paintScale(pen, scene, "correct", "right", x, top, width) + scene.px(22)
  paintScale(pen, scene, "errors", "wrong", x, top, width)
  const note = { size: 11, colour: faded(theme.text, 0.7), room: frame.width - frame.left }
  pen.text(legendNote(scene), frame.left, top + scene.px(36), note)
}

function legendNote(scene) {
  const { cells, view, look, shown } = scene
  const parts = [`Colour: ${NOUN[look.normalise]}, ${look.log ? "logarithmic" : "square-root"} scale`]
  if (view.cell < 1) {
    const per = Math.ceil(1 / view.cell)
    parts.push(`a pixel shows the strongest of up to ${per} × ${per} cells: zoom in for each`)
  } else if (scene.isZoomed) {
    const of = (part, all) => `${WHOLE.format(part)} of ${WHOLE.format(all)}`
    const [rows, columns] = [of(shown.i1 - shown.i0, cells.n_rows), of(shown.j1 - shown.j0, cells.n_cols)]
    parts.push(`showing ${rows} rows, ${columns} columns`)
  }
  if (hasHalo(scene)) parts.push("errors have a halo, to be seen")
  return parts.join(" · ")
}

function paintScale(pen, scene, word, part, x, y, width) {
  const { look, theme } = scene
  const [scale, high, steps] = [scene.scales[part], scene.px(10), 32]
  pen.text(word, x, y + high / 2, { size: 11, weight: "600", colour: theme.text })
  const start = Math.round(x + pen.widthOf(word)) + scene.px(8)
  const faintest = faintestOf(scene)
  for (let step = 0; step < steps; step++) {
    const [a, b] = [step, step + 1].map(at => start + Math.round((width * at) / steps))
    const opacity = faintest + ((1 - faintest) * (step + 0.5)) / steps
    pen.fill(a, y, b - a, high, faded(scene.colours[part], opacity))
  }
  if (part === "right") pen.frame(start + 0.5, y + 0.5, width - 1, high - 1, faded(theme.text, 0.4), scene.px(1))
  const below = { size: 10, colour: faded(theme.text, 0.75) }
  const places = width < scene.px(100) ? [0, 1] : [0, 0.5, 1]
  const marks = scale.most > 0 ? places.map(place => [place, legendText(look.normalise, scale.valueAt(place))])
    : [[0, "none"]]
  for (const [place, text] of marks) {
    const align = place === 0 ? "left" : place === 1 ? "right" : "center"
    pen.text(text, start + place * width, y + high + scene.px(8), { ...below, align })
  }
  return start + width
}
