// The table of classes: sorted by a click on a column's name; a click on a class reports it.

import { element } from "./elements.js"

const COLUMNS = ["", "F1", "Precision", "Recall", "True rows", "Predicted"]
const MOST = 1000 // lines that are drawn at once; what is left out is said
const WHOLE = new Intl.NumberFormat("en-US")
const BELOW = 20 // CSS pixels that stay free below the table
const LEAST = 280

class Table {
  constructor(host) {
    Object.assign(this, { host, by: 1, up: true })
    host.replaceChildren(element("div", "scroller"))
    this.scroller = host.firstChild
    this.scroller.tabIndex = 0
    this.scroller.setAttribute("role", "region")
    this.listening = new AbortController()
    window.addEventListener("resize", () => this.fit(), { signal: this.listening.signal })
  }

  take(data, send) {
    const same = this.data?.id === data.id
    Object.assign(this, { data, send })
    if (!same) this.draw()
    this.mark(!same)
    this.fit()
  }

  // As high as the window, wherever the table begins.
  fit() {
    const scrolled = document.querySelector('[data-testid="stMain"]')?.scrollTop ?? 0
    const room = window.innerHeight - this.host.getBoundingClientRect().top - scrolled - BELOW
    this.scroller.style.maxHeight = `${Math.max(LEAST, room)}px`
  }

  // Lines in the order of a column; what is undefined comes last.
  sorted() {
    const { by, up, data: { rows } } = this
    const valueOf = row => (by === 0 ? row[1] : by <= 3 ? row[by + 1][1] : row[by + 1])
    const compare = (a, b) => (typeof a === "string" ? a.localeCompare(b) : a - b) * (up ? 1 : -1)
    return rows.toSorted((one, other) => {
      const [a, b] = [valueOf(one), valueOf(other)]
      return a === null || b === null ? (a === null) - (b === null) : compare(a, b)
    })
  }

  draw() {
    const table = element("table")
    const [head, body] = [element("thead"), element("tbody")]
    const names = element("tr")
    names.append(...COLUMNS.map((name, at) => this.heading(name || this.data.noun, at)))
    head.append(names)
    const rows = this.sorted()
    body.append(...rows.slice(0, MOST).map(row => this.line(row)))
    table.append(head, body)
    this.scroller.setAttribute("aria-label", `${WHOLE.format(rows.length)} lines`)
    this.scroller.replaceChildren(table)
    if (rows.length > MOST) {
      const note = `The first ${WHOLE.format(MOST)} of ${WHOLE.format(rows.length)}. Find a class, or sort by another column.`
      this.scroller.append(element("p", "note", note))
    }
    if (!rows.length) this.scroller.append(element("p", "note", "No class matches."))
    if (rows.some(row => row.slice(2, 5).some(rate => rate[5]))) {
      const why = `Grey numbers: too few rows to tell. Their ${this.data.level} interval is wider than 0.2, or from under 10 rows.`
      this.scroller.append(element("p", "note", why))
    }
  }

  heading(name, at) {
    const cell = element("th", at > 1 ? "number" : "")
    const sorts = this.by === at
    const button = element("button", "", sorts ? `${name} ${this.up ? "↑" : "↓"}` : name)
    if (sorts && at === 1 && this.up) button.append(element("span", "first", " worst first"))
    button.type = "button"
    if (at === 1) button.title = `The thin line across a bar is the ${this.data.level} interval.`
    button.onclick = () => {
      Object.assign(this, { by: at, up: sorts ? !this.up : at <= 3 })
      this.draw()
      this.mark(false)
    }
    if (sorts) cell.setAttribute("aria-sort", this.up ? "ascending" : "descending")
    cell.scope = "col"
    cell.append(button)
    return cell
  }

  line([code, name, f1, precision, recall, support, predicted, whole]) {
    const line = element("tr", "opens")
    line.dataset.code = code
    line.onclick = () => this.send("opened", code)
    const [cell, open] = [element("th", "name"), element("button", "", name)]
    Object.assign(open, { type: "button", title: whole })
    cell.scope = "row"
    cell.append(open)
    line.append(cell, this.rate(f1, true), this.rate(precision), this.rate(recall))
    for (const rows of [support, predicted]) line.append(element("td", "number", WHOLE.format(rows)))
    return line
  }

  // A rate with its interval: a thin line across the bar; what is too few to tell is in grey.
  rate([text, value, low, high, about, few], drawn = false) {
    const cell = element("td", drawn ? "f1" : "number")
    const said = element("span", value === null ? "undefined" : few ? "few" : "", text)
    cell.title = about
    if (drawn) {
      const bar = element("span", "bar")
      bar.append(element("span", "value"))
      bar.firstChild.style.width = `${100 * (value ?? 0)}%`
      if (low !== null) {
        const line = element("span", "within")
        line.style.left = `${100 * low}%`
        line.style.width = `${100 * (high - low)}%`
        bar.append(line)
      }
      cell.append(bar)
    }
    cell.append(said)
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
  if (!tables.has(host)) tables.set(host, new Table(host))
  const table = tables.get(host)
  table.take(data, setTriggerValue)
  return () => {
    table.listening.abort()
    tables.delete(host)
  }
}
