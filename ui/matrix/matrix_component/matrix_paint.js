// The matrix on a canvas, in device pixels. `scene` holds what is drawn: matrix, frame, view, look (what the colours
// show), scales, colours, and the number of canvas pixels of a pixel of the frame (1, more for a picture to keep).

// Everything but what follows the pointer.
function paintMatrix(ctx, scene) {
  const { frame, theme } = scene
  ctx.clearRect(0, 0, ctx.canvas.width, ctx.canvas.height)
  const shown = visible(scene.matrix, frame, scene.view)
  ctx.save()
  ctx.beginPath()
  ctx.rect(frame.left, frame.top, shown.w, shown.h)
  ctx.fillStyle = faded(ctx, theme.text, 0.035)
  ctx.fill()
  ctx.clip()
  paintUndefined(ctx, scene, shown)
  paintCells(ctx, scene, shown)
  paintGrid(ctx, scene, shown)
  paintDiagonal(ctx, scene, shown)
  paintMixed(ctx, scene, shown)
  paintNumbers(ctx, scene, shown)
  ctx.restore()
  paintOutlines(ctx, scene, shown)
  paintNames(ctx, scene, shown)
  paintGroups(ctx, scene, shown)
  paintWhere(ctx, scene, shown)
  paintLegend(ctx, scene, shown)
}

function xOf(scene, j) {
  return scene.frame.left - scene.view.x + Math.round(j * scene.view.cell)
}

function yOf(scene, i) {
  return scene.frame.top - scene.view.y + Math.round(i * scene.view.cell)
}

function pixels(scene, css) {
  return Math.max(1, Math.round(css * scene.frame.ratio))
}

function paintCells(ctx, scene, { w, h, i0, i1, j0, j1 }) {
  const { frame, view } = scene
  ctx.imageSmoothingEnabled = false
  if (view.cell < 1) {
    ctx.drawImage(imageOfPixels(scene, w, h), frame.left, frame.top)
    return
  }
  const size = view.cell
  ctx.drawImage(imageOfCells(scene), j0, i0, j1 - j0, i1 - i0, xOf(scene, j0), yOf(scene, i0), (j1 - j0) * size,
                (i1 - i0) * size)
}

// 0/0 is not 0: rows or columns whose share is undefined are struck through.
function paintUndefined(ctx, scene, { w, h, i0, i1, j0, j1 }) {
  const { matrix, look, frame, view } = scene
  const band = (x, y, width, height) => {
    ctx.fillStyle = faded(ctx, scene.theme.text, 0.07)
    ctx.fillRect(x, y, width, height)
    if (view.cell < pixels(scene, 6)) return
    ctx.save()
    ctx.beginPath()
    ctx.rect(x, y, width, height)
    ctx.clip()
    ctx.beginPath()
    const step = pixels(scene, 7)
    for (let at = x - height; at < x + width; at += step) {
      ctx.moveTo(at, y + height)
      ctx.lineTo(at + height, y)
    }
    ctx.strokeStyle = faded(ctx, scene.theme.text, 0.22)
    ctx.lineWidth = pixels(scene, 1)
    ctx.stroke()
    ctx.restore()
  }
  if (look.normalise === "row") {
    for (let i = i0; i < i1; i++) {
      if (!matrix.rowSum[i]) band(frame.left, yOf(scene, i), w, Math.max(1, yOf(scene, i + 1) - yOf(scene, i)))
    }
  } else if (look.normalise === "column") {
    for (let j = j0; j < j1; j++) {
      if (!matrix.columnSum[j]) band(xOf(scene, j), frame.top, Math.max(1, xOf(scene, j + 1) - xOf(scene, j)), h)
    }
  }
}

// Gaps in the page's colour between cells that are large enough, and before what is no class.
function paintGrid(ctx, scene, { w, h, i0, i1, j0, j1 }) {
  const { matrix, frame, view } = scene
  const fine = view.cell >= pixels(scene, 7) ? pixels(scene, 1) : 0
  const special = at => matrix.special.has(at) && !matrix.groupAt.has(at)
  ctx.fillStyle = scene.theme.page
  for (let j = j0; j <= j1; j++) {
    const line = special(j) && j > 0 ? pixels(scene, 2) : fine
    if (line && j > 0) ctx.fillRect(xOf(scene, j) - Math.ceil(line / 2), frame.top, line, h)
  }
  for (let i = i0; i <= i1; i++) {
    const line = special(i) && i > 0 && i < matrix.n_rows ? pixels(scene, 2) : fine
    if (line && i > 0) ctx.fillRect(frame.left, yOf(scene, i) - Math.ceil(line / 2), w, line)
  }
}

// A thin frame says "correct" to whoever cannot tell the two colours apart.
function paintDiagonal(ctx, scene, { i0, i1, j0, j1 }) {
  const { matrix, view } = scene
  if (view.cell < pixels(scene, 7)) return
  const line = pixels(scene, 1)
  ctx.strokeStyle = faded(ctx, scene.theme.text, 0.4)
  ctx.lineWidth = line
  for (let at = Math.max(i0, j0); at < Math.min(i1, j1, matrix.same); at++) {
    ctx.strokeRect(xOf(scene, at) + line / 2, yOf(scene, at) + line / 2, view.cell - 2 * line, view.cell - 2 * line)
  }
}

// A cell that holds right and wrong answers ("other" and itself, a collapsed group and itself): the lower corner shows
// the wrong ones.
function paintMixed(ctx, scene, { i0, i1, j0, j1 }) {
  const { matrix, look, view } = scene
  if (look.errors_only || view.cell < pixels(scene, 7)) return
  const faintest = faintestAt(view.cell / scene.frame.ratio)
  for (const [at, right] of matrix.mixed) {
    const wrong = rowsAt(matrix, at, at) - right
    if (at < i0 || at >= i1 || at < j0 || at >= j1 || !right || !wrong) continue
    const opacity = opacityOf(scene.scales.wrong, wrong / wholeOf(matrix, look.normalise, at, at), faintest)
    const [x, y, end] = [xOf(scene, at), yOf(scene, at), view.cell - 2 * pixels(scene, 1)]
    const corner = () => {
      ctx.beginPath()
      ctx.moveTo(x + end, y + end * 0.45)
      ctx.lineTo(x + end, y + end)
      ctx.lineTo(x + end * 0.45, y + end)
      ctx.fill()
    }
    ctx.fillStyle = scene.theme.page
    corner()
    ctx.fillStyle = faded(ctx, scene.colours.wrong, opacity)
    corner()
  }
}

// The size in CSS pixels at which every number fits into its cell; 0 = none does.
function numberSize(ctx, scene) {
  const { matrix, look, view, frame } = scene
  const cell = view.cell / frame.ratio
  if (cell < 21) return 0
  const widest = look.normalise === "none" ? WHOLE.format(matrix.most) : ">99%"
  return [13, 12, 11, 10, 9].find(size => {
    ctx.font = `${size}px ${scene.theme.font}`
    return ctx.measureText(widest).width + 5 <= cell && size + 6 <= cell
  }) ?? 0
}

function paintNumbers(ctx, scene, { i0, i1, j0, j1 }) {
  const { matrix, look, view, frame } = scene
  const size = numberSize(ctx, scene)
  if (!size) return
  const palette = paletteOf(ctx, scene)
  const faintest = faintestAt(view.cell / frame.ratio)
  const zeros = matrix.n_rows <= 10
  ctx.font = `${size * frame.ratio}px ${scene.theme.font}`
  ctx.textAlign = "center"
  ctx.textBaseline = "middle"
  for (let i = i0; i < i1; i++) {
    for (let j = j0; j < j1; j++) {
      const rows = rowsAt(matrix, i, j)
      if (!rows && (!zeros || isUndefined(matrix, look.normalise, i, j))) continue
      const { part, shown, value } = shownPart(scene, i, j, rows)
      if (rows && !shown) continue // errors only leaves the diagonal empty
      ctx.fillStyle = rows
        ? inkOn(palette, part, opacityOf(scene.scales[part], value, faintest))
        : faded(ctx, scene.theme.text, 0.45)
      const x = xOf(scene, j) + view.cell / 2
      const y = yOf(scene, i) + view.cell / 2
      ctx.fillText(cellText(look.normalise, rows ? value : 0), x, y + size * frame.ratio * 0.06)
    }
  }
}

// Frames around classes that are taken for each other (dashed) or belong to one group (solid).
function paintOutlines(ctx, scene, { w, h }) {
  const { matrix, frame, view } = scene
  ctx.save()
  ctx.beginPath()
  ctx.rect(frame.left - 2, frame.top - 2, w + 4, h + 4)
  ctx.clip()
  for (const [start, end, , kind] of matrix.outlines) {
    const size = (end - start) * view.cell
    ctx.lineWidth = pixels(scene, view.cell < 4 ? 1 : 1.5)
    ctx.setLineDash(kind === "cluster" ? [pixels(scene, 4), pixels(scene, 3)] : [])
    ctx.strokeStyle = faded(ctx, scene.theme.text, 0.75)
    ctx.strokeRect(xOf(scene, start) - 0.5, yOf(scene, start) - 0.5, size, size)
  }
  ctx.restore()
}
