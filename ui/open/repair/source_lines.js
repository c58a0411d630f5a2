// Lines of a file as they stand, with their numbers and what is wrong with some; and how these split.

import { element } from "./elements.js"

function lineOf({ number, text, marked, note, kind }) {
  const place = marked ? text.indexOf(marked) : -1
  const parts = place < 0 ? [text]
    : [text.slice(0, place), element("mark", "", marked), text.slice(place + marked.length)]
  return element("li", kind, element("span", "number", number), element("span", "text", ...parts),
    element("span", "fault", note))
}

// Where there is little room, the name of its column stands beside each cell.
function cellOf(kind, head, text) {
  const cell = element("td", kind, text)
  cell.dataset.head = head
  return cell
}

function tableOf({ heads, rows }, label) {
  const table = element("table", "", element("thead", "", element("tr", "", element("th", "number", "line"),
    ...heads.map(name => element("th", "", name)))),
  element("tbody", "", ...rows.map(({ number, cells, off }) => element("tr", "", cellOf("number", "line", number),
    ...cells.map((text, place) => cellOf(off.includes(place) ? "cell off" : "cell", heads[place], text))))))
  table.setAttribute("aria-label", label)
  const scroll = element("div", "scroll", table)
  scroll.tabIndex = 0
  return scroll
}

export default function ({ data, parentElement }) {
  if (!data) return
  const { label, lines, title, split } = data
  const list = element("ol", "source", ...lines.map(lineOf))
  list.setAttribute("aria-label", label)
  const parts = split ? [element("h3", "", title), tableOf(split, title)] : []
  parentElement.querySelector(".lines").replaceChildren(list, ...parts)
}
