// What is drawn and which part of it is on the screen, in device pixels: a cell is a whole number of them, so that
// every edge is sharp. Only what does not fit otherwise has less than one pixel a cell.

const LARGEST_CELL = 64 // CSS pixels of a cell, the most there is to zoom to
const SMALL_MATRIX = 420 // CSS pixels that a matrix of a few classes fills
const LEAST_HEIGHT = 300 // CSS pixels of the cells, whatever the height of the screen
const MOST_HEIGHT = 1400
const STRIP = 18
const AXIS = 15 // CSS pixels of the title of an axis
const BEGINNING = 116 // CSS pixels of a name where beginnings are named
const LEAST_LEFT = 104 // CSS pixels before the cells, where the field to find a class stands
const NARROW = 520 // CSS pixels; with less, the field stands above the picture
export const READABLE = 7.5 // CSS pixels of a cell whose name can be read
export const EDGE = 12
const FINGER = 12 // CSS pixels around a touch that may be meant
const NOTHING = { what: "nothing", i: -1, j: -1 }

export class Scene {
  constructor(cells, given) {
    const empty = { cursor: null, anchor: null, hover: null, drag: null, selected: null, look: null, frame: null }
    Object.assign(this, { cells, found: -1, focused: false, ...empty, ...given })
  }

  px(css) {
    return Math.max(1, Math.round(css * this.frame.ratio))
  }

  x(j) {
    return this.frame.left - this.view.x + Math.round(j * this.view.cell)
  }

  y(i) {
    return this.frame.top - this.view.y + Math.round(i * this.view.cell)
  }

  // Where the names of rows and columns may begin: after the groups and the titles of the axes.
  get outside() {
    return this.frame.strip + this.px(AXIS)
  }

  get isZoomed() {
    return this.view.cell > this.frame.fit
  }

  // Names that stand upright, or only mark columns, while everything fits lean over when one has zoomed in: easier to
  // read.
  get nameMode() {
    const { frame, view } = this
    const cell = view.cell / frame.ratio
    if (frame.nameMode === "flat" || frame.nameMode === "slanted") return frame.nameMode
    if (cell >= 26) return "slanted"
    return frame.nameMode === "marked" && cell >= READABLE ? "upright" : frame.nameMode
  }

  // The size of the window onto the cells, and which of them lie in it, at least in part.
  get shown() {
    const { cells, view } = this
    const { w, h } = this.windowFor(view.cell)
    return {
      w,
      h,
      i0: Math.floor(view.y / view.cell),
      i1: Math.min(cells.n_rows, Math.ceil((view.y + h) / view.cell)),
      j0: Math.floor(view.x / view.cell),
      j1: Math.min(cells.n_cols, Math.ceil((view.x + w) / view.cell)),
    }
  }

  windowFor(cell) {
    const { cells, frame } = this
    const [w, h] = [Math.ceil(cells.n_cols * cell), Math.ceil(cells.n_rows * cell)]
    return { w: Math.min(frame.room, w), h: Math.min(frame.high, h) }
  }

  showWhole() {
    this.view = { cell: this.frame.fit, wish: this.frame.fit, x: 0, y: 0 }
  }

  // Show a part of the matrix, within its edges.
  show(view) {
    const { w, h } = this.windowFor(view.cell)
    const x = Math.max(0, Math.min(view.x, Math.ceil(this.cells.n_cols * view.cell) - w))
    const y = Math.max(0, Math.min(view.y, Math.ceil(this.cells.n_rows * view.cell) - h))
    this.view = { ...view, x: Math.round(x), y: Math.round(y) }
  }

  // The nearest size that a cell may have: the one that fits, or a larger whole number of pixels.
  sizeNear(wish) {
    const { fit, most } = this.frame
    return wish <= fit ? fit : Math.min(most, Math.max(fit, 1, Math.round(wish)))
  }

  // Zoom to a size of the cells, keeping what lies at a point of the window where it is, or bringing the place {i, j}
  // of the matrix there.
  zoom(wish, x, y, focus) {
    const { frame, view } = this
    const kept = Math.min(frame.most * 1.2, Math.max(frame.fit * 0.8, wish))
    const cell = this.sizeNear(kept)
    const at = focus ?? { i: (view.y + y) / view.cell, j: (view.x + x) / view.cell }
    this.show({ cell, wish: kept, x: at.j * cell - x, y: at.i * cell - y })
  }

  // The next size up (+1) or down (-1): half as large again, and never the same.
  nextSize(direction) {
    const { frame, view } = this
    const ladder = [frame.fit, frame.most]
    for (let size = 1; size < frame.most; size = Math.max(size + 1, Math.round(size * 1.5))) {
      if (size > frame.fit) ladder.push(size)
    }
    const sizes = ladder.filter(size => (size - view.cell) * direction > 0)
    return sizes.length ? Math[direction > 0 ? "min" : "max"](...sizes) : direction > 0 ? frame.most : frame.fit
  }

  // Move the window; returns whether it moved.
  pan(dx, dy) {
    const before = this.view
    this.show({ ...before, x: before.x + dx, y: before.y + dy })
    return this.view.x !== before.x || this.view.y !== before.y
  }

  // Move the window as little as possible so that a cell (or the row or the column of one) lies in it.
  bringInto({ i, j }) {
    const { view } = this
    const { w, h } = this.windowFor(view.cell)
    const place = (at, from, size) => {
      const start = at * view.cell
      if (at < 0 || (start >= from && start + view.cell <= from + size)) return from
      const margin = Math.min(view.cell * 2, size / 4)
      return start < from ? start - margin : start + view.cell - size + margin
    }
    this.show({ ...view, x: place(j, view.x, w), y: place(i, view.y, h) })
  }

  centreOn({ i, j }, { cell, wish } = this.view) {
    const { w, h } = this.windowFor(cell)
    this.show({ cell, wish, x: (j + 0.5) * cell - w / 2, y: (i + 0.5) * cell - h / 2 })
  }

  // What lies at a point of the canvas: a cell, a name (the other axis is -1), a group's strip, nothing.
  hitTest(x, y) {
    const { cells, frame, view } = this
    const { w, h } = this.windowFor(view.cell)
    const inX = x >= frame.left && x < frame.left + w
    const inY = y >= frame.top && y < frame.top + h
    const j = Math.min(cells.n_cols - 1, Math.floor((x - frame.left + view.x) / view.cell))
    const i = Math.min(cells.n_rows - 1, Math.floor((y - frame.top + view.y) / view.cell))
    if (inX && inY) return { what: "cell", i, j }
    if (!(inY && x >= 0 && x < frame.left) && !(inX && y >= 0 && y < frame.top)) return NOTHING
    if ((inY ? x : y) >= frame.strip) return inY ? { what: "name", i, j: -1 } : { what: "name", i: -1, j }
    const group = cells.groupOf(inY ? i : j)
    return group < 0 ? NOTHING : { what: "group", group, i: -1, j: -1 }
  }

  // What a finger that touches a point means: the cell there, or the nearest that is drawn where they are smaller.
  touchTest(x, y) {
    const spot = this.hitTest(x, y)
    const reach = Math.round(this.px(FINGER) / this.view.cell)
    return spot.what === "cell" ? { ...spot, ...this.cells.nearestDrawn(spot, reach, this.look.errors_only) } : spot
  }

  // The nearest cell of the window, for a pointer that was dragged out of it.
  cellNear(x, y) {
    const { left, top } = this.frame
    const { w, h } = this.windowFor(this.view.cell)
    return this.hitTest(Math.max(left, Math.min(x, left + w - 1)), Math.max(top, Math.min(y, top + h - 1)))
  }

  // The same, so many times as large, without what follows the pointer.
  multiplied(times) {
    const larger = lengths =>
      Object.fromEntries(
        Object.entries(lengths).map(([name, value]) => [name, typeof value === "number" ? value * times : value]),
      )
    const still = { image: null, hover: null, drag: null, focused: false }
    return new Scene(this.cells, { ...this, ...still, frame: larger(this.frame), view: larger(this.view) })
  }
}

// What stays while one zooms: margins, names, the size of the window, the smallest and the largest cell. `widthOf`
// measures a name in CSS pixels; `width` and `height` are the room for cells and names.
export function makeFrame(cells, width, height, ratio, widthOf) {
  const widest = names => Math.min(260, 2 + Math.max(...names.map(name => widthOf(name.slice(0, 60)))))
  const widths = [cells.names, ...cells.short.filter(Boolean)].map(widest)
  const strip = cells.grouped ? STRIP : 0
  const least = cells.small || width < NARROW ? 58 : LEAST_LEFT - 16
  const most = Math.max(least, Math.min(width * 0.26, Math.max(190, width - height))) // what a square leaves free
  const nameWidth = widths.find(length => length <= most) ?? widths.at(-1)
  const leftOf = room => Math.round(strip + AXIS + 16 + Math.max(least, Math.min(nameWidth, room)))
  const fitted = (nameMode, left = leftOf(most)) =>
    fit(cells, width, height, ratio, { nameMode, left, strip, nameWidth, longest: widths[0] })
  const flat = fitted("flat")
  if (nameWidth + 10 <= flat.fit / ratio) return flat
  const slanted = fitted("slanted")
  if (slanted.fit / ratio >= 22) return slanted
  const upright = fitted("upright")
  if (!cells.spans.length || upright.fit / ratio >= READABLE) return upright
  const begins = Math.max(...cells.spans.map(([, , name]) => widthOf(name)))
  // on a phone the cells need the room more: what is chosen is named above them in full
  return fitted("marked", leftOf(Math.min(most, width < NARROW ? begins : Math.max(begins, BEGINNING))))
}

function fit(cells, width, height, ratio, { nameMode, left, strip, nameWidth, longest }) {
  // names reach beyond the last column
  const overhang = { slanted: Math.round(Math.min(nameWidth, 150) * 0.71), marked: width < NARROW ? EDGE : 44 }[nameMode] ?? 0
  const upright = Math.max(34, Math.min(nameWidth, 130) * 0.78 + 8) // these are smaller
  const top = strip + AXIS + 14 + { flat: 20, slanted: overhang + 12, upright, marked: 38 }[nameMode]
  const room = Math.max(60, (width - left - Math.max(overhang, EDGE)) * ratio)
  const high = Math.max(LEAST_HEIGHT, Math.min(MOST_HEIGHT, height - top)) * ratio
  const widest = Math.max(LARGEST_CELL, Math.min(220, SMALL_MATRIX / Math.max(cells.n_rows, cells.n_cols)))
  const exact = Math.min(room / cells.n_cols, high / cells.n_rows, widest * ratio)
  const cell = exact >= 1 ? Math.floor(exact) : exact
  // What cells leave free goes to names that would be cut.
  const freeHeight = nameMode === "upright" ? height - top - (cells.n_rows * cell) / ratio : 0
  const above = top + Math.max(0, Math.min(freeHeight, longest + 8 - upright))
  const freeWidth = nameMode === "marked" ? 0 : (room - cells.n_cols * cell) / ratio
  const beside = Math.floor(Math.max(0, Math.min(freeWidth, longest + strip + AXIS + 16 - left)))
  return {
    nameMode,
    ratio,
    fit: cell,
    most: Math.max(Math.round(LARGEST_CELL * ratio), cell),
    left: Math.round((left + beside) * ratio),
    top: Math.round(above * ratio),
    strip: Math.round(strip * ratio),
    overhang: Math.round(overhang * ratio),
    room: Math.floor(room - beside * ratio),
    high: Math.ceil(cells.n_rows * cell),
    width: Math.round(width * ratio),
  }
}
