// The margins of the matrix: names, axes, groups, which part is shown, the legend.

import { isNeverPredicted, legendText } from "./cells.js"
import { hasHalo, lowestOpacity } from "./colours.js"
import { WHOLE } from "./numbers.js"
import { fade } from "./pen.js"
import { READABLE } from "./scene.js"

const LINE = 14 // CSS pixels of a line of the note
export const LEGEND_WIDTH = 560 // at most
const ZOOM_BAR = 170 // CSS pixels that the buttons beside the scales take
export const ANGLES = { flat: 0, slanted: -Math.PI / 4, upright: -Math.PI / 2, marked: -0.3 }
const MARK_DISTANCE = 46 // CSS pixels between the names of two columns that stand out
const SCALE = 72 // CSS pixels of a scale in the legend
const LEGEND_TITLES = {
  none: "Number of rows",
  row: "Share of the true class",
  column: "Share of the predicted class",
  all: "Share of all rows",
  steps: "Errors by steps off, correct rows by their number",
}
const WEIGHTED_TITLES = {
  none: "Weight",
  all: "Share of all weight",
  steps: "Errors by steps off, correct rows by their weight",
}

// Names beside the cells: all of them while a line has room; else the beginnings that neighbours share; else every so
// many.
export function paintNames(pen, scene, { i0, i1, j0, j1 }) {
  const { cells, theme } = scene
  const { step, size } = nameSteps(scene)
  const colour = step === 1 ? theme.text : fade(theme.text, 0.75)
  const from = at => Math.ceil(at / step) * step
  const named = step > 1 && cells.spans.length
  for (let i = from(i0); i < i1 && !named; i += step) paintRowName(pen, scene, i, { size, colour })
  for (let j = from(j0); j < j1 && scene.nameMode !== "marked"; j += step) paintColumnName(pen, scene, j, { size, colour })
  for (const span of cells.spans) paintSpan(pen, scene, span, named)
}

// Every so many rows have a name, of a size in CSS pixels.
function nameSteps({ frame, view }) {
  const cell = view.cell / frame.ratio
  const step = cell >= READABLE ? 1 : Math.ceil(15 / cell)
  return { step, size: step > 1 ? 11 : Math.max(8, Math.min(12, cell * 0.95)) }
}

// The top and the bottom of a band, wider by every text beside the cells that it would cut.
export function coverTexts(scene, top, bottom) {
  const { cells, frame, view, shown } = scene
  const { step, size } = nameSteps(scene)
  const named = step > 1 && cells.spans.length
  const half = named ? scene.px(8) : Math.min(size * frame.ratio * 0.65, (step * view.cell) / 2)
  const middles = named ? cells.spans.map(span => middleOf(scene, span)) : []
  for (let i = Math.ceil(shown.i0 / step) * step; i < shown.i1 && !named; i += step) middles.push(scene.y(i) + view.cell / 2)
  const cut = middles.filter(y => y + half > top && y - half < bottom)
  return [Math.min(top, ...cut.map(y => y - half)), Math.max(bottom, ...cut.map(y => y + half))]
}

// The width of a band over upright names of columns, wider by the neighbours that it would cut.
export function coverUpright(scene, wide) {
  const { step, size } = nameSteps(scene)
  const { cell } = scene.view
  if (step > 1 || scene.nameMode !== "upright") return wide
  const half = Math.min(size * scene.frame.ratio * 0.65, cell / 2)
  const neighbours = Math.ceil((wide / 2 + half) / cell) - 1
  return Math.max(wide, 2 * (neighbours * cell + half))
}

function middleOf(scene, [start, end]) {
  const { frame, shown } = scene
  return (Math.max(frame.top, scene.y(start)) + Math.min(frame.top + shown.h, scene.y(end))) / 2
}

// The longest of a class' names that fits, each of them unlike every other class'.
function nameThatFits(pen, { cells }, at, room) {
  const names = [cells.names, ...cells.short.filter(Boolean)].map(list => list[at])
  return names.find(name => pen.widthOf(name) <= room) ?? names.at(-1)
}

// A bracket beside neighbours whose labels begin alike, with that beginning where single names have no room.
function paintSpan(pen, scene, [start, end, name], named) {
  const { frame, shown, theme } = scene
  const [a, b] = [Math.max(frame.top, scene.y(start)), Math.min(frame.top + shown.h, scene.y(end))]
  if (b - a < scene.px(named ? 9 : 5)) return
  pen.fill(frame.left - scene.px(4), a + scene.px(1), scene.px(2), b - a - scene.px(2), fade(theme.text, 0.4))
  const text = { size: 12, colour: theme.text, align: "right", room: frame.left - scene.outside - scene.px(12) }
  if (named) pen.text(name, frame.left - scene.px(9), middleOf(scene, [start, end]), text)
}

// The names of columns that stand out, each with a line to its column, where there is no room for every name. None
// reaches beyond the picture.
export function paintMarks(pen, scene, marks) {
  const { frame, shown, theme } = scene
  const gap = scene.px(MARK_DISTANCE)
  const narrow = frame.width < scene.px(520)
  const inside = marks.slice(0, narrow ? 3 : marks.length).filter(j => j >= shown.j0 && j < shown.j1).sort((a, b) => a - b)
  const places = inside.map(j => scene.x(j) + scene.view.cell / 2)
  const feet = [...places]
  for (let k = 1; k < feet.length; k++) feet[k] = Math.max(feet[k], feet[k - 1] + gap)
  pen.use({ size: 12 })
  const room = nameLength(scene)
  const names = inside.map(j => nameThatFits(pen, scene, j, room))
  const ends = names.map(name => Math.min(room, pen.widthOf(name)) * Math.cos(ANGLES.marked))
  for (let k = feet.length - 1; k >= 0; k--) {
    feet[k] = Math.min(feet[k], frame.width - ends[k] - scene.px(4), (feet[k + 1] ?? Infinity) - gap)
  }
  const [top, turn] = [frame.top - scene.px(16), scene.px(4)]
  inside.forEach((j, k) => {
    pen.path([[places[k], frame.top - scene.px(2)], [feet[k], top + turn]], fade(theme.text, 0.6), scene.px(1))
    pen.turned(feet[k], top, ANGLES.marked, () => {
      pen.text(names[k], 0, 0, { size: 12, colour: theme.text, room })
    })
  })
}

function weightOf({ cells }, at, weight = "") {
  return `${cells.special.has(at) ? "italic" : ""} ${weight}`
}

export function paintRowName(pen, scene, i, { size, colour, weight }) {
  const { frame, view, shown } = scene
  const y = scene.y(i) + view.cell / 2
  const half = (size * frame.ratio) / 2
  if (scene.isZoomed && (y < frame.top + half || y > frame.top + shown.h - half + scene.px(2))) return
  const room = frame.left - scene.outside - scene.px(12)
  const how = { size, colour, weight: weightOf(scene, i, weight), align: "right", room }
  pen.use(how)
  pen.text(nameThatFits(pen, scene, i, room), frame.left - scene.px(8), y, how)
}

export function paintColumnName(pen, scene, j, { size, colour, weight }) {
  const { frame, view, nameMode } = scene
  if (nameMode === "marked") return paintMarks(pen, scene, [j])
  const flat = nameMode === "flat"
  const x = scene.x(j) + view.cell / 2
  if (x < frame.left || x > frame.left + frame.room) return
  const [align, room] = flat ? ["center", view.cell] : ["left", nameLength(scene)]
  pen.turned(x, frame.top - scene.px(flat ? 10 : 6), ANGLES[nameMode], () => {
    const how = { size, colour, weight: weightOf(scene, j, weight), align, room }
    pen.use(how)
    pen.text(nameThatFits(pen, scene, j, room), 0, 0, how)
  })
}

// The length that a name may have that stands upright or leans.
export function nameLength(scene) {
  const high = scene.frame.top - scene.outside - scene.px(8)
  return { slanted: high * 1.3, marked: (high - scene.px(10)) / Math.sin(-ANGLES.marked) }[scene.nameMode] ?? high
}

// What each axis is, outside the names of its classes.
export function paintAxisTitles(pen, scene, { w, h }) {
  const { frame, theme, cells } = scene
  const how = { size: 11, colour: fade(theme.text, 0.75), align: "center" }
  const middle = (frame.strip + scene.outside) / 2
  pen.text(`Predicted ${cells.noun}`, frame.left + w / 2, middle, { ...how, room: w })
  pen.turned(middle, frame.top + h / 2, ANGLES.upright, () => pen.text(`True ${cells.noun}`, 0, 0, { ...how, room: h }))
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
  const fits = text.length * size * frame.ratio * 0.55 < room // else the name needs the place of its sign
  pen.fill(...box(b - a - 1), fade(theme.text, 0.09))
  pen.within(...box(b - a), () => {
    pen.turned(...middle, down && named ? ANGLES.upright : 0, () => {
      const shown = named && !fits ? text.slice(2) : text
      pen.text(shown, 0, 0, { size, weight: "600", colour: theme.text, align: "center", room })
    })
  })
}

// Zoomed in: two thin bars say which part of the matrix this is.
export function paintScrollBars(pen, scene, { w, h }) {
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
      pen.fill(...box, fade(theme.text, opacity))
    }
    bar(0, part, 0.14)
    bar((from / whole) * part, Math.max(thick * 3, (part * part) / whole), 0.6)
  }
}

// CSS pixels below the cells: the scales, and as many lines as the longest note takes at this width.
export function legendHeight(width) {
  return 46 + LINE * (width >= 900 ? 0 : width >= 460 ? 1 : 2)
}

// Two scales, the correct rows' and the errors', each with its own largest value, and below them a note.
export function paintLegend(pen, scene) {
  const { frame, look, theme } = scene
  const y = frame.top + frame.high + scene.px(12)
  const scale = look.log ? "logarithmic" : "square-root scale"
  let x = 0
  if (!look.errors_only) x = paintScale(pen, scene, ["Correct", look.log ? scale : ""], "right", x, y) + scene.px(18)
  paintScale(pen, scene, ["Errors", scale], "wrong", x, y)
  const note = { size: 11, colour: fade(theme.text, 0.75) }
  pen.lines(legendNote(scene), frame.width, note).forEach((line, at) => {
    pen.text(line, 0, y + scene.px(24 + LINE * at), note)
  })
}

function legendNote(scene) {
  const { cells, view, look, shown } = scene
  const titles = cells.counted ? { ...LEGEND_TITLES, ...WEIGHTED_TITLES } : LEGEND_TITLES
  const parts = scene.isFile ? [`${titles[look.normalise]}.`] : [] // on the page, the box Colour says it
  const diagonal = Array.from({ length: cells.nShared }, (_, place) => place)
  if (view.cell >= scene.px(4) && diagonal.some(place => isNeverPredicted(cells, place)))
    parts.push("Hollow square: the class is never predicted.")
  if (view.cell < 1) {
    const per = Math.ceil(1 / view.cell)
    parts.push(`A pixel shows the strongest of up to ${per} × ${per} cells: zoom in for each.`)
  } else if (scene.isZoomed) {
    const of = (part, all) => `${WHOLE.format(part)} of ${WHOLE.format(all)}`
    const [rows, columns] = [of(shown.i1 - shown.i0, cells.n_rows), of(shown.j1 - shown.j0, cells.n_cols)]
    parts.push(`Showing ${rows} rows, ${columns} columns.`)
  }
  if (hasHalo(scene)) parts.push("Errors are drawn larger than their cells, to be seen.")
  return parts.join(" ")
}

// One line: a word, the smallest value, the colours, the largest value, and the kind of scale.
function paintScale(pen, scene, [word, kind], part, x, y) {
  const { look, theme, frame } = scene
  const [scale, high, steps] = [scene.scales[part], scene.px(9), 32]
  const width = scene.px(frame.width / frame.ratio < 520 ? SCALE / 2 : SCALE)
  const write = (text, weight = "") => {
    pen.text(text, x, y, { size: 11, weight, colour: theme.text })
    x = Math.round(x + pen.widthOf(text)) + scene.px(6)
  }
  write(word, "600")
  if (!(scale.most > 0)) {
    write("none")
    return x
  }
  write(legendText(look.normalise, look.log ? scale.least : 0))
  const faintest = lowestOpacity(scene)
  for (let step = 0; step < steps; step++) {
    const [a, b] = [step, step + 1].map(at => x + Math.round((width * at) / steps))
    const opacity = faintest + ((1 - faintest) * (step + 0.5)) / steps
    pen.fill(a, y - high / 2, b - a, high, fade(scene.colours[part], opacity))
  }
  x += width + scene.px(6)
  const most = legendText(look.normalise, scale.most)
  const fits = x + pen.widthOf(`${most}, ${kind}`) <= frame.width - scene.px(ZOOM_BAR)
  write(most + (kind && fits ? `, ${kind}` : ""))
  return x
}
