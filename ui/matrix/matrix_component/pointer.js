// Wheel, mouse and touch. The left button chooses, the right one, the middle one or Space pans.

import { showTooltip } from "./tooltip.js"

const DRAG_DISTANCE = 4 // CSS pixels that make a click a drag
const HOLD_MS = 450 // milliseconds after which a resting finger begins a block

export class Pointer {
  constructor(chart) {
    Object.assign(this, { chart, plane: chart.plane, pointers: new Map(), press: null, space: false })
    const listen = (actions, passive) => {
      for (const [type, act] of Object.entries(actions)) {
        const options = { passive, signal: chart.listeners.signal }
        this.plane.addEventListener(type, event => chart.scene?.frame && act.call(this, event), options)
      }
    }
    listen({
      pointerdown: this.pointerDown, pointermove: this.pointerMove, pointerup: this.pointerUp, pointercancel: this.pointerCancel,
      pointerleave: this.pointerLeave, contextmenu: this.contextMenu,
    })
    listen({
      wheel: this.wheel,
      mousedown: event => event.button === 1 && event.preventDefault(), // no automatic scrolling
      touchstart: event => event.touches.length > 1 && event.preventDefault(),
      // the page must not scroll away under a block
      touchmove: event => this.press?.dragsBlock && event.cancelable && event.preventDefault(),
    }, false)
  }

  get scene() {
    return this.chart.scene
  }

  zoomTo(wish, x, y, focus) {
    const { frame } = this.scene
    this.scene.zoom(wish, x - frame.left, y - frame.top, focus)
    this.chart.redraw()
  }

  pan(dx, dy) {
    this.chart.redraw()
    return this.scene.pan(dx, dy)
  }

  // The place in the matrix that the wheel zooms in on: the same one as long as the pointer rests. While there is room
  // beside a growing matrix it cannot stay under the pointer, and comes back to it afterwards.
  focusAt(x, y) {
    const { cells, frame, view } = this.scene
    if (this.focus?.of !== cells || Math.hypot(this.focus.x - x, this.focus.y - y) > 2 * frame.ratio) {
      const [i, j] = [(y - frame.top + view.y) / view.cell, (x - frame.left + view.x) / view.cell]
      this.focus = { of: cells, x, y, i, j }
    }
    return this.focus
  }

  // With Ctrl, as pinching a trackpad also sends it, the wheel zooms; zoomed in, it pans until an end is reached. Else
  // the page scrolls, as everywhere.
  wheel(event) {
    const { scene } = this
    const at = this.precisePosition(event)
    const { x, y } = this.canvasPoint(at)
    const unit = event.deltaMode === 1 ? 16 : event.deltaMode === 2 ? 400 : 1
    if (event.ctrlKey || event.metaKey) {
      event.preventDefault()
      const factor = Math.exp(-Math.max(-60, Math.min(60, event.deltaY * unit)) * 0.008)
      this.zoomTo(scene.view.wish * factor, x, y, this.focusAt(x, y))
    } else if (scene.isZoomed) {
      const [dx, dy] = event.shiftKey && !event.deltaX ? [event.deltaY, 0] : [event.deltaX, event.deltaY]
      if (this.pan(dx * unit * scene.frame.ratio, dy * unit * scene.frame.ratio)) event.preventDefault()
    }
    this.hoverAt(at)
  }

  // A point in device pixels of the canvas, which may be shown smaller than it is.
  canvasPoint(event) {
    const { base } = this.chart
    const box = base.getBoundingClientRect()
    const scale = base.width / box.width
    return { x: (event.clientX - box.left) * scale, y: (event.clientY - box.top) * scale }
  }

  // Where the pointer is for a wheel, whose event knows whole pixels only: some cells are smaller.
  precisePosition({ clientX, clientY }) {
    const { last } = this
    const near = last && Math.hypot(last.clientX - clientX, last.clientY - clientY) < 2
    return near ? last : { clientX, clientY }
  }

  // On some systems the menu comes before the right button is dragged.
  contextMenu(event) {
    if (this.panned || this.press?.touch || this.scene.isZoomed) event.preventDefault()
  }

  pointerDown(event) {
    const { scene, pointers } = this
    const at = this.canvasPoint(event)
    this.plane.setPointerCapture(event.pointerId)
    pointers.set(event.pointerId, at)
    this.panned = false
    const { button, shiftKey: shift } = event
    const touch = event.pointerType === "touch"
    const pans = button === 1 || button === 2 || this.space || (touch && scene.isZoomed)
    this.press = { at, spot: scene.hitTest(at.x, at.y), pans, button, shift, touch, hasMoved: false }
    clearTimeout(this.holdTimer)
    scene.drag = null
    if (pointers.size === 2) this.pinch = this.measurePinch()
    else if (touch && pointers.size === 1) this.holdTimer = setTimeout(() => this.beginBlock(event), HOLD_MS)
  }

  // A finger that rests on a cell begins a block, which it then drags; before that it scrolls or pans.
  beginBlock(event) {
    const { press } = this
    if (!press?.touch || press.hasMoved || this.pointers.size !== 1) return
    Object.assign(press, { dragsBlock: true, pans: false })
    this.dragTo(press.at, event)
  }

  measurePinch() {
    const [a, b] = [...this.pointers.values()]
    return { distance: Math.hypot(a.x - b.x, a.y - b.y), x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 }
  }

  pointerMove(event) {
    const { press, pointers } = this
    this.last = { clientX: event.clientX, clientY: event.clientY }
    if (!press || !pointers.has(event.pointerId)) return this.hoverAt(event)
    const at = this.canvasPoint(event)
    const before = pointers.get(event.pointerId)
    pointers.set(event.pointerId, at)
    if (pointers.size === 2) return this.pinchZoom()
    press.hasMoved ||= Math.hypot(at.x - press.at.x, at.y - press.at.y) > DRAG_DISTANCE * this.scene.frame.ratio
    if (!press.hasMoved) return
    if (press.pans) {
      this.panned = this.pan(before.x - at.x, before.y - at.y) || this.panned
      showTooltip(this.chart, null)
    } else if (press.button === 0 && (!press.touch || press.dragsBlock)) this.dragTo(at, event)
  }

  pinchZoom() {
    const before = this.pinch
    const now = (this.pinch = this.measurePinch())
    this.press.hasMoved = true
    this.pan(before.x - now.x, before.y - now.y)
    this.zoomTo((this.scene.view.wish * now.distance) / Math.max(1, before.distance), now.x, now.y)
  }

  dragTo(at, event) {
    const { scene, press: { spot } } = this
    if (spot.what !== "cell" && spot.what !== "name") return
    const { frame, shown: { w, h } } = scene
    const beyond = (value, start, size) => Math.max(value - start - size, Math.min(0, value - start))
    this.pan(beyond(at.x, frame.left, w) / 4, beyond(at.y, frame.top, h) / 4)
    scene.drag = scene.cells.boxOf(spot, scene.cellNear(at.x, at.y))
    scene.hover = null
    showTooltip(this.chart, scene.drag, event)
  }

  pointerUp(event) {
    const { chart, scene, press } = this
    clearTimeout(this.holdTimer)
    this.pointers.delete(event.pointerId)
    if (!press || this.pointers.size) return
    const dragged = scene.drag
    const spot = press.touch && !dragged ? scene.touchTest(press.at.x, press.at.y) : press.spot
    this.press = scene.drag = null
    chart.redraw()
    if (press.button !== 0 || (press.hasMoved && !dragged)) return
    if (spot.what === "group") return chart.toggle(spot.group)
    if (spot.what === "nothing") return
    const from = !dragged && press.shift && scene.anchor ? scene.anchor : spot
    scene.cursor = { i: spot.i, j: spot.j }
    chart.pick(dragged ?? scene.cells.boxOf(from, spot), from)
    if (press.touch && !dragged) showTooltip(chart, scene.cells.boxOf(spot, spot), event)
  }

  pointerCancel(event) {
    clearTimeout(this.holdTimer)
    this.pointers.delete(event.pointerId)
    this.press = this.scene.drag = null
    this.chart.redraw()
  }

  pointerLeave() {
    if (!this.press) this.hover(null)
  }

  // Nothing is pressed: show what the pointer is on.
  hoverAt(event) {
    const { x, y } = this.canvasPoint(event)
    const spot = this.scene.hitTest(x, y)
    this.plane.style.cursor = spot.what === "nothing" ? "default" : "pointer"
    this.hover(spot.what === "cell" || spot.what === "name" ? spot : null, event)
  }

  hover(spot, event) {
    this.scene.hover = spot
    showTooltip(this.chart, spot && this.scene.cells.boxOf(spot, spot), event)
  }
}
