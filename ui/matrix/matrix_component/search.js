// A field that finds a class by its name, also inside "other" or a collapsed group, and a list to choose from.

import { element } from "./elements.js"
import { WHOLE } from "./numbers.js"

const FOUND_AT_ONCE = 8

export class Search {
  constructor(chart) {
    const [input, list] = [chart.search.querySelector("input"), chart.search.querySelector(".found")]
    Object.assign(this, { chart, input, list, hits: [], at: 0 })
    input.oninput = () => this.offer()
    input.onfocus = () => input.value && this.offer()
    input.onblur = () => this.close()
    input.onkeydown = event => this.key(event)
    this.close()
  }

  // [name, position, is inside another row] of the classes whose name holds the text: those that begin with it first.
  find() {
    const { names, special, groupAt, inside } = this.chart.scene.cells
    const wanted = this.input.value.trim().toLowerCase()
    const places = names.map((name, at) => [name, at, false])
    const classes = places.filter(([, at]) => !special.has(at) || groupAt.has(at))
    const all = [...classes, ...inside.map(([name, at]) => [name, at, true])]
    const rank = ([name]) => (name.toLowerCase() === wanted ? 0 : name.toLowerCase().startsWith(wanted) ? 1 : 2)
    this.hits = all.filter(([name]) => name.toLowerCase().includes(wanted))
    this.hits.sort((a, b) => rank(a) - rank(b) || a[2] - b[2] || a[1] - b[1])
  }

  offer() {
    const { input, list, chart } = this
    list.replaceChildren()
    if (!input.value.trim()) {
      chart.markClass(-1)
      return this.close()
    }
    this.find()
    this.at = 0
    const n = this.hits.length
    const shown = this.hits.slice(0, FOUND_AT_ONCE).map((hit, k) => this.option(hit, k))
    const note = n ? `and ${WHOLE.format(n - FOUND_AT_ONCE)} more: type on` : "No class has this in its name."
    const more = element("li", "more", note)
    more.setAttribute("role", "presentation")
    list.append(...shown, ...(n && n <= FOUND_AT_ONCE ? [] : [more]))
    list.hidden = false
    input.setAttribute("aria-expanded", "true")
    this.markOption()
    chart.announce(`${WHOLE.format(n)} class${n === 1 ? "" : "es"} found`)
  }

  option([name, at, inside], k) {
    const item = element("li", "")
    item.id = `found-${k}`
    item.setAttribute("role", "option")
    item.append(element("span", "name", name))
    if (inside) item.append(element("span", "where", `in ${this.chart.scene.cells.names[at]}`))
    item.onpointerdown = event => {
      event.preventDefault() // the field keeps the focus until the class is chosen
      this.choose(k)
    }
    return item
  }

  markOption() {
    const { input, list, at, hits } = this
    list.querySelectorAll('[role="option"]').forEach((item, k) => item.setAttribute("aria-selected", String(k === at)))
    if (hits.length) input.setAttribute("aria-activedescendant", `found-${at}`)
    else input.removeAttribute("aria-activedescendant")
  }

  close() {
    this.list.hidden = true
    this.input.setAttribute("aria-expanded", "false")
    this.input.removeAttribute("aria-activedescendant")
  }

  choose(k) {
    const hit = this.hits[k]
    if (!hit) return
    this.input.value = hit[0]
    this.close()
    this.jump(hit)
  }

  key(event) {
    const { input, list, chart } = this
    const shown = Math.min(FOUND_AT_ONCE, this.hits.length)
    const steps = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (steps && shown) {
      event.preventDefault()
      if (list.hidden) return this.offer()
      this.at = (this.at + steps + shown) % shown
      this.markOption()
    } else if (event.key === "Enter") {
      if (list.hidden && input.value) this.find()
      this.choose(list.hidden ? 0 : this.at)
    } else if (event.key === "Escape") {
      event.preventDefault()
      input.value = ""
      this.close()
      chart.markClass(-1)
      chart.plane.focus()
    }
  }

  // Show a class: its row and column are marked, and enlarged if they are too small to be told apart.
  jump([name, at, inside]) {
    const { chart, chart: { scene, scene: { cells, frame, view } } } = this
    const readable = 14 * frame.ratio
    const cell = scene.sizeNear(readable)
    scene.cursor = { i: Math.min(at, cells.n_rows - 1), j: at }
    scene.anchor = null
    scene.centreOn(scene.cursor, view.cell < readable ? { cell, wish: cell } : view)
    chart.markClass(at)
    const where = inside ? `${name} is in ${cells.names[at]}` : `${name}: row and column ${WHOLE.format(at + 1)}`
    chart.plane.focus({ preventScroll: true })
    chart.announce(`${where}. ${at < cells.n_rows ? cells.describe(cells.boxOf(scene.cursor, scene.cursor)) : ""}`)
  }
}
