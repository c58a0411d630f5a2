// The cells on a canvas, and everything around them that does not follow the pointer.

import { WIDEST_SHARE, cellText, isNeverPredicted } from "./cells.js"
import { imageOfCells, imageOfPixels, lowestOpacity, paletteOf, shownPart, textColourOn } from "./colours.js"
import { paintAxisTitles, paintGroups, paintLegend, paintNames, paintScrollBars } from "./margins.js"
import { WHOLE } from "./numbers.js"
import { Pen, fade } from "./pen.js"

export function paintMatrix(ctx, scene) {
  const { frame, theme, shown } = scene
  const pen = new Pen(ctx, scene)
  pen.within(frame.left, frame.top, shown.w, shown.h, () => {
    pen.fill(frame.left, frame.top, shown.w, shown.h, fade(theme.text, 0.035))
    for (const paint of [paintUndefined, paintCells, paintGrid, paintSpanLines, paintDiagonal, paintMixed, paintNumbers]) {
      paint(pen, scene, shown)
    }
  })
  for (const paint of [paintOutlines, paintAxisTitles, paintNames, paintGroups, paintScrollBars, paintLegend]) paint(pen, scene, shown)
}

function paintCells({ ctx }, scene, { w, h, i0, i1, j0, j1 }) {
  const { frame, view } = scene
  ctx.imageSmoothingEnabled = false
  if (view.cell < 1) ctx.drawImage(imageOfPixels(scene, w, h), frame.left, frame.top)
  else {
    const [wide, high] = [j1 - j0, i1 - i0]
    const size = view.cell
    ctx.drawImage(imageOfCells(scene), j0, i0, wide, high, scene.x(j0), scene.y(i0), wide * size, high * size)
  }
}

// 0/0 is not 0: rows or columns whose share is undefined are struck through.
function paintUndefined(pen, scene, { w, h, i0, i1, j0, j1 }) {
  const { cells, look, frame } = scene
  for (let i = i0; i < i1 && look.normalise === "row"; i++) {
    if (!cells.rowSum[i]) paintStrike(pen, scene, frame.left, scene.y(i), w, Math.max(1, scene.y(i + 1) - scene.y(i)))
  }
  for (let j = j0; j < j1 && look.normalise === "column"; j++) {
    if (!cells.columnSum[j]) paintStrike(pen, scene, scene.x(j), frame.top, Math.max(1, scene.x(j + 1) - scene.x(j)), h)
  }
}

function paintStrike(pen, scene, x, y, width, height) {
  const { ctx } = pen
  pen.fill(x, y, width, height, fade(scene.theme.text, 0.07))
  if (scene.view.cell < scene.px(6)) return
  pen.within(x, y, width, height, () => {
    ctx.beginPath()
    for (let at = x - height; at < x + width; at += scene.px(7)) {
      ctx.moveTo(at, y + height)
      ctx.lineTo(at + height, y)
    }
    Object.assign(ctx, { strokeStyle: fade(scene.theme.text, 0.22), lineWidth: scene.px(1) })
    ctx.stroke()
  })
}

// Gaps in the page's colour between cells that are large enough, and before what is no class.
function paintGrid(pen, scene, { w, h, i0, i1, j0, j1 }) {
  const { cells, frame, view, theme } = scene
  const fine = view.cell >= scene.px(7) ? scene.px(1) : 0
  const lineAt = at => (cells.special.has(at) && !cells.groupAt.has(at) ? scene.px(2) : fine)
  for (let j = Math.max(1, j0); j <= j1; j++) {
    pen.fill(scene.x(j) - Math.ceil(lineAt(j) / 2), frame.top, lineAt(j), h, theme.page)
  }
  for (let i = Math.max(1, i0); i <= i1; i++) {
    const line = i < cells.n_rows ? lineAt(i) : fine
    pen.fill(frame.left, scene.y(i) - Math.ceil(line / 2), w, line, theme.page)
  }
}

// A thin frame says "correct" to whoever cannot tell the two colours apart; a strong one that the class is never
// predicted.
function paintDiagonal(pen, scene, { i0, i1, j0, j1 }) {
  const { cells, view, theme } = scene
  if (view.cell < scene.px(4)) return
  const line = scene.px(1)
  const size = view.cell - 2 * line
  for (let at = Math.max(i0, j0); at < Math.min(i1, j1, cells.nShared); at++) {
    const never = isNeverPredicted(cells, at)
    if (!never && view.cell < scene.px(10)) continue
    pen.frame(scene.x(at) + line / 2, scene.y(at) + line / 2, size, size, fade(theme.text, never ? 0.75 : 0.4), line)
  }
}

// Thin lines between neighbours whose labels begin alike, where no gaps tell the cells apart.
function paintSpanLines(pen, scene, { w, h }) {
  const { cells, frame, view, theme } = scene
  if (view.cell >= scene.px(10)) return
  for (const at of new Set(cells.spans.flatMap(([start, end]) => [start, end]))) {
    if (at === 0 || at >= cells.n_rows) continue
    pen.fill(scene.x(at), frame.top, scene.px(1), h, fade(theme.text, 0.16))
    pen.fill(frame.left, scene.y(at), w, scene.px(1), fade(theme.text, 0.16))
  }
}

// A cell that holds right and wrong rows ("other" and itself, a collapsed group and itself): the lower corner shows the
// wrong ones.
function paintMixed({ ctx }, scene, { i0, i1, j0, j1 }) {
  const { cells, look, view, theme } = scene
  if (look.errors_only || view.cell < scene.px(7)) return
  const end = view.cell - 2 * scene.px(1)
  for (const [at, right] of cells.mixed) {
    const wrong = cells.rowsAt(at, at) - right
    if (at < i0 || at >= i1 || at < j0 || at >= j1 || !right || !wrong) continue
    const value = cells.valueOf(look.normalise, "wrong", at, at, wrong)
    const opacity = scene.scales.wrong.opacityOf(value, lowestOpacity(scene))
    const [x, y] = [scene.x(at), scene.y(at)]
    for (const colour of [theme.page, fade(scene.colours.wrong, opacity)]) {
      ctx.fillStyle = colour
      ctx.beginPath()
      ctx.moveTo(x + end, y + end * 0.45)
      ctx.lineTo(x + end, y + end)
      ctx.lineTo(x + end * 0.45, y + end)
      ctx.fill()
    }
  }
}

// The size in CSS pixels at which every number fits into its cell; 0 = none does.
function numberSize(pen, { cells, look, view, frame, theme }) {
  const cell = view.cell / frame.ratio
  const most = cells.counted && cells.most < 1000 ? "0.00" : WHOLE.format(Math.round(cells.most))
  const widest = look.normalise === "none" || look.normalise === "steps" ? most : WIDEST_SHARE
  const fits = size => {
    pen.ctx.font = `${size}px ${theme.font}`
    return pen.widthOf(widest) + 5 <= cell && size + 6 <= cell
  }
  return cell < 21 ? 0 : ([13, 12, 11, 10, 9].find(fits) ?? 0)
}

function paintNumbers(pen, scene, { i0, i1, j0, j1 }) {
  const { cells, look, view, frame, theme } = scene
  const size = numberSize(pen, scene)
  if (!size) return
  const [palette, faintest, quiet] = [paletteOf(scene), lowestOpacity(scene), fade(theme.text, 0.75)]
  for (let i = i0; i < i1; i++) {
    for (let j = j0; j < j1; j++) {
      const rows = cells.rowsAt(i, j)
      if (!rows && (cells.n_rows > 10 || !cells.denominatorOf(look.normalise, i, j))) continue
      const { part, shown, value } = shownPart(scene, i, j, rows)
      if (rows && !shown) continue // errors only leaves the diagonal empty
      const colour = rows ? textColourOn(palette, part, scene.scales[part].opacityOf(value, faintest)) : quiet
      const [x, y] = [scene.x(j) + view.cell / 2, scene.y(i) + view.cell / 2 + size * frame.ratio * 0.06]
      const written = look.normalise === "steps" ? shown : value
      pen.text(cellText(look.normalise, rows ? written : 0), x, y, { size, colour, align: "center" })
    }
  }
}

// Frames around classes that are predicted as each other (dashed) or belong to one group (solid).
function paintOutlines(pen, scene, { w, h }) {
  const { cells, frame, view, theme } = scene
  const line = scene.px(view.cell < 4 ? 1 : 1.5)
  pen.within(frame.left - 2, frame.top - 2, w + 4, h + 4, () => {
    for (const [start, end, , kind] of cells.outlines) {
      const size = (end - start) * view.cell
      const dash = kind === "cluster" ? [scene.px(4), scene.px(3)] : []
      pen.frame(scene.x(start) - 0.5, scene.y(start) - 0.5, size, size, fade(theme.text, 0.75), line, dash)
    }
  })
}
