// What stands around the cells: names, axes, groups, which part is shown, the legend.

const LEGEND = 58 // CSS pixels below the cells
const LEGEND_WIDTH = 480 // at most
const NOUN = {
  none: "rows",
  row: "share of the true class",
  column: "share of the prediction",
  all: "share of all rows",
}

// Names beside the cells: all of them while a line has room, else every so many.
function paintNames(ctx, scene, { i0, i1, j0, j1 }) {
  const { frame, view } = scene
  const cell = view.cell / frame.ratio
  const size = Math.max(8, Math.min(12, cell * 0.95))
  const step = cell >= 7.5 ? 1 : Math.ceil(11 / cell)
  ctx.fillStyle = step === 1 ? scene.theme.text : faded(ctx, scene.theme.text, 0.75)
  const from = at => Math.ceil(at / step) * step
  for (let i = from(i0); i < i1; i += step) paintRowName(ctx, scene, i, size)
  for (let j = from(j0); j < j1; j += step) paintColumnName(ctx, scene, j, size)
  paintAxes(ctx, scene)
}

function fontOf(scene, at, size, weight = "") {
  const style = scene.matrix.special.has(at) ? "italic" : ""
  return `${style} ${weight} ${size * scene.frame.ratio}px ${scene.theme.font}`
}

function paintRowName(ctx, scene, i, size, weight = "") {
  const { frame, matrix, view } = scene
  const y = yOf(scene, i) + view.cell / 2
  const half = (size * frame.ratio) / 2
  const end = frame.top + Math.min(frame.high, Math.ceil(matrix.n_rows * view.cell))
  if (view.cell > frame.fit && (y < frame.top + half || y > end - half + pixels(scene, 2))) return
  ctx.font = fontOf(scene, i, size, weight)
  ctx.textAlign = "right"
  ctx.textBaseline = "middle"
  const room = frame.left - frame.strip - pixels(scene, 10)
  ctx.fillText(cutTo(ctx, matrix.names[i], room), frame.left - pixels(scene, 6), y)
}

function paintColumnName(ctx, scene, j, size, weight = "") {
  const { frame, matrix, view } = scene
  const x = xOf(scene, j) + view.cell / 2
  if (x < frame.left || x > frame.left + frame.room) return
  ctx.save()
  ctx.font = fontOf(scene, j, size, weight)
  const mode = modeOf(scene)
  ctx.textAlign = mode === "flat" ? "center" : "left"
  ctx.textBaseline = "middle"
  const room = mode === "flat" ? view.cell : nameLength(scene)
  ctx.translate(x, frame.top - pixels(scene, mode === "flat" ? 10 : 6))
  ctx.rotate(mode === "flat" ? 0 : mode === "slanted" ? -Math.PI / 4 : -Math.PI / 2)
  ctx.fillText(cutTo(ctx, matrix.names[j], room), 0, 0)
  ctx.restore()
}

// How long a name may be that stands upright or leans.
function nameLength(scene) {
  const high = scene.frame.top - scene.frame.strip - pixels(scene, 8)
  return modeOf(scene) === "slanted" ? high * 1.3 : high
}

// Names that stand upright while everything fits lean over when one has zoomed in: easier to read.
function modeOf(scene) {
  const { frame, view } = scene
  return frame.mode === "upright" && view.cell / frame.ratio >= 26 ? "slanted" : frame.mode
}

function paintAxes(ctx, scene) {
  const { frame } = scene
  const size = 11 * frame.ratio
  ctx.font = `600 ${size}px ${scene.theme.font}`
  ctx.fillStyle = faded(ctx, scene.theme.text, 0.7)
  ctx.textAlign = "right"
  ctx.textBaseline = "alphabetic"
  const x = frame.left - pixels(scene, 6)
  ctx.fillText("prediction →", x, frame.top - pixels(scene, 9) - size * 1.25)
  ctx.fillText("truth ↓", x, frame.top - pixels(scene, 9))
}

// The text, or as much of it as there is room for.
function cutTo(ctx, text, room) {
  if (ctx.measureText(text).width <= room) return text
  const characters = [...text]
  let low = 0
  let high = characters.length
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if (ctx.measureText(`${characters.slice(0, middle).join("")}…`).width <= room) low = middle
    else high = middle - 1
  }
  return `${characters.slice(0, low).join("")}…`
}

// Outside the names: the groups, with ▾ to collapse and ▸ to expand.
function paintGroups(ctx, scene, shown) {
  const { matrix, frame } = scene
  if (!frame.strip) return
  const spans = matrix.outlines.filter(outline => outline[3] === "group").map(([a, b, name]) => [a, b, `▾ ${name}`])
  for (const [at] of matrix.groupAt) spans.push([at, at + 1, "▸"])
  for (const [start, end, text] of spans) {
    const down = start < shown.i1 && end > shown.i0
    const across = start < shown.j1 && end > shown.j0
    if (down) paintGroup(ctx, scene, text, yOf(scene, start), yOf(scene, end), shown.h, true)
    if (across) paintGroup(ctx, scene, text, xOf(scene, start), xOf(scene, end), shown.w, false)
  }
}

function paintGroup(ctx, scene, text, start, end, length, down) {
  const { frame, theme } = scene
  const first = down ? frame.top : frame.left
  const a = Math.max(start, first)
  const b = Math.min(end, first + length)
  const thick = frame.strip - pixels(scene, 3)
  ctx.save()
  ctx.fillStyle = faded(ctx, theme.text, 0.09)
  if (down) ctx.fillRect(0, a, thick, b - a - 1)
  else ctx.fillRect(a, 0, b - a - 1, thick)
  ctx.beginPath()
  if (down) ctx.rect(0, a, thick, b - a)
  else ctx.rect(a, 0, b - a, thick)
  ctx.clip()
  ctx.translate(down ? thick / 2 : (a + b) / 2, down ? (a + b) / 2 : thick / 2)
  if (down && text.length > 1) ctx.rotate(-Math.PI / 2)
  const size = text.length > 1 ? 11 * frame.ratio : Math.max(7, Math.min(18, (b - a) / frame.ratio)) * frame.ratio
  ctx.font = `600 ${size}px ${theme.font}`
  ctx.fillStyle = theme.text
  ctx.textAlign = "center"
  ctx.textBaseline = "middle"
  ctx.fillText(cutTo(ctx, text, Math.max(b - a - pixels(scene, 6), size)), 0, 0)
  ctx.restore()
}

// Zoomed in: two thin bars say which part of the matrix this is.
function paintWhere(ctx, scene, { w, h }) {
  const { matrix, frame, view } = scene
  const [wide, high] = [matrix.n_cols * view.cell, matrix.n_rows * view.cell]
  const thick = pixels(scene, 3)
  const bar = (x, y, width, height, strong) => {
    ctx.fillStyle = faded(ctx, scene.theme.text, strong ? 0.6 : 0.14)
    ctx.fillRect(x, y, width, height)
  }
  if (wide > w + 1) {
    const y = frame.top + h + pixels(scene, 3)
    bar(frame.left, y, w, thick, false)
    bar(frame.left + (view.x / wide) * w, y, Math.max(thick * 3, (w * w) / wide), thick, true)
  }
  if (high > h + 1) {
    const x = frame.left + w + pixels(scene, 3)
    bar(x, frame.top, thick, h, false)
    bar(x, frame.top + (view.y / high) * h, thick, Math.max(thick * 3, (h * h) / high), true)
  }
}

// Two scales: the correct rows' and the errors', each with its own largest value.
function paintLegend(ctx, scene, { h }) {
  const { frame, look, scales } = scene
  const top = frame.top + frame.high + pixels(scene, 16)
  const parts = [["correct", "right"], ["errors", "wrong"]].slice(look.errors_only ? 1 : 0)
  const words = pixels(scene, 22 + 2 * 54 + EDGE) // "correct" and "errors" before their scales
  const width = Math.max(pixels(scene, 60), Math.min(pixels(scene, 128), (frame.width - frame.left - words) / 2))
  let x = frame.left
  for (const [word, part] of parts) {
    x = paintScale(ctx, scene, word, part, x, top, width) + pixels(scene, 22)
  }
  ctx.font = `${11 * frame.ratio}px ${scene.theme.font}`
  ctx.fillStyle = faded(ctx, scene.theme.text, 0.7)
  ctx.textAlign = "left"
  ctx.textBaseline = "middle"
  const room = frame.width - frame.left
  ctx.fillText(cutTo(ctx, legendNote(scene), room), frame.left, top + pixels(scene, 36))
}

function legendNote(scene) {
  const { matrix, frame, view, look } = scene
  const parts = [`Colour: ${NOUN[look.normalise]}, ${look.log ? "logarithmic" : "square-root"} scale`]
  if (view.cell < 1) {
    const per = Math.ceil(1 / view.cell)
    parts.push(`a pixel shows the strongest of up to ${per} × ${per} cells: zoom in for each`)
  } else if (view.cell > frame.fit) {
    const { i0, i1, j0, j1 } = visible(matrix, frame, view)
    const of = (part, all) => `${WHOLE.format(part)} of ${WHOLE.format(all)}`
    parts.push(`showing ${of(i1 - i0, matrix.n_rows)} rows, ${of(j1 - j0, matrix.n_cols)} columns`)
  }
  if (hasHalo(scene)) parts.push("errors have a halo, to be seen")
  return parts.join(" · ")
}

function paintScale(ctx, scene, word, part, x, y, width) {
  const { frame, look, scales, theme } = scene
  const scale = scales[part]
  const high = pixels(scene, 10)
  ctx.font = `600 ${11 * frame.ratio}px ${theme.font}`
  ctx.fillStyle = theme.text
  ctx.textAlign = "left"
  ctx.textBaseline = "middle"
  ctx.fillText(word, x, y + high / 2)
  const start = Math.round(x + ctx.measureText(word).width) + pixels(scene, 8)
  const faintest = faintestAt(scene.view.cell / frame.ratio)
  const steps = 32
  for (let step = 0; step < steps; step++) {
    const a = start + Math.round((width * step) / steps)
    ctx.fillStyle = faded(ctx, scene.colours[part], faintest + ((1 - faintest) * (step + 0.5)) / steps)
    ctx.fillRect(a, y, start + Math.round((width * (step + 1)) / steps) - a, high)
  }
  if (part === "right") {
    ctx.strokeStyle = faded(ctx, theme.text, 0.4)
    ctx.lineWidth = pixels(scene, 1)
    ctx.strokeRect(start + 0.5, y + 0.5, width - 1, high - 1)
  }
  ctx.font = `${10 * frame.ratio}px ${theme.font}`
  ctx.fillStyle = faded(ctx, theme.text, 0.75)
  const below = y + high + pixels(scene, 8)
  const places = width < pixels(scene, 100) ? [0, 1] : [0, 0.5, 1]
  const marks = scale.most > 0 ? places.map(place => [place, valueOn(scale, place)]) : []
  for (const [place, value] of marks) {
    ctx.textAlign = place === 0 ? "left" : place === 1 ? "right" : "center"
    ctx.fillText(legendText(look.normalise, value), start + place * width, below)
  }
  if (!marks.length) ctx.fillText("none", start, below)
  return start + width
}
