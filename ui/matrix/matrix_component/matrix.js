// The confusion matrix on a canvas: zoom, pan, search, and a choice of cells that is sent to Python.
// What the colours show and what is chosen comes from the small component "component_update": they come in any order,
// and what is drawn waits for both.

import { Cells } from "./cells.js"
import { readTheme } from "./colours.js"
import { Pointer } from "./pointer.js"
import { Keyboard } from "./keyboard.js"
import { roomBelow, scrollAboveSheet, write } from "./elements.js"
import { legendHeight } from "./margins.js"
import { WHOLE } from "./numbers.js"
import { paintOverlay } from "./overlay.js"
import { paintMatrix } from "./paint_matrix.js"
import { clearCanvas } from "./pen.js"
import { savePicture } from "./picture_file.js"
import { Scene, makeFrame } from "./scene.js"
import { Search } from "./search.js"

const matrices = (globalThis[Symbol.for("blindspot.updates")] ??= new Map()) // key -> {chart, state}
const BELOW = 16 // CSS pixels that stay free below the picture
const SMALL = 3 // with no more columns there is nothing to search or to zoom to
const CLICKS = ", a name for its whole row or column; drag, Shift-click, or hold a finger and drag for a block. "
const ZOOMS = "Ctrl + wheel or + and − zoom, right button or Space and drag pans, 0 shows all. "
const KEYS = "Keys: arrows, Enter, Shift + arrows for a block, Esc clears"

export default function ({ data, parentElement, setTriggerValue }) {
  if (!data) return
  if (!matrices.has(data.key)) matrices.set(data.key, {})
  const mount = matrices.get(data.key)
  const host = parentElement.querySelector(".matrix")
  if (mount.chart?.host !== host) mount.chart = new Chart(host)
  const { chart } = mount
  chart.send = setTriggerValue
  chart.setCounts(data)
  mount.changed = () => chart.update(mount.state)
  mount.changed()
  return () => {
    chart.close()
    if (mount.chart === chart) mount.chart = mount.changed = null
  }
}

class Chart {
  constructor(host) {
    Object.assign(this, { host, original: host.cloneNode(true) })
    host.hidden = false
    for (const name of ["search", "bar", "zoom", "smaller", "level", "larger", "whole", "help", "plane", "base", "over", "row",
                        "cell", "tip", "hint", "spoken"]) this[name] = host.querySelector(`.${name}`)
    this.listeners = new AbortController()
    this.smaller.onclick = () => this.zoomStep(-1)
    this.larger.onclick = () => this.zoomStep(1)
    this.whole.onclick = () => this.showWhole()
    this.help.onclick = () => this.help.setAttribute("aria-expanded", (this.hint.hidden = !this.hint.hidden) ? "false" : "true")
    this.classSearch = new Search(this)
    this.pointer = new Pointer(this)
    this.keyboard = new Keyboard(this)
    window.addEventListener("resize", () => this.layOut(), { signal: this.listeners.signal })
    for (const event of ["beforeprint", "afterprint"]) {
      window.addEventListener(event, () => this.drawForPrint(event === "beforeprint"), { signal: this.listeners.signal })
    }
    this.observer = new ResizeObserver(() => Math.abs(host.clientWidth - (this.width ?? 0)) > 1 && this.layOut())
    this.observer.observe(host)
  }

  close() {
    this.observer.disconnect()
    this.listeners.abort()
    this.host.replaceWith(this.original) // whoever is mounted here next begins anew
  }

  // New counts. Another view of the same evaluation keeps what was searched for; the same counts keep everything.
  setCounts(data) {
    const before = this.scene
    if (before?.cells.id === data.id) return
    const cells = new Cells(data)
    const small = cells.n_cols <= SMALL && !cells.grouped
    cells.small = small
    this.search.hidden = this.zoom.hidden = small
    const clicks = `Click a cell${data.rows ? " to see its rows" : ""}${CLICKS}`
    const more = `, / finds a class${cells.grouped ? ", g collapses or expands a group" : ""}`
    this.hint.textContent = `${clicks}${small ? "" : ZOOMS}${KEYS}${small ? "" : more}.`
    const name = before && data.run === before.cells.run && before.found >= 0 ? before.cells.names[before.found] : null
    const found = cells.names.indexOf(name)
    if (found < 0) this.classSearch.input.value = ""
    this.scene = new Scene(cells, { colours: data.colours, found, focused: before?.focused ?? false })
    const plural = { class: "classes", label: "labels" }[cells.noun]
    const size = `${WHOLE.format(cells.n_rows)} true ${plural} by ${WHOLE.format(cells.n_cols)} predicted ${plural}`
    this.plane.setAttribute("aria-rowcount", cells.n_rows)
    this.plane.setAttribute("aria-colcount", cells.n_cols)
    this.plane.setAttribute("aria-label", `Confusion matrix, ${size}, ${cells.textOf({ rows: null, cols: null })} of the file`)
    this.tip.hidden = true
  }

  update(state) {
    const { scene } = this
    if (state?.of !== scene.cells.id) return
    const look = { normalise: state.normalise, errors_only: state.errors_only, log: state.log }
    if (JSON.stringify(look) !== JSON.stringify(scene.look)) {
      Object.assign(scene, { look, scales: scene.cells.scalesFor(look) })
    }
    if (this.lastState !== state) {
      if (state.selected && scene.frame) scrollAboveSheet(() => this.chosenBox())
      const notClasses = [...scene.cells.special].filter(at => at < scene.cells.n_cols && !scene.cells.groupAt.has(at))
      Object.assign(scene, { selected: state.selected, marks: [...notClasses, ...state.marks] }) // what is no class has a name too
    }
    this.lastState = state
    if (state.save > (this.saved ??= state.save)) savePicture(this)
    this.saved = state.save
    this.followTheme()
    if (this.font !== scene.theme.font) this.loadFonts(scene.theme.font)
    if (scene.frame && this.laidOutFor === scene.cells) this.redraw()
    else this.layOut()
  }

  followTheme() {
    const theme = readTheme(this.host)
    if (JSON.stringify(theme) !== JSON.stringify(this.scene.theme)) this.scene.theme = theme
  }

  // At once: when the event is over, the page is printed as it stands. Both layers on one canvas, because a printed
  // canvas hides what lies below.
  drawForPrint(printed) {
    const { scene, base } = this
    if (!scene?.frame) return
    this.followTheme()
    this.draw()
    if (!printed) return
    paintOverlay(base.getContext("2d"), scene)
    this.drawn = null
  }

  // A canvas does not wait for a font's bold and italic: ask for them, and measure again when they are there.
  loadFonts(font) {
    this.font = font
    const faces = ["", "600 ", "700 ", "italic ", "italic 700 "].map(face => document.fonts.load(`${face}12px ${font}`))
    Promise.allSettled(faces).then(() => this.layOut())
  }

  // Find the room there is. Another width keeps the part that one had zoomed to; new counts are shown whole.
  layOut() {
    const { scene, host } = this
    if (!scene?.look || !host.clientWidth) return
    const kept = this.laidOutFor === scene.cells && scene.isZoomed
    const ratio = window.devicePixelRatio || 1
    // a whole number of pixels: a canvas that is shrunk by half a pixel shows every cell beside its place
    const width = Math.floor(host.getBoundingClientRect().width)
    Object.assign(this, { width, laidOutFor: scene.cells, drawn: null }) // a canvas' new size clears it
    const ctx = this.base.getContext("2d")
    ctx.font = `700 12px ${scene.theme.font}` // as a name is written that is pointed at
    const legend = legendHeight(this.width)
    const high = roomBelow(this.plane) - legend - BELOW
    scene.frame = makeFrame(scene.cells, this.width, high, ratio, name => ctx.measureText(name).width)
    this.bar.style.bottom = `${legend - 26}px` // beside the scales
    this.search.style.width = `${scene.frame.left / ratio - 8}px`
    if (kept) scene.show({ ...scene.view, cell: scene.sizeNear(scene.view.cell) })
    else scene.showWhole()
    for (const canvas of [this.base, this.over]) {
      canvas.width = scene.frame.width
      canvas.height = scene.frame.top + scene.frame.high + Math.round(legend * ratio)
      canvas.style.width = `${scene.frame.width / ratio}px`
    }
    if (!kept && scene.found >= 0) scene.centreOn({ i: scene.found, j: scene.found })
    this.redraw()
  }

  // Once a frame, whatever happened in it.
  redraw() {
    this.frameAsked ??= requestAnimationFrame(() => {
      this.frameAsked = null
      if (this.scene?.frame) this.draw()
    })
  }

  draw() {
    const { scene, plane } = this
    const { frame, view, look, theme, shown } = scene
    const drawn = [frame, view.cell, view.x, view.y, look, theme]
    if (!this.drawn?.every((value, at) => value === drawn[at])) paintMatrix(clearCanvas(this.base), scene)
    this.drawn = drawn
    paintOverlay(clearCanvas(this.over), scene)
    this.level.hidden = !scene.isZoomed
    this.level.textContent = `${WHOLE.format(Math.round((100 * view.cell) / frame.fit))} %`
    this.smaller.disabled = this.whole.disabled = !scene.isZoomed
    this.larger.disabled = view.cell >= frame.most
    plane.classList.toggle("zoomed", scene.isZoomed)
    // where the cells are, in CSS pixels: for tests and for whoever looks
    const css = (...lengths) => lengths.map(length => length / frame.ratio).join(" ")
    Object.assign(plane.dataset, {
      of: scene.cells.id,
      cell: css(view.cell),
      origin: css(frame.left - view.x, frame.top - view.y),
      window: css(frame.left, frame.top, shown.w, shown.h),
    })
  }

  // Where on the screen the last chosen row lies; of a whole column, its name and first row.
  chosenBox() {
    const { scene, plane } = this
    const [start, end] = scene.selected?.rows?.at(-1) ?? [0, 1]
    const [top, bottom] = [start, end].map(at => plane.getBoundingClientRect().top + scene.y(at) / scene.frame.ratio)
    return { top, bottom }
  }

  announce(text) {
    write(this.spoken, text)
  }

  zoomStep(direction) {
    const { scene } = this
    const { w, h } = scene.shown
    scene.zoom(scene.nextSize(direction), w / 2, h / 2)
    if (scene.focused && scene.cursor) scene.bringInto(scene.cursor)
    this.announce(`Zoom ${Math.round((100 * scene.view.cell) / scene.frame.fit)} %`)
    this.redraw()
  }

  showWhole() {
    this.scene.showWhole()
    this.announce("The whole matrix is shown")
    this.redraw()
  }

  // Mark a class that was searched for; -1 = none.
  markClass(at) {
    this.scene.found = at
    this.redraw()
  }

  // Sent once; drawn at once, and once more when Python has agreed.
  pick(box, anchor) {
    const { scene } = this
    if (anchor) scene.anchor = { i: anchor.i, j: anchor.j }
    scene.selected = box.rows || box.cols ? { rows: box.rows && [box.rows], cols: box.cols && [box.cols] } : null
    this.announce(scene.selected ? `Chosen: ${scene.cells.describe(box)}` : "Nothing is chosen")
    this.redraw()
    this.send("picked", { of: scene.cells.id, rows: box.rows, cols: box.cols })
  }

  toggle(group) {
    this.send("toggled", { of: this.scene.cells.id, group })
  }
}
