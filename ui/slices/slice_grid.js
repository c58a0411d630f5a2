// Two columns crossed: a cell a pair of values, orange where it is worse than the rest after correction, blue where better.

import { element } from "./elements.js"
import { pictureButton } from "./picture_of_html.js"

function cellOf(cell, data, send) {
  const place = element("td", cell.told ? "" : "untold")
  if (!cell.id) return place
  const button = element("button", cell.id === data.open ? "open" : "", cell.text)
  Object.assign(button, { type: "button", title: cell.about, onclick: () => send("opened", cell.id) })
  if (cell.shade && data.most) {
    const strength = 12 + 48 * Math.sqrt(Math.abs(cell.shade) / data.most)
    const colour = cell.shade < 0 ? data.colours.worse : data.colours.better
    button.style.background = `color-mix(in srgb, ${colour} ${strength.toFixed(0)}%, transparent)`
  }
  place.append(button)
  return place
}

export default function ({ data, parentElement, setTriggerValue }) {
  const host = parentElement.querySelector(".grid")
  if (!data) return
  const [table, head, body] = [element("table"), element("thead"), element("tbody")]
  const names = element("tr")
  names.append(element("th", "corner", `${data.down} ↓  ${data.across} →`))
  for (const name of data.columns) names.append(Object.assign(element("th", "", name), { scope: "col", title: name }))
  head.append(names)
  data.cells.forEach((cells, at) => {
    const line = element("tr")
    const name = Object.assign(element("th", "row", data.rows[at]), { scope: "row", title: data.rows[at] })
    line.append(name, ...cells.map(cell => cellOf(cell, data, setTriggerValue)))
    body.append(line)
  })
  table.append(head, body)
  const note = element("p", "note", "Orange is worse than the rest after correction, blue better. Grey has too few rows to tell.")
  host.replaceChildren(table, note, pictureButton(table, `${data.down} and ${data.across}`))
}
