// A table that a click on a column's name sorts; a line opens what it stands for.

import { element } from "./elements.js"

export const WHOLE = new Intl.NumberFormat("en-US")

export class SortedTable {
  // columns : {name: data => its title, of: row => what it sorts by, kind: class of its cells, down: largest first}.
  // by : the place of the column that sorts at first; -1 = as the lines came.
  constructor(host, columns, by) {
    Object.assign(this, { host, columns, by, up: true })
  }

  // Lines in the order of a column; what is undefined comes last.
  sorted() {
    const { by, up, data: { rows } } = this
    if (by < 0) return rows
    const compare = (a, b) => (typeof a === "string" ? a.localeCompare(b) : a - b) * (up ? 1 : -1)
    return rows.toSorted((one, other) => {
      const [a, b] = [one, other].map(row => this.columns[by].of(row))
      return a === null || b === null ? (a === null) - (b === null) : compare(a, b)
    })
  }

  // The table, with so many lines at most.
  table(most) {
    const names = this.columns.map((column, at) => this.heading(column, at))
    const lines = this.sorted().slice(0, most).map(row => this.line(row))
    return element("table", "", element("thead", "", element("tr", "", ...names)), element("tbody", "", ...lines))
  }

  heading({ name, kind, down }, at) {
    const sorts = this.by === at
    const button = element("button", "", sorts ? `${name(this.data)} ${this.up ? "↑" : "↓"}` : name(this.data))
    button.type = "button"
    button.onclick = () => {
      Object.assign(this, { by: at, up: sorts ? !this.up : !down })
      this.draw()
    }
    const cell = Object.assign(element("th", kind, button), { scope: "col" })
    if (sorts) cell.setAttribute("aria-sort", this.up ? "ascending" : "descending")
    return cell
  }

  // The first cell of a line: its name as a button.
  named(name, whole) {
    const open = Object.assign(element("button", "", name), { type: "button", title: whole })
    return Object.assign(element("th", "name", open), { scope: "row" })
  }
}
