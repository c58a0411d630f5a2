// The table of slices: a click on a line opens it, a click on a column's name sorts by it.

import { element } from "./elements.js"
import { intervalBar } from "./interval_bar.js"
import { pictureButton } from "./picture_of_html.js"
import { SortedTable, WHOLE } from "./sorted_table.js"

const MOST = 500 // lines that are drawn at once; what is left out is said
const COLUMNS = [
  { name: data => data.noun, of: row => row.name, kind: "name" },
  { name: () => "Rows", of: row => row.n, kind: "number", down: true },
  { name: data => data.metric, of: row => row.value[1], kind: "metric" },
  { name: data => `To the rest${data.unit}`, of: row => row.difference[1], kind: "number" },
  { name: () => "p", of: row => row.p[1], kind: "number p" },
]

class SliceTable extends SortedTable {
  draw() {
    const { data: { rows, metric }, host } = this
    const table = this.table(MOST)
    host.replaceChildren(table, pictureButton(table, `${metric} by slice`))
    if (rows.length > MOST) host.append(element("p", "note", `The first ${MOST} of ${WHOLE.format(rows.length)} slices.`))
  }

  line(row) {
    const open = row.id === this.data.open
    const cell = this.named(row.name, row.whole)
    cell.firstChild.setAttribute("aria-expanded", String(open))
    if (row.folded) cell.append(element("small", "", `and ${WHOLE.format(row.folded)} ${row.folded === 1 ? "slice" : "slices"} within it`))
    const p = Object.assign(element("td", row.p[1] === null ? "number p untold" : "number p", row.p[0]), { title: row.why })
    const difference = element("td", `number ${row.sure}`, row.difference[0])
    const line = element("tr", open ? "opens open" : "opens", cell, element("td", "number", WHOLE.format(row.n)),
      this.metric(row), difference, p)
    line.onclick = () => this.send("chosen", row.id)
    return line
  }

  metric({ value: [text, value], bar }) {
    return element("td", "metric", intervalBar(bar), element("span", value === null ? "untold" : "", text))
  }
}

const tables = new WeakMap()

export default function ({ data, parentElement, setTriggerValue }) {
  const host = parentElement.querySelector(".slices")
  if (!data) return
  if (!tables.has(host)) tables.set(host, new SliceTable(host, COLUMNS, -1))
  const table = Object.assign(tables.get(host), { data, send: setTriggerValue })
  table.draw()
  return () => tables.delete(host)
}
