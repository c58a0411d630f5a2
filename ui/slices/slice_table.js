// The table of slices: a click on a line opens it, a click on a column's name sorts by it.

import { element } from "./elements.js"
import { pictureButton } from "./picture_of_html.js"

const MOST = 500 // lines that are drawn at once; what is left out is said
const WHOLE = new Intl.NumberFormat("en-US")

const COLUMNS = [
  { name: data => data.noun, of: row => row.name },
  { name: () => "Rows", of: row => row.n, kind: "number" },
  { name: data => data.metric, of: row => row.value[1], kind: "metric" },
  { name: data => `To the rest${data.unit}`, of: row => row.difference[1], kind: "number" },
  { name: () => "p", of: row => row.p[1], kind: "number p" },
]

class Table {
  constructor(host) {
    Object.assign(this, { host, by: -1, up: true })
  }

  take(data, send) {
    Object.assign(this, { data, send })
    const table = element("table")
    const [head, body] = [element("thead"), element("tbody")]
    const names = element("tr")
    names.append(...COLUMNS.map((column, at) => this.heading(column, at)))
    head.append(names)
    const rows = this.sorted()
    body.append(...rows.slice(0, MOST).map(row => this.line(row)))
    table.append(head, body)
    this.host.replaceChildren(table, pictureButton(table, `${data.metric} by slice`))
    if (rows.length > MOST) {
      this.host.append(element("p", "note", `The first ${MOST} of ${WHOLE.format(rows.length)} slices.`))
    }
  }

  sorted() {
    const { by, up, data: { rows } } = this
    if (by < 0) return rows
    const compare = (a, b) => (typeof a === "string" ? a.localeCompare(b) : a - b) * (up ? 1 : -1)
    return rows.toSorted((one, other) => {
      const [a, b] = [COLUMNS[by].of(one), COLUMNS[by].of(other)]
      return a === null || b === null ? (a === null) - (b === null) : compare(a, b)
    })
  }

  heading(column, at) {
    const sorts = this.by === at
    const cell = element("th", column.kind ?? "name")
    const button = element("button", "", sorts ? `${column.name(this.data)} ${this.up ? "↑" : "↓"}` : column.name(this.data))
    button.type = "button"
    button.onclick = () => {
      Object.assign(this, { by: at, up: sorts ? !this.up : at !== 1 })
      this.take(this.data, this.send)
    }
    if (sorts) cell.setAttribute("aria-sort", this.up ? "ascending" : "descending")
    cell.scope = "col"
    cell.append(button)
    return cell
  }

  line(row) {
    const line = element("tr", row.id === this.data.open ? "opens open" : "opens")
    line.onclick = () => this.send("chosen", row.id)
    const [cell, open] = [element("th", "name"), element("button", "", row.name)]
    Object.assign(open, { type: "button", title: row.whole })
    open.setAttribute("aria-expanded", String(row.id === this.data.open))
    cell.scope = "row"
    cell.append(open)
    if (row.folded) cell.append(element("small", "", `and ${WHOLE.format(row.folded)} ${row.folded === 1 ? "slice" : "slices"} within it`))
    const difference = element("td", `number ${row.sure}`, row.difference[0])
    const p = element("td", "number p", row.p[0])
    if (row.why) p.title = row.why
    if (row.p[1] === null) p.classList.add("untold")
    line.append(cell, element("td", "number", WHOLE.format(row.n)), this.metric(row), difference, p)
    return line
  }

  metric(row) {
    const cell = element("td", "metric")
    const { low, high, whole } = this.data.axis
    const share = value => `${(high > low ? (100 * (value - low)) / (high - low) : 50).toFixed(2)}%`
    const bar = element("span", "interval")
    bar.title = row.interval ? `${row.value[0]}, ${row.interval}` : row.value[0]
    if (whole !== null) bar.append(Object.assign(element("i", "whole"), { style: `left: ${share(whole)}` }))
    if (row.low !== null) {
      const line = element("i", "range")
      line.style.left = share(row.low)
      line.style.right = `calc(100% - ${share(row.high)})`
      bar.append(line)
    }
    if (row.value[1] !== null) {
      const dot = element("i", "dot")
      dot.style.left = share(row.value[1])
      dot.style.background = row.sure === "worse" ? this.data.colours.worse : this.data.colours.line
      bar.append(dot)
    }
    cell.append(bar, element("span", row.value[1] === null ? "untold" : "", row.value[0]))
    return cell
  }
}

const tables = new WeakMap()

export default function ({ data, parentElement, setTriggerValue }) {
  const host = parentElement.querySelector(".slices")
  if (!data) return
  if (!tables.has(host)) tables.set(host, new Table(host))
  tables.get(host).take(data, setTriggerValue)
  return () => tables.delete(host)
}
