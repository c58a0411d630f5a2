// The first lines of a file as they split, under the roles of their columns; a click on a line makes it the header.

import { element } from "./elements.js"
import { WHOLE } from "./numbers.js"

// Cells of a line that fills the table: what is missing is one empty cell, and the note stands last.
function lineOf({ number, cells, kind, note }, noun, width, send) {
  const button = element("button", "", WHOLE.format(number))
  Object.assign(button, { title: `Make ${noun} ${number} the header`, onclick: () => send("chosen", String(number)) })
  const shown = cells.map(text => element("td", "cell", text))
  const free = width - cells.length - (note ? 1 : 0)
  if (free > 0 && kind === "above") shown.at(-1).colSpan = free + 1
  else if (free > 0) shown.push(Object.assign(element("td"), { colSpan: free }))
  if (note) shown.push(element("td", "said", note))
  return element("tr", kind, element("td", "number", button), ...shown)
}

export default function ({ data, parentElement, setTriggerValue }) {
  if (!data) return
  const { label, noun, roles, lines } = data
  const width = Math.max(roles.length, ...lines.map(({ cells, note }) => cells.length + (note ? 1 : 0)))
  const heads = Array.from({ length: width }, (_, place) => element("th", "", roles[place] ?? ""))
  const table = element("table", "", element("thead", "", element("tr", "", element("th", "number", noun), ...heads)),
    element("tbody", "", ...lines.map(line => lineOf(line, noun, width, setTriggerValue))))
  table.setAttribute("aria-label", label)
  const host = parentElement.querySelector(".split")
  host.tabIndex = 0
  host.replaceChildren(table)
}
