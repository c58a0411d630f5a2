// A table of a comparison: lines under headings, names with the badge of a run, intervals as thin bars.

import { element, setColours } from "./elements.js"
import { pictureButton } from "./picture_of_html.js"

const percent = share => `${(100 * Math.min(1, Math.max(0, share))).toFixed(2)}%`

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

function intervalOf({ low, high, value, colour, about, marks }) {
  const bar = element("span", "interval")
  bar.title = about
  for (const mark of marks ?? []) bar.append(placed(element("i", "mark"), "left", mark))
  if (low !== null) {
    const line = placed(element("i", "line"), "left", low)
    line.style.width = percent(high - low)
    bar.append(line)
  }
  if (value !== null) {
    const dot = placed(element("i", "dot"), "left", value)
    if (colour) dot.style.background = colour
    bar.append(dot)
  }
  return bar
}

function placed(part, side, share) {
  part.style[side] = percent(share)
  return part
}

const DRAWN = { name: nameOf, interval: intervalOf }

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
    const line = element("tr", "head")
    const head = element("th", "", row.head)
    head.colSpan = columns.length
    head.append(element("span", "soft", row.about ? ` ${row.about}` : ""))
    line.append(head)
    return line
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
  const table = element("table")
  table.setAttribute("aria-label", label)
  const [head, names, body] = [element("thead"), element("tr"), element("tbody")]
  for (const { title, kind, about } of columns) {
    const cell = element("th", kind, title)
    cell.scope = "col"
    cell.title = about
    names.append(cell)
  }
  head.append(names)
  body.append(...rows.map(row => lineOf(row, columns, send)))
  table.append(head, body)
  board.replaceChildren(table, ...(picture ? [pictureButton(table, label)] : []))
}
