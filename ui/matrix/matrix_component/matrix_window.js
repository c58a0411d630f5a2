// Which part of the matrix is on the screen, in device pixels: a cell is a whole number of them, so that every edge is
// sharp. Only what does not fit otherwise has less than one pixel a cell.

const LARGEST_CELL = 64 // CSS pixels of a cell, the most there is to zoom to
const SMALL_MATRIX = 420 // CSS pixels that a matrix of a few classes fills
const LEAST_HEIGHT = 360 // CSS pixels of the cells, whatever the height of the screen
const MOST_HEIGHT = 1000
const EDGE = 12
const STRIP = 18

// What stays while one zooms: margins, the size of the window, the smallest and the largest cell. `nameWidth` is the
// width of the longest name in CSS pixels, `width` and `height` the room for cells and names.
function frameOf(matrix, width, height, ratio, nameWidth) {
  const longest = Math.max(matrix.n_rows, matrix.n_cols)
  const strip = matrix.groups.length || matrix.outlines.some(outline => outline[3] === "group") ? STRIP : 0
  const left = Math.round(strip + 16 + Math.max(58, Math.min(nameWidth, width * 0.24, 220)))
  const widest = Math.max(LARGEST_CELL, Math.min(150, SMALL_MATRIX / longest))
  let frame = null
  for (const mode of ["flat", "slanted", "upright"]) {
    frame = fit(matrix, width, height, ratio, { mode, left, strip, widest, nameWidth })
    if (mode === "flat" && nameWidth + 10 <= frame.fit / ratio) break
    if (mode === "slanted" && frame.fit / ratio >= 22) break
  }
  return frame
}

function fit(matrix, width, height, ratio, { mode, left, strip, widest, nameWidth }) {
  const written = mode === "slanted" ? Math.min(nameWidth, 150) : Math.min(nameWidth, 130) * 0.78 // upright: smaller
  const over = mode === "slanted" ? Math.round(written * 0.71) : 0 // slanted names reach beyond the last column
  const top = strip + 14 + (mode === "flat" ? 20 : mode === "slanted" ? over + 12 : Math.max(34, written + 8))
  const room = Math.max(60, (width - left - Math.max(over, EDGE)) * ratio)
  const high = Math.max(LEAST_HEIGHT, Math.min(MOST_HEIGHT, height - top)) * ratio
  const exact = Math.min(room / matrix.n_cols, high / matrix.n_rows, widest * ratio)
  const cell = exact >= 1 ? Math.floor(exact) : exact
  return {
    mode,
    ratio,
    fit: cell,
    most: Math.max(Math.round(LARGEST_CELL * ratio), cell),
    left: Math.round(left * ratio),
    top: Math.round(top * ratio),
    strip: Math.round(strip * ratio),
    over: Math.round(over * ratio),
    room: Math.floor(room),
    high: Math.ceil(matrix.n_rows * cell),
    width: Math.round(width * ratio),
  }
}

function firstView(frame) {
  return { cell: frame.fit, wish: frame.fit, x: 0, y: 0 }
}

// The size of the window onto the cells, and which of them lie in it, at least in part.
function visible(matrix, frame, view) {
  const w = Math.min(frame.room, Math.ceil(matrix.n_cols * view.cell))
  const h = Math.min(frame.high, Math.ceil(matrix.n_rows * view.cell))
  return {
    w,
    h,
    i0: Math.floor(view.y / view.cell),
    i1: Math.min(matrix.n_rows, Math.ceil((view.y + h) / view.cell)),
    j0: Math.floor(view.x / view.cell),
    j1: Math.min(matrix.n_cols, Math.ceil((view.x + w) / view.cell)),
  }
}

function held(matrix, frame, view) {
  const { w, h } = visible(matrix, frame, view)
  const x = Math.max(0, Math.min(view.x, Math.ceil(matrix.n_cols * view.cell) - w))
  const y = Math.max(0, Math.min(view.y, Math.ceil(matrix.n_rows * view.cell) - h))
  return { ...view, x: Math.round(x), y: Math.round(y) }
}

// The nearest size that a cell may have: the one that fits, or a larger whole number of pixels.
function allowed(frame, wish) {
  if (wish <= frame.fit) return frame.fit
  const whole = Math.max(1, Math.round(wish))
  return Math.min(frame.most, whole <= frame.fit ? frame.fit : whole)
}

// Zoom to a size of the cells, keeping what lies at a point of the window (device pixels) where it is, or bringing the
// place {i, j} of the matrix there.
function zoomed(matrix, frame, view, wish, x, y, focus) {
  const kept = Math.min(frame.most * 1.2, Math.max(frame.fit * 0.8, wish))
  const cell = allowed(frame, kept)
  const at = focus ?? { i: (view.y + y) / view.cell, j: (view.x + x) / view.cell }
  return held(matrix, frame, { cell, wish: kept, x: at.j * cell - x, y: at.i * cell - y })
}

// The next size up (+1) or down (-1): half as large again, and never the same.
function nextSize(frame, cell, way) {
  const ladder = [frame.fit]
  for (let size = 1; size <= frame.most; size = Math.max(size + 1, Math.round(size * 1.5))) {
    if (size > frame.fit) ladder.push(size)
  }
  if (ladder[ladder.length - 1] < frame.most) ladder.push(frame.most)
  if (way > 0) return ladder.find(size => size > cell) ?? frame.most
  return ladder.reverse().find(size => size < cell) ?? frame.fit
}

function panned(matrix, frame, view, dx, dy) {
  return held(matrix, frame, { ...view, x: view.x + dx, y: view.y + dy })
}

// Move the window as little as possible so that a cell (or the row or the column of one) lies in it.
function bringInto(matrix, frame, view, i, j) {
  const { w, h } = visible(matrix, frame, view)
  const place = (at, from, size) => {
    const start = at * view.cell
    if (at < 0 || (start >= from && start + view.cell <= from + size)) return from
    const margin = Math.min(view.cell * 2, size / 4)
    return start < from ? start - margin : start + view.cell - size + margin
  }
  return held(matrix, frame, { ...view, x: place(j, view.x, w), y: place(i, view.y, h) })
}

function centredOn(matrix, frame, view, i, j) {
  const { w, h } = visible(matrix, frame, view)
  return held(matrix, frame, { ...view, x: (j + 0.5) * view.cell - w / 2, y: (i + 0.5) * view.cell - h / 2 })
}

// What lies at a point of the canvas (device pixels): a cell, a name (the other axis is -1), a group's strip, nothing.
function hit(matrix, frame, view, x, y) {
  const { w, h } = visible(matrix, frame, view)
  const inX = x >= frame.left && x < frame.left + w
  const inY = y >= frame.top && y < frame.top + h
  const j = Math.min(matrix.n_cols - 1, Math.floor((x - frame.left + view.x) / view.cell))
  const i = Math.min(matrix.n_rows - 1, Math.floor((y - frame.top + view.y) / view.cell))
  if (inX && inY) return { what: "cell", i, j }
  if (inY && x >= 0 && x < frame.left) return x < frame.strip ? groupHit(matrix, i) : { what: "name", i, j: -1 }
  if (inX && y >= 0 && y < frame.top) return y < frame.strip ? groupHit(matrix, j) : { what: "name", i: -1, j }
  return { what: "nothing", i: -1, j: -1 }
}

function groupHit(matrix, at) {
  const group = groupOf(matrix, at)
  return group < 0 ? { what: "nothing", i: -1, j: -1 } : { what: "group", group, i: -1, j: -1 }
}

// The group that a place of an axis belongs to, collapsed or expanded; -1 = none.
function groupOf(matrix, at) {
  if (matrix.groupAt.has(at)) return matrix.groupAt.get(at)
  const outline = matrix.outlines.find(([start, end, , kind]) => kind === "group" && start <= at && at < end)
  return outline ? outline[4] : -1
}

// The nearest cell of the window, for a pointer that was dragged out of it.
function nearest(matrix, frame, view, x, y) {
  const { w, h } = visible(matrix, frame, view)
  const at = hit(matrix, frame, view, Math.max(frame.left, Math.min(x, frame.left + w - 1)),
                 Math.max(frame.top, Math.min(y, frame.top + h - 1)))
  return { i: at.i, j: at.j }
}
