// The list of a panel: titled sections of lines; a line or a last link reports what it stands for.

import { element, fillName, setColours } from "./elements.js"
import { pictureOf } from "./picture.js"

const STEPS = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -1, ArrowDown: 1 }

function wordsOf(words, className) {
  const line = element("span", className)
  for (const [kind, text, whole] of words) {
    const part = element("span", kind, kind === "label" ? "" : text)
    if (kind === "label") fillName(part, text)
    if (whole && whole !== text) part.title = whole
    line.append(part)
  }
  return line
}

function lineOf(item, choose) {
  const line = element(item.chosen ? "button" : "div", "item")
  if (item.chosen) line.onclick = () => choose(item.chosen)
  if (item.about) line.title = item.about
  if (item.picture) line.append(pictureOf(item.picture))
  line.append(wordsOf(item.words, "words"))
  if (item.bar !== null) {
    const bar = element("span", item.wrong ? "bar wrong" : "bar")
    bar.append(element("span", "filled"))
    bar.firstChild.style.width = `${100 * item.bar}%`
    line.append(bar)
  }
  const amount = element("span", "amount", item.amount)
  if (item.share) amount.append(element("small", "", item.share))
  line.append(amount)
  if (item.note.length) line.append(wordsOf(item.note, "note"))
  const entry = element("li", "")
  entry.append(line)
  return entry
}

// The arrow keys move along the lines that can be opened; in a wall, up and down by a line of pictures.
function moveFocus(event, list) {
  const lines = [...list.querySelectorAll("button")]
  const here = lines.indexOf(event.target)
  if (here < 0 || !(event.key in STEPS)) return
  const isAcross = event.key === "ArrowUp" || event.key === "ArrowDown"
  const across = list.className && isAcross ? getComputedStyle(list).gridTemplateColumns.split(" ").length : 1
  const next = lines[here + STEPS[event.key] * across]
  if (!next) return
  event.preventDefault()
  next.focus()
}

function sectionOf({ title, amounts, items, more }, choose) {
  const section = element("section", "")
  if (title) {
    const heading = element("div", "heading")
    heading.append(element("h3", "", title), element("span", "amounts", amounts))
    section.append(heading)
  }
  const isWall = items.length > 0 && items.every(item => item.picture && !item.note.length)
  const list = element("ul", isWall ? "wall" : "")
  list.append(...items.map(item => lineOf(item, choose)))
  list.addEventListener("keydown", event => moveFocus(event, list))
  section.append(list)
  if (more) {
    const [text, chosen] = more
    section.append(Object.assign(element("button", "more", text), { onclick: () => choose(chosen) }))
  }
  return section
}

export default function ({ data, parentElement, setTriggerValue }) {
  const choose = chosen => setTriggerValue("chosen", chosen)
  const sections = (data?.sections ?? []).map(section => sectionOf(section, choose))
  const list = parentElement.querySelector(".panel-list")
  setColours(list, data?.colours ?? {})
  list.replaceChildren(...sections)
}
