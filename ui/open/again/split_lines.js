// The first lines of a file as they split, under the roles of their columns; a click on a line makes it the header.

import { element } from "./elements.js"

function lineOf({ number, cells, kind, note }, width, send) {
  const button = element("button", "", number.toLocaleString("en"))
  Object.assign(button, { type: "button", title: `Make line ${number} the header` })
  button.onclick = () => send("chosen", String(number))
  const line = element("tr", kind, element("td", "number", button))
  const last = Math.max(0, cells.length - 1)
  cells.forEach((text, place) => {
    const cell = element("td", "cell", text)
    if (place === last && note && cells.length < width) cell.colSpan = width - cells.length
    line.append(cell)
  })
  if (!cells.length) line.append(Object.assign(element("td", "cell"), { colSpan: width - (note ? 1 : 0) }))
  if (note) line.append(element("td", "said", note))
  return line
}

export default function ({ data, parentElement, setTriggerValue }) {
  if (!data) return
  const { label, roles, lines } = data
  const width = Math.max(roles.length, ...lines.map(({ cells, note }) => cells.length + (note ? 1 : 0)))
  const heads = Array.from({ length: width }, (_, place) => element("th", "", roles[place] ?? ""))
  const table = element("table", "", element("thead", "", element("tr", "", element("th", "number", "line"), ...heads)),
    element("tbody", "", ...lines.map(line => lineOf(line, width, setTriggerValue))))
  table.setAttribute("aria-label", label)
  const host = parentElement.querySelector(".split")
  host.tabIndex = 0
  host.replaceChildren(table)
}
