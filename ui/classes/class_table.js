// The table of classes: sorted by a click on a column's name; a click on a class reports it.

import { element, scrollAboveSheet } from "./elements.js"
import { SortedTable, WHOLE } from "./sorted_table.js"

const COLUMNS = [
  { name: data => data.noun, of: row => row[1] },
  { name: () => "F1", of: row => row[2][1] },
  { name: () => "Precision", of: row => row[3][1], kind: "number" },
  { name: () => "Recall", of: row => row[4][1], kind: "number" },
  { name: () => "True rows", of: row => row[5], kind: "number", down: true },
  { name: () => "Predicted", of: row => row[6], kind: "number", down: true },
]
const MOST = 1000 // lines that are drawn at once; what is left out is said
const BELOW = 20 // CSS pixels that stay free below the table
const LEAST = 280

class ClassTable extends SortedTable {
  constructor(host) {
    super(host, COLUMNS, 1)
    this.scroller = Object.assign(element("div", "scroller"), { tabIndex: 0 })
    this.scroller.setAttribute("role", "region")
    host.replaceChildren(this.scroller)
    this.listening = new AbortController()
    window.addEventListener("resize", () => this.fit(), { signal: this.listening.signal })
  }

  take(data, send) {
    const same = this.data?.id === data.id
    const opened = data.open !== this.data?.open
    Object.assign(this, { data, send })
    if (!same) this.draw()
    this.mark(!same)
    this.fit()
    const line = this.scroller.querySelector("tr.open")
    if (opened && line) scrollAboveSheet(() => line.getBoundingClientRect())
  }

  // As high as the window, wherever the table begins.
  fit() {
    const scrolled = document.querySelector('[data-testid="stMain"]')?.scrollTop ?? 0
    const room = window.innerHeight - this.host.getBoundingClientRect().top - scrolled - BELOW
    this.scroller.style.maxHeight = `${Math.max(LEAST, room)}px`
  }

  draw() {
    const { rows, level } = this.data
    const [n, notes] = [WHOLE.format(rows.length), []]
    if (rows.length > MOST) notes.push(`The first ${WHOLE.format(MOST)} of ${n}. Find a class, or sort by another column.`)
    if (!rows.length) notes.push("No class matches.")
    if (rows.some(row => row.slice(2, 5).some(rate => rate[5]))) {
      notes.push(`Grey numbers: too few rows to tell. Their ${level} interval is wider than 0.2, or from under 10 rows.`)
    }
    this.scroller.setAttribute("aria-label", `${n} lines`)
    this.scroller.replaceChildren(this.table(MOST), ...notes.map(note => element("p", "note", note)))
    this.mark(false)
  }

  heading(column, at) {
    const cell = super.heading(column, at)
    if (at === 1) cell.firstChild.title = `The thin line across a bar is the ${this.data.level} interval.`
    if (at === 1 && this.by === 1 && this.up) cell.firstChild.append(element("span", "first", " worst first"))
    return cell
  }

  line([code, name, f1, precision, recall, support, predicted, whole]) {
    const rows = [support, predicted].map(n => element("td", "number", WHOLE.format(n)))
    const rates = [this.rate(f1, true), this.rate(precision), this.rate(recall)]
    const line = element("tr", "opens", this.named(name, whole), ...rates, ...rows)
    line.dataset.code = code
    line.onclick = () => this.send("opened", code)
    return line
  }

  // A rate with its interval: a thin line across the bar; what is too few to tell is in grey.
  rate([text, value, low, high, about, few], drawn = false) {
    const said = element("span", value === null ? "undefined" : few ? "few" : "", text)
    const cell = Object.assign(element("td", drawn ? "f1" : "number", said), { title: about })
    if (!drawn) return cell
    const bar = element("span", "bar", element("span", "value"))
    bar.firstChild.style.width = `${100 * (value ?? 0)}%`
    if (low !== null) {
      const line = element("span", "within")
      Object.assign(line.style, { left: `${100 * low}%`, width: `${100 * (high - low)}%` })
      bar.append(line)
    }
    cell.prepend(bar)
    return cell
  }

  mark(bring) {
    for (const line of this.scroller.querySelectorAll("tbody tr")) {
      const open = Number(line.dataset.code) === this.data.open
      line.classList.toggle("open", open)
      line.querySelector("button").setAttribute("aria-expanded", String(open))
      if (open && bring) line.scrollIntoView({ block: "nearest" })
    }
  }
}

const tables = new WeakMap()

export default function ({ data, parentElement, setTriggerValue }) {
  const host = parentElement.querySelector(".classes")
  if (!data) return
  if (!tables.has(host)) tables.set(host, new ClassTable(host))
  const table = tables.get(host)
  table.take(data, setTriggerValue)
  return () => {
    table.listening.abort()
    tables.delete(host)
  }
}
