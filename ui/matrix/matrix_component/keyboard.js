// Walking over the cells with the keys, and choosing them. A screen reader finds a grid with the one cell that the
// cursor is on.

const ARROWS = {
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
  PageUp: [-10, 0],
  PageDown: [10, 0],
}

export class Keyboard {
  constructor(chart) {
    Object.assign(this, { chart, isExtending: false })
    const { plane, pointer } = chart
    const actions = {
      "+": () => chart.zoomStep(1), "=": () => chart.zoomStep(1), "-": () => chart.zoomStep(-1), _: () => chart.zoomStep(-1),
      0: () => chart.showWhole(),
      "/": () => chart.classSearch.input.focus(),
      " ": () => { pointer.space = true },
      g: () => this.toggle(), G: () => this.toggle(),
      Enter: () => this.pick(),
      Escape: () => this.clear(),
    }
    plane.onkeydown = event => {
      if (!chart.scene?.frame || event.target !== plane || event.altKey) return
      if (event.key in ARROWS || event.key === "Home" || event.key === "End") this.moveCursor(event)
      else if (event.key in actions && !event.ctrlKey && !event.metaKey) actions[event.key]()
      else return
      event.preventDefault()
    }
    plane.onkeyup = event => {
      if (event.key === " ") pointer.space = false
    }
    plane.onfocus = () => this.focus(plane.matches(":focus-visible"))
    plane.onblur = () => this.focus(false)
  }

  focus(focused) {
    const { chart, chart: { scene } } = this
    if (!scene) return
    chart.pointer.space = false
    scene.focused = focused
    if (focused) {
      scene.cursor ??= { i: 0, j: 0 }
      this.describeCursor()
    }
    chart.redraw()
  }

  // The cell that the cursor is on, or the block from the anchor to it.
  get box() {
    const { cells, anchor, cursor } = this.chart.scene
    return cells.boxOf((this.isExtending && anchor) || cursor, cursor)
  }

  describeCursor() {
    const { row, cell, scene } = this.chart
    row.setAttribute("aria-rowindex", scene.cursor.i + 1)
    cell.setAttribute("aria-colindex", scene.cursor.j + 1)
    cell.textContent = scene.cells.describe(this.box)
    this.chart.announce(cell.textContent)
  }

  // A step beyond the first row or column is its name: all of the column or row.
  moveCursor({ key, shiftKey, ctrlKey, metaKey }) {
    const { scene } = this.chart
    const { n_rows, n_cols } = scene.cells
    const from = scene.cursor ?? { i: 0, j: 0 }
    const to = { ...from }
    const far = ctrlKey || metaKey
    if (key in ARROWS) {
      const [down, right] = ARROWS[key].map(steps => steps * (far ? 10 : 1))
      to.i = clampIndex(from.i + down, from.i, n_rows, from.j < 0)
      to.j = clampIndex(from.j + right, from.j, n_cols, from.i < 0)
    } else {
      to.j = key === "End" ? n_cols - 1 : 0
      if (far) to.i = key === "End" ? n_rows - 1 : 0
    }
    this.isExtending = shiftKey
    scene.anchor = shiftKey ? (scene.anchor ?? from) : null
    scene.cursor = scene.focused || scene.cursor ? to : from
    scene.focused = true
    scene.bringInto(scene.cursor)
    this.describeCursor()
    this.chart.redraw()
  }

  pick() {
    const { scene } = this.chart
    if (scene.cursor) this.chart.pick(this.box, (this.isExtending && scene.anchor) || scene.cursor)
  }

  toggle() {
    const { cells, cursor } = this.chart.scene
    if (!cursor) return
    const group = [cursor.i, cursor.j].map(at => cells.groupOf(at)).find(found => found >= 0)
    if (group === undefined) this.chart.announce("This cell belongs to no group")
    else this.chart.toggle(group)
  }

  // First what is being dragged or was searched for, then the choice.
  clear() {
    const { chart, chart: { scene, pointer, classSearch } } = this
    if (scene.drag || scene.found >= 0) {
      if (scene.drag) pointer.press = null
      scene.drag = null
      classSearch.input.value = ""
      return chart.markClass(-1)
    }
    scene.anchor = null
    if (scene.selected) chart.pick({ rows: null, cols: null }, null)
  }
}

function clampIndex(to, from, length, otherIsName) {
  const least = otherIsName || from > 0 ? 0 : -1
  return Math.max(least, Math.min(to, length - 1))
}
