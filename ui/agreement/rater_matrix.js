// The matrix raters × raters: a button a cell; a click reports the two raters.

import { element } from "./elements.js"
import { pictureButton } from "./picture_of_html.js"

function headOf([name, whole, kind], scope) {
  const cell = element("th", scope === "col" ? "across" : "down")
  cell.scope = scope
  const text = element("span", "name", name)
  text.title = `${whole} (${kind})`
  cell.append(text)
  cell.append(element("small", "", kind))
  return cell
}

export default function ({ data, parentElement, setTriggerValue }) {
  const host = parentElement.querySelector(".raters")
  if (!data) return
  const { names, cells, open } = data
  const known = new Map(cells.flatMap(cell => [[`${cell[0]}:${cell[1]}`, cell], [`${cell[1]}:${cell[0]}`, cell]]))
  const table = element("table")
  table.setAttribute("aria-label", "Agreement of every two raters")
  const [head, body] = [element("thead"), element("tbody")]
  const across = element("tr")
  across.append(element("td"), ...names.map(name => headOf(name, "col")))
  head.append(across)
  names.forEach((name, row) => {
    const line = element("tr")
    line.append(headOf(name, "row"))
    names.forEach((_, column) => {
      const cell = element("td")
      const found = known.get(`${row}:${column}`)
      if (found) {
        const [, , text, strength, about] = found
        const button = element("button", open.includes(row) && open.includes(column) ? "open" : "", text)
        Object.assign(button, { type: "button", title: about, onclick: () => setTriggerValue("chosen", [row, column]) })
        button.style.setProperty("--strength", `${Math.round(50 * strength)}%`)
        button.setAttribute("aria-label", `${names[row][0]} and ${names[column][0]}: ${about}`)
        cell.append(button)
      } else cell.className = "self"
      line.append(cell)
    })
    body.append(line)
  })
  table.append(head, body)
  host.replaceChildren(table, pictureButton(table, "Agreement of every two raters"))
}
