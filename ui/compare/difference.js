// The difference of two confusion matrices: blue where B is better, orange where it is worse; a click reports a cell.

import { element } from "./elements.js"
import { pictureButton } from "./picture_of_html.js"

const NAMED = 12 // with up to so many classes names stand beside the picture, and numbers in its cells
const SIDE = 96
const AXIS = 18 // pixels of the title of an axis
const LARGEST = 420
const CELL = 64 // pixels of a cell at most
const LEAST = 0.28

const signed = n => (n > 0 ? `+${n}` : n < 0 ? `−${-n}` : "0")

class Picture {
  constructor(host) {
    this.canvas = element("canvas")
    this.canvas.setAttribute("role", "img")
    this.said = element("p", "said")
    host.replaceChildren(this.canvas, this.said, pictureButton(this.canvas, "Difference of the confusion matrices"))
    this.host = host
    this.canvas.onmousemove = event => this.say(this.at(event))
    this.canvas.onmouseleave = () => this.say(null)
    this.canvas.onclick = event => {
      const cell = this.at(event)
      const known = cell && this.known.get(`${cell}`)
      if (known) this.send(known.chosen)
    }
    this.resized = new ResizeObserver(() => this.data && this.draw())
  }

  take(data, send) {
    Object.assign(this, { data, send })
    this.known = new Map(
      data.cells.map(([row, column, was, now, chosen]) => [`${[row, column]}`, { was, now, chosen }]),
    )
    this.canvas.setAttribute("aria-label", data.label)
    this.draw()
    this.say(null)
  }

  draw() {
    const { names, cells, colours, open } = this.data
    const named = names.length <= NAMED
    const [left, top] = named ? [SIDE + AXIS, SIDE * 0.7 + AXIS] : [AXIS, AXIS]
    const pen = this.canvas.getContext("2d")
    const style = getComputedStyle(this.host)
    pen.font = `12px ${style.fontFamily}`
    // the last name leans over the edge of the picture
    const over = named ? Math.max(0, 0.71 * pen.measureText(names.at(-1)).width - 4) : 0
    const size = Math.max(80, Math.min(LARGEST, CELL * names.length, this.host.clientWidth - left - over))
    const scale = window.devicePixelRatio || 1
    const [wide, high] = [size + left + over, size + top]
    Object.assign(this, { left, top, step: size / names.length })
    Object.assign(this.canvas, { width: wide * scale, height: high * scale })
    Object.assign(this.canvas.style, { width: `${wide}px`, height: `${high}px` })
    pen.scale(scale, scale)
    pen.globalAlpha = 0.06
    pen.fillStyle = style.color
    pen.fillRect(left, top, size, size)
    const most = Math.max(1, ...cells.map(([, , was, now]) => Math.abs(now - was)))
    for (const [row, column, was, now] of cells) {
      const better = row === column ? now > was : now < was
      pen.globalAlpha = now === was ? 0 : LEAST + (1 - LEAST) * Math.sqrt(Math.abs(now - was) / most)
      pen.fillStyle = better ? colours.right : colours.wrong
      pen.fillRect(left + column * this.step, top + row * this.step, this.step, this.step)
    }
    pen.globalAlpha = 1
    this.writeAxes(pen, style, size)
    if (named) this.write(pen, style)
    if (open) {
      pen.strokeStyle = style.color
      pen.lineWidth = 2
      const width = Math.max(4, this.step)
      pen.strokeRect(left + open[1] * this.step, top + open[0] * this.step, width, width)
    }
  }

  writeAxes(pen, style, size) {
    Object.assign(pen, { fillStyle: style.color, font: `11px ${style.fontFamily}`, textAlign: "center", textBaseline: "middle" })
    pen.fillText("Predicted class", this.left + size / 2, AXIS / 2 - 2)
    pen.save()
    pen.translate(AXIS / 2 - 2, this.top + size / 2)
    pen.rotate(-Math.PI / 2)
    pen.fillText("True class", 0, 0)
    pen.restore()
  }

  write(pen, style) {
    const { names, cells } = this.data
    pen.fillStyle = style.color
    pen.font = `12px ${style.fontFamily}`
    pen.textBaseline = "middle"
    names.forEach((name, at) => {
      const middle = (at + 0.5) * this.step
      pen.textAlign = "right"
      pen.fillText(name, this.left - 6, this.top + middle)
      pen.save()
      pen.translate(this.left + middle, this.top - 6)
      pen.rotate(this.step < 90 ? -Math.PI / 4 : 0)
      pen.textAlign = this.step < 90 ? "left" : "center"
      pen.fillText(name, 0, this.step < 90 ? 0 : -4)
      pen.restore()
    })
    Object.assign(pen, { textAlign: "center", font: `600 13px ${style.fontFamily}`, lineJoin: "round" })
    for (const [row, column, was, now] of cells) {
      if (now === was) continue
      pen.lineWidth = 4
      pen.strokeStyle = style.getPropertyValue("--st-background-color")
      const place = [this.left + (column + 0.5) * this.step, this.top + (row + 0.5) * this.step]
      pen.strokeText(signed(now - was), ...place)
      pen.fillText(signed(now - was), ...place)
    }
  }

  at(event) {
    const box = this.canvas.getBoundingClientRect()
    const column = Math.floor((event.clientX - box.left - this.left) / this.step)
    const row = Math.floor((event.clientY - box.top - this.top) / this.step)
    const n = this.data.names.length
    return row >= 0 && column >= 0 && row < n && column < n ? [row, column] : null
  }

  say(cell) {
    const { names, hint } = this.data
    const { was, now } = (cell && this.known.get(`${cell}`)) ?? { was: 0, now: 0 }
    this.said.textContent = cell
      ? `${names[cell[0]]} predicted as ${names[cell[1]]}: ${was} → ${now} (${signed(now - was)})`
      : hint
  }
}

const pictures = new WeakMap()

export default function ({ data, parentElement, setTriggerValue }) {
  const host = parentElement.querySelector(".difference")
  if (!pictures.has(host)) pictures.set(host, new Picture(host))
  const picture = pictures.get(host)
  picture.resized.observe(host) // the end of the mount before this one disconnected it
  const mounted = new AbortController()
  for (const event of ["beforeprint", "afterprint"]) {
    window.addEventListener(event, () => picture.draw(), { signal: mounted.signal })
  }
  picture.take(data, chosen => setTriggerValue("chosen", chosen))
  return () => {
    picture.resized.disconnect()
    mounted.abort()
  }
}
