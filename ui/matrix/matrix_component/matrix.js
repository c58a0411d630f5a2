// The confusion matrix on a canvas: zoom, pan, search, and a choice of cells that is sent to Python.
// What the colours show and what is chosen is handed to it by the small component "handed": they come in any order,
// and what is drawn waits for both.

const matrices = (globalThis[Symbol.for("blindspot.handed")] ??= new Map()) // key -> {chart, state}
const ABOVE = 100 // CSS pixels of the page's header and of what stands above the picture
const SMALL = 3 // with no more columns there is nothing to search or to zoom to
const CLICKS = ", a name for its whole row or column; drag, Shift-click, or hold a finger and drag for a block. "
const ZOOMS = "Ctrl + wheel or + and − zoom, right button or Space and drag pans, 0 shows all. "
const KEYS = "Keys: arrows, Enter, Shift + arrows for a block, Esc clears"

export default function (component) {
  const { data, parentElement } = component
  if (!data) return
  if (!matrices.has(data.key)) matrices.set(data.key, {})
  const mount = matrices.get(data.key)
  const host = parentElement.querySelector(".matrix")
  if (!mount.chart || mount.chart.host !== host) mount.chart = build(host)
  const { chart } = mount
  chart.send = component.setTriggerValue
  if (chart.data !== data) take(chart, data)
  mount.changed = () => update(chart, mount)
  mount.changed()
  return () => {
    chart.observer.disconnect()
    window.removeEventListener("resize", chart.resized)
    if (mount.chart === chart) mount.chart = mount.changed = null
  }
}

function make(tag, className, parent, text) {
  const element = document.createElement(tag)
  element.className = className
  if (text !== undefined) element.textContent = text
  parent.append(element)
  return element
}

function button(parent, text, label, act) {
  const element = make("button", "", parent, text)
  element.type = "button"
  element.setAttribute("aria-label", label)
  element.title = label
  element.onclick = act
  return element
}

function build(host) {
  host.replaceChildren()
  const chart = { host, scene: null, data: null, pointers: new Map(), frameAsked: 0 }
  const bar = make("div", "bar", host)
  chart.search = buildSearch(bar, chart)
  const zoom = (chart.zoom = make("div", "zoom", bar))
  zoom.setAttribute("role", "group")
  zoom.setAttribute("aria-label", "Zoom")
  chart.smaller = button(zoom, "−", "Zoom out", () => step(chart, -1))
  chart.level = make("span", "level", zoom)
  chart.larger = button(zoom, "+", "Zoom in", () => step(chart, 1))
  chart.whole = button(zoom, "Fit", "Show the whole matrix", () => showAll(chart))
  button(bar, "PNG", "Save this picture as PNG", () => save(chart)).className = "save"
  const plane = make("div", "plane", host)
  Object.assign(chart, { plane, base: make("canvas", "base", plane), over: make("canvas", "over", plane) })
  for (const canvas of [chart.base, chart.over]) canvas.setAttribute("aria-hidden", "true")
  buildGrid(chart)
  chart.tip = make("div", "tip", plane)
  chart.tip.setAttribute("aria-hidden", "true")
  chart.tip.hidden = true
  chart.hint = make("p", "hint", host)
  chart.hint.id = "keys"
  chart.spoken = make("div", "sr", host)
  chart.spoken.setAttribute("aria-live", "polite")
  listen(chart)
  chart.resized = () => lay(chart)
  window.addEventListener("resize", chart.resized)
  chart.observer = new ResizeObserver(() => Math.abs(host.clientWidth - (chart.width ?? 0)) > 1 && lay(chart))
  chart.observer.observe(host)
  return chart
}

// What a screen reader finds: a grid with the one cell that the cursor is on.
function buildGrid(chart) {
  const { plane } = chart
  plane.tabIndex = 0
  plane.setAttribute("role", "grid")
  plane.setAttribute("aria-multiselectable", "true")
  plane.setAttribute("aria-describedby", "keys")
  plane.setAttribute("aria-keyshortcuts", "Enter Escape + - 0 / g")
  chart.row = make("div", "sr", plane)
  chart.row.setAttribute("role", "row")
  chart.cell = make("div", "", chart.row)
  chart.cell.setAttribute("role", "gridcell")
}

// New counts. Another view of the same evaluation keeps what was searched for; the same counts keep everything.
function take(chart, data) {
  const before = chart.scene
  const same = before && before.matrix.id === data.id
  chart.data = data
  if (same) return
  const matrix = readMatrix(data)
  const grouped = matrix.groups.length || matrix.outlines.some(outline => outline[3] === "group")
  const small = matrix.n_cols <= SMALL && !grouped
  chart.search.box.hidden = chart.zoom.hidden = small
  const clicks = `Click a cell${data.rows.selection ? " to see its rows" : ""}${CLICKS}`
  chart.hint.textContent = small ? `${clicks}${KEYS}.`
    : `${clicks}${ZOOMS}${KEYS}, / finds a class${grouped ? ", g collapses or expands a group" : ""}.`
  const name = before && data.run === before.matrix.run && before.found >= 0 ? before.matrix.names[before.found] : null
  chart.scene = {
    matrix,
    colours: data.colours,
    found: matrix.names.indexOf(name),
    focused: before?.focused ?? false,
    cursor: null,
    anchor: null,
    hover: null,
    drag: null,
    selected: null,
    look: null,
    frame: null,
  }
  if (chart.scene.found < 0) chart.search.input.value = ""
  chart.plane.setAttribute("aria-rowcount", matrix.n_rows)
  chart.plane.setAttribute("aria-colcount", matrix.n_cols)
  const size = `${WHOLE.format(matrix.n_rows)} rows of truth by ${WHOLE.format(matrix.n_cols)} columns of prediction`
  chart.plane.setAttribute("aria-label", `Confusion matrix, ${size}, ${rowsText(matrix.total)} of the file`)
  chart.tip.hidden = true
}

function update(chart, { state }) {
  const { scene } = chart
  if (!scene || !state || state.of !== scene.matrix.id) return
  const look = { normalise: state.normalise, errors_only: state.errors_only, log: state.log }
  if (JSON.stringify(look) !== JSON.stringify(scene.look)) {
    scene.look = look
    scene.scales = scalesOf(scene.matrix, look)
  }
  if (chart.heard !== state) scene.selected = state.selected
  chart.heard = state
  const theme = readTheme(chart.host)
  if (JSON.stringify(theme) !== JSON.stringify(scene.theme)) scene.theme = theme
  if (chart.font !== theme.font) loadFonts(chart, theme.font)
  if (scene.frame && chart.laid === scene.matrix) redraw(chart)
  else lay(chart)
}

// A canvas does not wait for a font's bold and italic: ask for them, and measure again when they are there.
function loadFonts(chart, font) {
  chart.font = font
  const faces = ["", "600 ", "700 ", "italic ", "italic 700 "].map(face => document.fonts.load(`${face}12px ${font}`))
  Promise.allSettled(faces).then(() => {
    chart.drawn = null
    lay(chart)
  })
}

// Find the room there is. Another width keeps the part that one had zoomed to; new counts are shown whole.
function lay(chart) {
  const { scene, host } = chart
  if (!scene || !scene.look || !host.clientWidth) return
  const kept = chart.laid === scene.matrix && scene.view.cell > scene.frame.fit ? scene.view : null
  chart.width = host.clientWidth
  chart.laid = scene.matrix
  chart.drawn = null // setting a canvas' size clears it
  const ratio = window.devicePixelRatio || 1
  const ctx = chart.base.getContext("2d")
  ctx.font = `700 12px ${scene.theme.font}` // as a name is written that is pointed at
  const widest = 2 + Math.max(...scene.matrix.names.map(name => ctx.measureText(name.slice(0, 60)).width))
  const high = window.innerHeight - ABOVE - LEGEND
  scene.frame = frameOf(scene.matrix, chart.width, high, ratio, Math.min(widest, 260))
  const cell = kept && allowed(scene.frame, kept.cell)
  scene.view = kept ? held(scene.matrix, scene.frame, { ...kept, cell }) : firstView(scene.frame)
  const height = scene.frame.top + scene.frame.high + Math.round(LEGEND * ratio)
  for (const canvas of [chart.base, chart.over]) {
    canvas.width = scene.frame.width
    canvas.height = height
    canvas.style.width = `${scene.frame.width / ratio}px`
  }
  if (!kept && scene.found >= 0) scene.view = centredOn(scene.matrix, scene.frame, scene.view, scene.found, scene.found)
  redraw(chart)
}

// Once a frame, whatever happened in it.
function redraw(chart) {
  if (chart.frameAsked) return
  chart.frameAsked = requestAnimationFrame(() => {
    chart.frameAsked = 0
    draw(chart)
  })
}

function draw(chart) {
  const { scene, plane } = chart
  if (!scene || !scene.frame) return
  const { frame, view } = scene
  const drawn = `${frame.width} ${view.cell} ${view.x} ${view.y}`
  if (chart.drawn !== drawn || chart.drawnLook !== scene.look || chart.drawnTheme !== scene.theme) {
    paintMatrix(chart.base.getContext("2d"), scene)
    Object.assign(chart, { drawn, drawnLook: scene.look, drawnTheme: scene.theme })
  }
  paintOver(chart.over.getContext("2d"), scene)
  chart.level.textContent = `${WHOLE.format(Math.round((100 * view.cell) / frame.fit))} %`
  chart.smaller.disabled = chart.whole.disabled = view.cell <= frame.fit
  chart.larger.disabled = view.cell >= frame.most
  plane.classList.toggle("zoomed", view.cell > frame.fit)
  // where the cells are, in CSS pixels: for tests and for whoever looks
  const css = value => value / frame.ratio
  plane.dataset.of = scene.matrix.id
  plane.dataset.cell = css(view.cell)
  plane.dataset.origin = `${css(frame.left - view.x)} ${css(frame.top - view.y)}`
  const { w, h } = visible(scene.matrix, frame, view)
  plane.dataset.window = [frame.left, frame.top, w, h].map(css).join(" ")
}

function say(chart, text) {
  if (chart.spoken.textContent !== text) chart.spoken.textContent = text
}
