// The list of a panel: titled sections of lines; a line or a last link reports what it stands for.

import { element, fillName, setColours } from "./elements.js"

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
  if (item.chosen) Object.assign(line, { type: "button", onclick: () => choose(item.chosen) })
  if (item.about) line.title = item.about
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

function sectionOf({ title, amounts, items, more }, choose) {
  const section = element("section", "")
  if (title) {
    const heading = element("div", "heading")
    heading.append(element("h3", "", title), element("span", "amounts", amounts))
    section.append(heading)
  }
  const list = element("ul", "")
  list.append(...items.map(item => lineOf(item, choose)))
  section.append(list)
  if (more) {
    const [text, chosen] = more
    section.append(Object.assign(element("button", "more", text), { type: "button", onclick: () => choose(chosen) }))
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
