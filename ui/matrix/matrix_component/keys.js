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

export class Keys {
  constructor(chart) {
    Object.assign(this, { chart, extends: false })
    const { plane, hand } = chart
    const acts = {
      "+": () => chart.step(1), "=": () => chart.step(1), "-": () => chart.step(-1), _: () => chart.step(-1),
      0: () => chart.showWhole(),
      "/": () => chart.finder.input.focus(),
      " ": () => { hand.space = true },
      g: () => this.toggle(), G: () => this.toggle(),
      Enter: () => this.pick(),
      Escape: () => this.clear(),
    }
    plane.onkeydown = event => {
      if (!chart.scene?.frame || event.target !== plane || event.altKey) return
      if (event.key in ARROWS || event.key === "Home" || event.key === "End") this.walk(event)
      else if (event.key in acts && !event.ctrlKey && !event.metaKey) acts[event.key]()
      else return
      event.preventDefault()
    }
    plane.onkeyup = event => {
      if (event.key === " ") hand.space = false
    }
    plane.onfocus = () => this.focus(plane.matches(":focus-visible"))
    plane.onblur = () => this.focus(false)
  }

  focus(focused) {
    const { chart, chart: { scene } } = this
    if (!scene) return
    chart.hand.space = false
    scene.focused = focused
    if (focused) {
      scene.cursor ??= { i: 0, j: 0 }
      this.tell()
    }
    chart.redraw()
  }

  // The cell that the cursor is on, or the block from the anchor to it.
  get box() {
    const { cells, anchor, cursor } = this.chart.scene
    return cells.boxOf((this.extends && anchor) || cursor, cursor)
  }

  tell() {
    const { row, cell, scene } = this.chart
    row.setAttribute("aria-rowindex", scene.cursor.i + 1)
    cell.setAttribute("aria-colindex", scene.cursor.j + 1)
    cell.textContent = scene.cells.describe(this.box)
    this.chart.say(cell.textContent)
  }

  // A step beyond the first row or column is its name: all of the column or row.
  walk({ key, shiftKey, ctrlKey, metaKey }) {
    const { scene } = this.chart
    const { n_rows, n_cols } = scene.cells
    const from = scene.cursor ?? { i: 0, j: 0 }
    const to = { ...from }
    const far = ctrlKey || metaKey
    if (key in ARROWS) {
      const [down, right] = ARROWS[key].map(steps => steps * (far ? 10 : 1))
      to.i = within(from.i + down, from.i, n_rows, from.j < 0)
      to.j = within(from.j + right, from.j, n_cols, from.i < 0)
    } else {
      to.j = key === "End" ? n_cols - 1 : 0
      if (far) to.i = key === "End" ? n_rows - 1 : 0
    }
    this.extends = shiftKey
    scene.anchor = shiftKey ? (scene.anchor ?? from) : null
    scene.cursor = scene.focused || scene.cursor ? to : from
    scene.focused = true
    scene.bringInto(scene.cursor)
    this.tell()
    this.chart.redraw()
  }

  pick() {
    const { scene } = this.chart
    if (scene.cursor) this.chart.pick(this.box, (this.extends && scene.anchor) || scene.cursor)
  }

  toggle() {
    const { cells, cursor } = this.chart.scene
    if (!cursor) return
    const group = [cursor.i, cursor.j].map(at => cells.groupOf(at)).find(found => found >= 0)
    if (group === undefined) this.chart.say("This cell belongs to no group")
    else this.chart.toggle(group)
  }

  // First what is being dragged or was searched for, then the choice.
  clear() {
    const { chart, chart: { scene, hand, finder } } = this
    if (scene.drag || scene.found >= 0) {
      if (scene.drag) hand.press = null
      scene.drag = null
      finder.input.value = ""
      return chart.mark(-1)
    }
    scene.anchor = null
    if (scene.selected) chart.pick({ rows: null, cols: null }, null)
  }
}

function within(to, from, length, elseName) {
  const least = elseName || from > 0 ? 0 : -1
  return Math.max(least, Math.min(to, length - 1))
}
