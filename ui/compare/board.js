// A table of a comparison: lines under headings, names with the badge of a run, intervals as thin bars.

import { element, setColours } from "./elements.js"
import { intervalBar } from "./interval_bar.js"
import { pictureButton } from "./picture_of_html.js"

function nameOf({ text, whole, badge, colour }, choose) {
  const name = element(choose ? "button" : "span", "named")
  if (choose) Object.assign(name, { type: "button", onclick: choose })
  if (badge !== undefined) {
    const sign = element("b", badge ? "badge" : "badge none", badge)
    if (colour) sign.style.setProperty("--run", colour)
    name.append(sign)
  }
  name.append(element("span", "text", text))
  name.title = whole || text
  return name
}

const DRAWN = { name: nameOf, interval: intervalBar }

function cellOf(cell, kind, choose) {
  const drawn = element("td", kind)
  // an interval in brackets may go on below its number, and nothing else is broken
  if (typeof cell === "string") {
    cell.split(/ (?=\()/).forEach((part, at) => drawn.append(at ? " " : "", element("span", "whole", part)))
  } else if (cell.below) drawn.append(element("span", "whole", cell.text), element("small", "below", cell.below))
  else if (cell.why) drawn.append(Object.assign(element("span", "undefined", cell.text), { title: cell.why }))
  else if (kind in DRAWN) drawn.append(DRAWN[kind](cell, choose))
  return drawn
}

function lineOf(row, columns, send) {
  if (row.head) {
    const head = element("th", "", row.head, element("span", "soft", row.about ? ` ${row.about}` : ""))
    head.colSpan = columns.length
    return element("tr", "head", head)
  }
  const choose = row.chosen ? () => send(row.chosen) : null
  const line = element("tr", [choose && "opens", row.open && "open"].filter(Boolean).join(" "))
  if (choose) line.onclick = event => event.target.closest("button") || choose()
  line.append(...row.cells.map((cell, at) => cellOf(cell, columns[at].kind, at === 0 ? choose : null)))
  return line
}

export default function ({ data, parentElement, setTriggerValue }) {
  const { columns, rows, label, other, picture } = data
  const board = parentElement.querySelector(".board")
  setColours(board, { other })
  const send = chosen => setTriggerValue("chosen", chosen)
  const names = columns.map(({ title, kind, about }) =>
    Object.assign(element("th", kind, title), { scope: "col", title: about }))
  const lines = rows.map(row => lineOf(row, columns, send))
  const table = element("table", "", element("thead", "", element("tr", "", ...names)), element("tbody", "", ...lines))
  table.setAttribute("aria-label", label)
  board.replaceChildren(table, ...(picture ? [pictureButton(table, label)] : []))
}
