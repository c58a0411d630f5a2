// The layer over the cells, drawn anew with every move.

// What follows the pointer, the keys and the choice: cross-hair, cursor, selection, the class that was searched for.
function paintOver(ctx, scene) {
  const { matrix, frame, view, theme } = scene
  ctx.clearRect(0, 0, ctx.canvas.width, ctx.canvas.height)
  const shown = visible(matrix, frame, view)
  const pointed = scene.hover
  const cursor = scene.focused ? scene.cursor : null
  const found = scene.found >= 0 ? { i: scene.found, j: scene.found } : null
  ctx.save()
  ctx.beginPath()
  ctx.rect(frame.left - 3, frame.top - 3, shown.w + 6, shown.h + 6)
  ctx.clip()
  if (found) paintCross(ctx, scene, shown, found, theme.primary, true)
  if (pointed) paintCross(ctx, scene, shown, pointed, theme.text, false)
  if (scene.selected) paintSelection(ctx, scene)
  if (scene.drag) paintBox(ctx, scene, regionOf(matrix, scene.drag), [pixels(scene, 5), pixels(scene, 3)])
  else if (cursor) paintBox(ctx, scene, cursorRegion(scene), [pixels(scene, 3), pixels(scene, 2)])
  ctx.restore()
  paintChips(ctx, scene, shown, [pointed, cursor, found])
}

function cursorRegion(scene) {
  return regionOf(scene.matrix, boxOf(scene.matrix, scene.anchor ?? scene.cursor, scene.cursor))
}

function paintCross(ctx, scene, { w, h }, { i, j }, colour, edged) {
  const { frame, view } = scene
  const size = Math.max(1, Math.round(view.cell))
  ctx.fillStyle = faded(ctx, colour, size < pixels(scene, 3) ? 0.5 : edged ? 0.16 : 0.1)
  if (i >= 0) ctx.fillRect(frame.left, yOf(scene, i), w, size)
  if (j >= 0 && j < scene.matrix.n_cols) ctx.fillRect(xOf(scene, j), frame.top, size, h)
  if (!edged || i < 0 || j < 0) return
  ctx.strokeStyle = faded(ctx, colour, 0.9)
  ctx.lineWidth = pixels(scene, 1)
  ctx.strokeRect(frame.left - 2, yOf(scene, i) - 0.5, w + 4, size + 1)
  ctx.strokeRect(xOf(scene, j) - 0.5, frame.top - 2, size + 1, h + 4)
}

function paintSelection(ctx, scene) {
  const { matrix, selected } = scene
  const runs = (side, length) => selected[side] ?? [[0, length]]
  for (const [i0, i1] of runs("rows", matrix.n_rows)) {
    for (const [j0, j1] of runs("cols", matrix.n_cols)) paintBox(ctx, scene, { i0, i1, j0, j1 }, [])
  }
}

// A frame that is seen on light and on dark cells: the page's colour under the text's.
function paintBox(ctx, scene, { i0, i1, j0, j1 }, dash) {
  const least = pixels(scene, 5) // a cell of a pixel still gets a frame that can be seen
  const [x, y] = [xOf(scene, j0), yOf(scene, i0)]
  const [w, h] = [xOf(scene, j1) - x, yOf(scene, i1) - y]
  const [dx, dy] = [Math.max(0, least - w) / 2, Math.max(0, least - h) / 2]
  for (const [colour, width, pattern] of [[scene.theme.page, 4, []], [scene.theme.text, 2, dash]]) {
    ctx.strokeStyle = colour
    ctx.lineWidth = pixels(scene, width)
    ctx.setLineDash(pattern)
    ctx.strokeRect(x - dx - 0.5, y - dy - 0.5, w + 2 * dx, h + 2 * dy)
  }
  ctx.setLineDash([])
}

// The names of the rows and columns that are pointed at, in front of the others; of two that would lie on each other,
// the first.
function paintChips(ctx, scene, shown, places) {
  const { frame, view, theme } = scene
  const size = 12
  const line = size * 1.5 * frame.ratio
  const taken = { i: [], j: [] }
  const free = (axis, at) => {
    if (taken[axis].some(other => Math.abs(other - at) * view.cell < line)) return false
    return taken[axis].push(at)
  }
  for (const place of places) {
    if (!place) continue
    const { i, j } = place
    if (i >= shown.i0 && i < shown.i1 && free("i", i)) {
      const y = Math.max(frame.top, yOf(scene, i) + view.cell / 2)
      ctx.fillStyle = theme.page
      ctx.fillRect(frame.strip, y - line / 2, frame.left - frame.strip - 1, line)
      ctx.fillStyle = theme.text
      paintRowName(ctx, scene, i, size, "700")
    }
    if (j >= shown.j0 && j < shown.j1 && free("j", j)) paintColumnChip(ctx, scene, j, size, line)
  }
}

function paintColumnChip(ctx, scene, j, size, line) {
  const { frame, view, theme } = scene
  const x = xOf(scene, j) + view.cell / 2
  const mode = modeOf(scene)
  ctx.save()
  ctx.beginPath()
  ctx.rect(0, frame.strip, frame.width, frame.top - frame.strip - 1)
  ctx.clip()
  ctx.fillStyle = theme.page
  if (mode === "flat") ctx.fillRect(x - view.cell / 2, frame.strip, view.cell, frame.top - frame.strip - 1)
  else {
    ctx.translate(x, frame.top - 1)
    ctx.rotate(mode === "slanted" ? -Math.PI / 4 : -Math.PI / 2)
    ctx.fillRect(0, -line / 2, nameLength(scene) + pixels(scene, 8), line)
  }
  ctx.restore()
  ctx.fillStyle = theme.text
  paintColumnName(ctx, scene, j, size, "700")
}
