// The hand: wheel, pointer and touch. The left button chooses, the right one, the middle one or Space pans.

const DRAGGED = 4 // CSS pixels that make a click a drag
const HELD = 450 // milliseconds after which a resting finger begins a block

function middle(chart) {
  const { w, h } = visible(chart.scene.matrix, chart.scene.frame, chart.scene.view)
  return [w / 2, h / 2]
}

function zoomTo(chart, wish, x, y, focus) {
  const { scene } = chart
  scene.view = zoomed(scene.matrix, scene.frame, scene.view, wish, x, y, focus)
  redraw(chart)
}

// The place in the matrix that the wheel zooms in on: the same one as long as the pointer rests. While there is room
// beside a growing matrix it cannot stay under the pointer, and comes back to it afterwards.
function focusOf(chart, x, y) {
  const { scene, focus } = chart
  const { frame, view } = scene
  if (!focus || focus.of !== scene.matrix || Math.hypot(focus.x - x, focus.y - y) > 2 * frame.ratio) {
    const [i, j] = [(y - frame.top + view.y) / view.cell, (x - frame.left + view.x) / view.cell]
    chart.focus = { of: scene.matrix, x, y, i, j }
  }
  return chart.focus
}

function step(chart, way) {
  const { scene } = chart
  const cursor = scene.focused && scene.cursor
  const [x, y] = middle(chart)
  zoomTo(chart, nextSize(scene.frame, scene.view.cell, way), x, y)
  if (cursor) scene.view = bringInto(scene.matrix, scene.frame, scene.view, cursor.i, cursor.j)
  const share = Math.round((100 * scene.view.cell) / scene.frame.fit)
  say(chart, `Zoom ${share} %`)
}

function showAll(chart) {
  chart.scene.view = firstView(chart.scene.frame)
  say(chart, "The whole matrix is shown")
  redraw(chart)
}

function pan(chart, dx, dy) {
  const { scene } = chart
  const before = scene.view
  scene.view = panned(scene.matrix, scene.frame, before, dx, dy)
  redraw(chart)
  return scene.view.x !== before.x || scene.view.y !== before.y
}

// With Ctrl, as pinching a trackpad also sends it, the wheel zooms; zoomed in, it pans until an end is reached. Else
// the page scrolls, as everywhere.
function wheel(chart, event) {
  const { scene } = chart
  if (!scene?.frame) return
  const at = preciseOf(chart, event)
  const { x, y } = pointOf(chart, at)
  const unit = event.deltaMode === 1 ? 16 : event.deltaMode === 2 ? 400 : 1
  if (event.ctrlKey || event.metaKey) {
    event.preventDefault()
    const factor = Math.exp(-Math.max(-60, Math.min(60, event.deltaY * unit)) * 0.008)
    zoomTo(chart, scene.view.wish * factor, x - scene.frame.left, y - scene.frame.top, focusOf(chart, x, y))
  } else if (scene.view.cell > scene.frame.fit) {
    const [dx, dy] = event.shiftKey && !event.deltaX ? [event.deltaY, 0] : [event.deltaX, event.deltaY]
    if (pan(chart, dx * unit * scene.frame.ratio, dy * unit * scene.frame.ratio)) event.preventDefault()
  }
  point(chart, at)
}

// A point in device pixels of the canvas, which may be shown smaller than it is.
function pointOf(chart, event) {
  const box = chart.base.getBoundingClientRect()
  const scale = chart.base.width / box.width
  return { x: (event.clientX - box.left) * scale, y: (event.clientY - box.top) * scale }
}

// Where the pointer is for a wheel, whose event knows whole pixels only: some cells are smaller.
function preciseOf(chart, event) {
  const { last } = chart
  const near = last && Math.hypot(last.clientX - event.clientX, last.clientY - event.clientY) < 2
  return near ? last : { clientX: event.clientX, clientY: event.clientY }
}

function listen(chart) {
  const { plane } = chart
  plane.addEventListener("wheel", event => wheel(chart, event), { passive: false })
  const twoFingers = event => {
    if (event.touches.length > 1) event.preventDefault()
  }
  plane.addEventListener("touchstart", twoFingers, { passive: false })
  const selects = event => {
    if (chart.press?.held && event.cancelable) event.preventDefault() // the page must not scroll away under a block
  }
  plane.addEventListener("touchmove", selects, { passive: false })
  plane.onpointerdown = event => pressed(chart, event)
  plane.onpointermove = event => moved(chart, event)
  plane.onpointerup = event => released(chart, event)
  plane.onpointercancel = event => dropped(chart, event)
  plane.onpointerleave = () => leave(chart)
  // on some systems its menu comes before the button is dragged
  plane.oncontextmenu = event => {
    const zoomed = chart.scene?.view?.cell > chart.scene?.frame?.fit
    if (chart.panned || chart.press?.touch || zoomed) event.preventDefault()
  }
  plane.onmousedown = event => {
    if (event.button === 1) event.preventDefault() // no automatic scrolling
  }
  plane.onkeydown = event => pressedKey(chart, event)
  plane.onkeyup = event => {
    if (event.key === " ") chart.space = false
  }
  plane.onfocus = () => focusChanged(chart, true)
  plane.onblur = () => focusChanged(chart, false)
}

function focusChanged(chart, focused) {
  if (!chart.scene) return
  chart.space = false
  chart.scene.focused = focused && chart.plane.matches(":focus-visible")
  if (chart.scene.focused && !chart.scene.cursor) chart.scene.cursor = { i: 0, j: 0 }
  if (chart.scene.focused) tell(chart)
  redraw(chart)
}

function pressed(chart, event) {
  const { scene, plane } = chart
  if (!scene?.frame || event.target.closest?.(".tip")) return
  const at = pointOf(chart, event)
  plane.setPointerCapture(event.pointerId)
  chart.pointers.set(event.pointerId, at)
  chart.panned = false
  const touch = event.pointerType === "touch"
  const zoomedTouch = touch && scene.view.cell > scene.frame.fit
  const spot = hit(scene.matrix, scene.frame, scene.view, at.x, at.y)
  const pans = event.button === 1 || event.button === 2 || chart.space || zoomedTouch
  chart.press = { at, spot, pans, button: event.button, shift: event.shiftKey, touch, far: false }
  clearTimeout(chart.holding)
  scene.drag = null
  if (chart.pointers.size === 2) chart.pinch = apart(chart)
  else if (touch && chart.pointers.size === 1) chart.holding = setTimeout(() => begin(chart, event), HELD)
}

// A finger that rests on a cell begins a block, which it then drags; before that it scrolls or pans.
function begin(chart, event) {
  const { press } = chart
  if (!press?.touch || press.far || chart.pointers.size !== 1) return
  Object.assign(press, { held: true, pans: false })
  dragTo(chart, press.at, event)
}

function apart(chart) {
  const [a, b] = [...chart.pointers.values()]
  return { distance: Math.hypot(a.x - b.x, a.y - b.y), x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 }
}

function moved(chart, event) {
  const { scene, press } = chart
  if (!scene?.frame) return
  chart.last = { clientX: event.clientX, clientY: event.clientY }
  if (!press || !chart.pointers.has(event.pointerId)) return point(chart, event)
  const at = pointOf(chart, event)
  const before = chart.pointers.get(event.pointerId)
  chart.pointers.set(event.pointerId, at)
  if (chart.pointers.size === 2) return pinched(chart)
  press.far ||= Math.hypot(at.x - press.at.x, at.y - press.at.y) > DRAGGED * scene.frame.ratio
  if (!press.far) return
  if (press.pans) {
    chart.panned = pan(chart, before.x - at.x, before.y - at.y) || chart.panned
    return showTip(chart, null)
  }
  if (press.button === 0 && (!press.touch || press.held)) dragTo(chart, at, event)
}

function pinched(chart) {
  const { scene } = chart
  const now = apart(chart)
  const before = chart.pinch
  chart.pinch = now
  chart.press.far = true
  pan(chart, before.x - now.x, before.y - now.y)
  const wish = (scene.view.wish * now.distance) / Math.max(1, before.distance)
  zoomTo(chart, wish, now.x - scene.frame.left, now.y - scene.frame.top)
}

function dragTo(chart, at, event) {
  const { scene, press } = chart
  if (press.spot.what !== "cell" && press.spot.what !== "name") return
  const { w, h } = visible(scene.matrix, scene.frame, scene.view)
  const beyond = (value, start, size) => Math.max(value - start - size, Math.min(0, value - start))
  pan(chart, beyond(at.x, scene.frame.left, w) / 4, beyond(at.y, scene.frame.top, h) / 4)
  const end = nearest(scene.matrix, scene.frame, scene.view, at.x, at.y)
  scene.drag = boxOf(scene.matrix, press.spot, { i: press.spot.i < 0 ? -1 : end.i, j: press.spot.j < 0 ? -1 : end.j })
  scene.hover = null
  showTip(chart, { box: scene.drag, event })
  redraw(chart)
}

function released(chart, event) {
  const { scene, press } = chart
  clearTimeout(chart.holding)
  chart.pointers.delete(event.pointerId)
  if (!press || chart.pointers.size) return
  chart.press = null
  const dragged = scene.drag
  scene.drag = null
  if (press.button !== 0 || (press.pans && press.far)) return redraw(chart)
  if (dragged) {
    scene.cursor = { i: press.spot.i, j: press.spot.j }
    return pick(chart, dragged, press.spot)
  }
  if (press.far) return redraw(chart)
  if (press.spot.what === "group") return toggle(chart, press.spot.group)
  if (press.spot.what !== "cell" && press.spot.what !== "name") return redraw(chart)
  const from = press.shift && scene.anchor ? scene.anchor : press.spot
  scene.cursor = { i: press.spot.i, j: press.spot.j }
  pick(chart, boxOf(scene.matrix, from, scene.cursor), from)
  if (press.touch) showTip(chart, { spot: press.spot, event })
}

function dropped(chart, event) {
  clearTimeout(chart.holding)
  chart.pointers.delete(event.pointerId)
  chart.press = null
  if (chart.scene) chart.scene.drag = null
  redraw(chart)
}

function leave(chart) {
  if (chart.press || !chart.scene) return
  chart.scene.hover = null
  showTip(chart, null)
  redraw(chart)
}

// Nothing is pressed: show what the pointer is on.
function point(chart, event) {
  const { scene, plane } = chart
  const { x, y } = pointOf(chart, event)
  const spot = hit(scene.matrix, scene.frame, scene.view, x, y)
  const on = spot.what === "cell" || spot.what === "name"
  plane.style.cursor = on || spot.what === "group" ? "pointer" : "default"
  scene.hover = on ? spot : null
  showTip(chart, on ? { spot, event } : null)
  redraw(chart)
}
