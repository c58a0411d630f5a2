// A grid of names: a button a cell; a click reports it.

import { element, fillName } from "./elements.js"
import { pictureButton } from "./picture_of_html.js"

function headOf({ name, whole, kind }, scope) {
  const shown = element("span", "name")
  fillName(shown, name)
  const cell = Object.assign(element("th", scope, shown), { scope, title: whole })
  if (kind) cell.append(element("small", "", kind))
  return cell
}

function cellOf({ text, about, colour, strength, chosen, told }, { whole }, down, data, send) {
  if (!chosen) return element("td", "none")
  const button = element("button", chosen === data.open ? "open" : "", text)
  Object.assign(button, { type: "button", title: about, onclick: () => send("chosen", chosen) })
  button.setAttribute("aria-label", `${down.whole} and ${whole}: ${about}`)
  if (strength) button.style.background = `color-mix(in srgb, ${colour} ${strength.toFixed(0)}%, transparent)`
  return element("td", told ? "" : "untold", button)
}

export default function ({ data, parentElement, setTriggerValue }) {
  if (!data) return
  const { label, down, across, cells, corner, note } = data
  const names = element("tr", "", element("td", "corner", corner), ...across.map(name => headOf(name, "col")))
  const lines = down.map((name, row) => element("tr", "", headOf(name, "row"),
    ...across.map((other, column) => cellOf(cells[row][column], other, name, data, setTriggerValue))))
  const table = element("table", "", element("thead", "", names), element("tbody", "", ...lines))
  table.setAttribute("aria-label", label)
  const said = note ? [element("p", "note", note)] : []
  parentElement.querySelector(".grid").replaceChildren(table, ...said, pictureButton(table, label))
}
