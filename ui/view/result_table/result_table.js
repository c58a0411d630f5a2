// Every table of results: sorted by a click on a column's name, found by words; a click on a line or a cell reports it.

import { element, fillName, roomBelow, scrollAboveSheet, setColours } from "./elements.js"
import { WHOLE } from "./numbers.js"
import { pictureButton } from "./picture_of_html.js"

const MOST = 1000 // lines that are drawn at once; what is left out is said
const MANY = 20 // lines, from which words find them and the head stays in view
const BELOW = 20 // CSS pixels that stay free below a table that ends with the window
const LEAST = 280
const WIDE = 5 // columns, from which a phone has no room for filled bars

const percent = share => `${(100 * share).toFixed(2)}%`

// A value with its interval; every place is a share of the bar's width, null = not there.
function barOf({ drawn, marks }, { low = null, high, value = null, colour = "" } = {}) {
  const bar = element("span", drawn)
  const add = (kind, style) => {
    bar.append(element("i", kind))
    Object.assign(bar.lastChild.style, style)
  }
  for (const mark of marks) add("mark", { left: percent(mark) })
  if (drawn === "bar" && value !== null) add("value", { width: percent(value) })
  if (low !== null) add("line", { left: percent(low), width: percent(high - low) })
  if (drawn !== "bar" && value !== null) add("dot", { left: percent(value), background: colour })
  return bar
}

function badgeOf([letter, colour]) {
  const badge = element("b", letter ? "badge" : "badge none", letter)
  if (colour) badge.style.setProperty("--run", colour)
  return badge
}

function partsOf({ text = "", ends, below, mood, badge, bar }, column) {
  const isName = column.kind === "name"
  const words = element("span", mood ? `words ${mood}` : "words", isName ? "" : text)
  if (isName) fillName(words, text)
  const parts = [badge && badgeOf(badge), column.drawn && barOf(column, bar), words]
  return [...parts, ends && element("small", "ends", ends), below && element("small", "below", below)].filter(Boolean)
}

class ResultTable {
  constructor(host) {
    Object.assign(this, { host, by: -1, up: true })
    this.words = Object.assign(element("input", "find"), { type: "search", oninput: () => this.draw() })
    this.scroller = element("div", "scroller")
    this.scroller.setAttribute("role", "region")
    this.scroller.onkeydown = event => this.move(event)
    this.below = element("div")
    host.replaceChildren(this.scroller, this.below)
    this.listening = new AbortController()
    window.addEventListener("resize", () => this.fit(), { signal: this.listening.signal })
  }

  take(data, send) {
    const first = !this.data
    const same = this.data?.id === data.id
    const opened = data.open !== this.data?.open
    Object.assign(this, { data, send })
    if (first) this.by = data.by
    if (!same) this.draw()
    this.mark(!same && data.window)
    this.fit()
    const line = this.scroller.querySelector("tr.open")
    if (opened && line) scrollAboveSheet(() => line.getBoundingClientRect())
  }

  // As high as the window, wherever the table begins; keys reach what scrolls.
  fit() {
    const { window: ends, rows, tiled } = this.data
    const scrolls = ends || rows.length > MANY || this.scroller.scrollWidth > this.scroller.clientWidth
    this.scroller.tabIndex = scrolls ? 0 : -1
    this.scroller.classList.toggle("long", !ends && !tiled && rows.length > MANY)
    if (!ends) return
    this.scroller.style.maxHeight = `${Math.max(LEAST, roomBelow(this.host) - BELOW)}px`
  }

  draw() {
    const { data, words, by, up } = this
    const { rows, columns, noun, tiled } = data
    setColours(this.host, data.colours)
    const finds = !data.window && !tiled && rows.length > MANY
    if (!finds) words.remove()
    else if (!words.isConnected) this.host.prepend(words)
    words.placeholder = words.ariaLabel = `Find a ${noun}`
    const shown = this.sorted(this.found())
    const head = element("tr", "", ...columns.map((column, at) => this.heading(column, at, by === at, up)))
    const lines = shown.slice(0, MOST).flatMap(row => [...this.headingLine(row), this.line(row)])
    this.table = element("table", tiled ? "tiled" : columns.length >= WIDE ? "wide" : "",
      element("thead", "", head), element("tbody", "", ...lines))
    this.table.setAttribute("aria-label", data.label)
    const n = WHOLE.format(shown.length)
    const notes = []
    if (shown.length > MOST) notes.push(`The first ${WHOLE.format(MOST)} of ${n}. Find a ${noun}, or sort by another column.`)
    if (!shown.length) notes.push(`No ${noun} matches.`)
    if (data.note && (tiled || this.table.querySelector(".few"))) notes.push(data.note)
    this.scroller.setAttribute("aria-label", `${data.label}: ${n} ${shown.length === 1 ? "line" : "lines"}`)
    const paragraphs = notes.map(note => element("p", "note", note))
    this.scroller.replaceChildren(this.table, ...(data.window ? paragraphs : []))
    this.below.replaceChildren(...(data.window ? [] : paragraphs), ...(data.picture ? [pictureButton(this.table, data.label)] : []))
    this.mark(false)
  }

  found() {
    const wanted = this.words.isConnected ? this.words.value.toLowerCase() : ""
    if (!wanted) return this.data.rows
    return this.data.rows.filter(({ cells: [{ text, about }] }) => `${text} ${about ?? ""}`.toLowerCase().includes(wanted))
  }

  // Lines in the order of a column; what is undefined comes last.
  sorted(rows) {
    const { by, up, data: { columns } } = this
    if (by < 0) return rows
    const isNumber = columns[by].kind === "number"
    const valueOf = ({ cells }) => (isNumber ? cells[by].value ?? null : cells[by].text ?? "")
    const compare = (a, b) => (isNumber ? a - b : a.localeCompare(b)) * (up ? 1 : -1)
    return rows.toSorted((row, other) => {
      const [a, b] = [valueOf(row), valueOf(other)]
      return a === null || b === null ? (a === null) - (b === null) : compare(a, b)
    })
  }

  heading({ title, kind, drawn, ends, about, down }, at, sorts, up) {
    const { data } = this
    const cell = Object.assign(element("th", drawn ? "drawn" : kind), { scope: "col", title: about })
    const shown = element(data.sorts ? "button" : "span", "title")
    fillName(shown, sorts ? `${title} ${up ? "↑" : "↓"}` : title)
    cell.append(shown)
    if (sorts && up && at === data.by && data.first) shown.append(element("span", "first", ` ${data.first}`))
    if (ends) cell.append(element("small", "ends", ends))
    if (data.tiled && at && about) cell.append(element("small", "below", about))
    if (!data.sorts) return cell
    shown.onclick = () => {
      Object.assign(this, { by: at, up: sorts ? !up : !down })
      this.draw()
    }
    if (sorts) cell.setAttribute("aria-sort", up ? "ascending" : "descending")
    return cell
  }

  // Words across all columns, while the lines stand in their own order.
  headingLine({ heading }) {
    if (!heading || this.by >= 0) return []
    const [head, about] = heading
    const cell = element("th", "", head, element("span", "soft", about ? ` ${about}` : ""))
    cell.colSpan = this.data.columns.length
    return [element("tr", "head", cell)]
  }

  line({ chosen, cells }) {
    const line = element("tr", chosen ? "opens" : "")
    line.append(...cells.map((cell, at) => this.cell(cell, this.data.columns[at], at, chosen, cells[0])))
    if (!chosen) return line
    line.dataset.chosen = chosen
    line.onclick = () => this.send("chosen", chosen)
    return line
  }

  cell(cell, column, at, chosen, { about: name, text }) {
    const { tile } = cell
    const { kind, drawn, title } = column
    const drawnCell = element(at ? "td" : "th", drawn ? "drawn" : kind)
    if (at === 0) drawnCell.scope = "row"
    if (cell.about) drawnCell.title = cell.about
    if (this.data.tiled && at && !tile) return element("td", "none")
    if (!tile && (at || !chosen)) {
      drawnCell.append(...partsOf(cell, column))
      return drawnCell
    }
    const button = element("button", tile ? "tile" : "named", ...partsOf(cell, column))
    drawnCell.append(button)
    if (!tile) return drawnCell
    Object.assign(button, { title: tile.about, onclick: () => this.send("chosen", tile.chosen) })
    button.dataset.chosen = tile.chosen
    button.setAttribute("aria-label", `${name ?? text} and ${title}: ${tile.about}`)
    const { colour, strength } = tile
    if (strength) button.style.background = `color-mix(in srgb, ${colour} ${strength.toFixed(0)}%, transparent)`
    return drawnCell
  }

  mark(bring) {
    for (const part of this.scroller.querySelectorAll("[data-chosen]")) {
      const open = part.dataset.chosen === this.data.open
      part.classList.toggle("open", open)
      part.querySelector(".named")?.setAttribute("aria-expanded", String(open))
      if (open && bring) part.scrollIntoView({ block: "nearest" })
    }
  }

  // Arrow keys go from button to button, within a line and from line to line.
  move(event) {
    const by = { ArrowDown: [1, 0], ArrowUp: [-1, 0], ArrowRight: [0, 1], ArrowLeft: [0, -1] }[event.key]
    const cell = event.target.closest?.("tbody td, tbody th")
    if (!by || !cell || event.target === this.scroller) return
    const [down, right] = by
    for (let line = cell.parentElement, at = cell.cellIndex; line;) {
      if (down) line = down > 0 ? line.nextElementSibling : line.previousElementSibling
      at += right
      const next = line?.cells[at]
      if (!next) return
      const button = next.querySelector("button")
      if (!button) continue
      button.focus()
      event.preventDefault()
      return
    }
  }
}

const tables = new WeakMap()

export default function ({ data, parentElement, setTriggerValue }) {
  const host = parentElement.querySelector(".result")
  if (!data) return
  if (!tables.has(host)) tables.set(host, new ResultTable(host))
  const table = tables.get(host)
  table.take(data, setTriggerValue)
  return () => {
    table.listening.abort()
    tables.delete(host)
  }
}
