// Choosing cells, with the pointer or with the keys.

// Sent once; drawn at once, and once more when Python has agreed.
function pick(chart, box, anchor) {
  const { scene } = chart
  if (anchor) scene.anchor = { i: anchor.i, j: anchor.j }
  scene.selected = box.rows || box.cols ? { rows: box.rows && [box.rows], cols: box.cols && [box.cols] } : null
  say(chart, scene.selected ? `Chosen: ${boxInWords(scene.matrix, box)}` : "Nothing is chosen")
  redraw(chart)
  chart.send("picked", { of: scene.matrix.id, rows: box.rows, cols: box.cols })
}

function toggle(chart, group) {
  chart.send("toggled", { of: chart.scene.matrix.id, group })
}

function tell(chart) {
  const { scene } = chart
  const box = boxOf(scene.matrix, scene.anchor && chart.extending ? scene.anchor : scene.cursor, scene.cursor)
  const text = boxInWords(scene.matrix, box)
  chart.row.setAttribute("aria-rowindex", scene.cursor.i + 1)
  chart.cell.setAttribute("aria-colindex", scene.cursor.j + 1)
  chart.cell.textContent = text
  say(chart, text)
}

const ARROWS = {
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
  PageUp: [-10, 0],
  PageDown: [10, 0],
}

function pressedKey(chart, event) {
  const { scene } = chart
  if (!scene?.frame || event.target !== chart.plane || event.altKey) return
  const acts = {
    "+": () => step(chart, 1), "=": () => step(chart, 1), "-": () => step(chart, -1), _: () => step(chart, -1),
    0: () => showAll(chart),
    "/": () => chart.search.input.focus(),
    " ": () => { chart.space = true },
    g: () => toggleHere(chart), G: () => toggleHere(chart),
    Enter: () => pickHere(chart),
    Escape: () => clear(chart),
  }
  if (event.key in ARROWS || event.key === "Home" || event.key === "End") walk(chart, event)
  else if (event.key in acts && !event.ctrlKey && !event.metaKey) acts[event.key]()
  else return
  event.preventDefault()
}

// A step beyond the first row or column is its name: all of the column or row.
function walk(chart, event) {
  const { scene } = chart
  const { matrix } = scene
  const from = scene.cursor ?? { i: 0, j: 0 }
  const to = { ...from }
  if (event.key === "Home" || event.key === "End") {
    const last = event.key === "End"
    to.j = last ? matrix.n_cols - 1 : 0
    if (event.ctrlKey || event.metaKey) to.i = last ? matrix.n_rows - 1 : 0
  } else {
    const far = event.ctrlKey || event.metaKey ? 10 : 1
    to.i = within(from.i + ARROWS[event.key][0] * far, from.i, matrix.n_rows, from.j < 0)
    to.j = within(from.j + ARROWS[event.key][1] * far, from.j, matrix.n_cols, from.i < 0)
  }
  chart.extending = event.shiftKey
  scene.anchor = event.shiftKey ? (scene.anchor ?? from) : null
  scene.cursor = scene.focused || scene.cursor ? to : from
  scene.focused = true
  scene.view = bringInto(matrix, scene.frame, scene.view, scene.cursor.i, scene.cursor.j)
  tell(chart)
  redraw(chart)
}

function within(to, from, length, elseName) {
  const least = elseName || from > 0 ? 0 : -1
  return Math.max(least, Math.min(to, length - 1))
}

function pickHere(chart) {
  const { scene } = chart
  if (!scene.cursor) return
  const anchor = scene.anchor && chart.extending ? scene.anchor : scene.cursor
  pick(chart, boxOf(scene.matrix, anchor, scene.cursor), anchor)
}

function toggleHere(chart) {
  const { scene } = chart
  if (!scene.cursor) return
  const group = [scene.cursor.i, scene.cursor.j].map(at => groupOf(scene.matrix, at)).find(found => found >= 0)
  if (group === undefined) say(chart, "This cell belongs to no group")
  else toggle(chart, group)
}

// First what is being dragged or was searched for, then the choice.
function clear(chart) {
  const { scene } = chart
  if (scene.drag || scene.found >= 0) {
    if (scene.drag) chart.press = null
    scene.drag = null
    chart.search.input.value = ""
    return find(chart, -1)
  }
  scene.anchor = null
  if (scene.selected) pick(chart, { rows: null, cols: null }, null)
}
