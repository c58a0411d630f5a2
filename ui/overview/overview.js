// The lenses of Overview and its findings, as one block: names are set as text, pictures are drawn by the server from
// numbers alone. A link goes as a link of the menu does: one entry of the browser's history, in the same session.

import { element, partsOfSvg } from "./elements.js"

function writeWords(words, tag, className) {
  return element(tag, className, ...words.map(([kind, text, whole]) => {
    const part = element("span", kind, text)
    if (whole && whole !== text) part.title = whole
    return part
  }))
}

const icon = name => {
  const made = element("span", "icon", name)
  made.setAttribute("aria-hidden", "true")
  return made
}

function linkTo(href, className, ...children) {
  const made = element("a", className, ...children)
  made.href = href
  made.onclick = event => {
    if (event.button || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return
    event.preventDefault()
    history.pushState({}, "", made.href)
    dispatchEvent(new PopStateEvent("popstate"))
  }
  return made
}

const drawingOf = (svg, className = "drawing") => element("span", className, ...partsOfSvg(svg))

function lensOf(one) {
  const figure = element("span", "figure", one.figure)
  if (one.unit) figure.append(" ", element("small", "", one.unit))
  const value = element("span", "value", figure)
  if (one.sure?.within) value.append(element("small", "within", one.sure.within))
  if (one.sure?.about) value.title = one.sure.about
  return linkTo(one.href, "lens", element("span", "name", one.name, icon("arrow_forward")), value, drawingOf(one.picture),
    writeWords(one.line, "span", "line"))
}

// A name stands whole where it fits on a line, else as short as it stays unlike the others.
function fitNames(lenses) {
  for (const label of lenses.querySelectorAll(".label[title]")) {
    label.dataset.short ??= label.textContent
    label.textContent = label.title
    label.classList.add("whole")
    if (label.scrollWidth <= label.clientWidth) continue
    label.textContent = label.dataset.short
    label.classList.remove("whole")
  }
}

function amountOf(found) {
  if (!found) return element("span", "amount none")
  const made = element("span", "amount", element("b", "", found.n), ` ${found.base}`)
  if (found.share !== null) {
    const filled = element("i", found.mistakes ? "mistakes" : "")
    filled.style.width = `${100 * Math.min(1, found.share)}%`
    made.append(element("span", "track", filled))
  }
  return made
}

function findingOf(one) {
  const severity = drawingOf(one.shape, `severity ${one.kind}`)
  severity.append(element("span", "sr", one.severity))
  severity.title = one.severity
  const said = element("span", "said", writeWords(one.head, "strong", "head"))
  if (one.more.length) said.append(writeWords(one.more, "span", "more"))
  const links = one.links.map(({ icon: name, text, href }) => {
    const link = linkTo(href, "way", icon(name), text)
    link.setAttribute("aria-label", `${text}: ${one.head.map(([, word, whole]) => whole || word).join("")}`)
    return link
  })
  return element("li", `finding ${one.kind}`, severity, said, amountOf(one.amount), element("span", "ways", ...links))
}

// The legend filters: with one chosen, overview.css shows the findings of the chosen ones only.
function totalOf(one, isChosen) {
  const box = Object.assign(element("input"), { type: "checkbox", value: one.kind, checked: isChosen })
  return element("label", `total ${one.kind}`, box, drawingOf(one.shape, `severity ${one.kind}`), `${one.name} ${one.n}`)
}

export default function ({ data, parentElement }) {
  const root = parentElement.querySelector(".overview")
  if (!root || !data) return
  const parts = []
  if (data.lenses.length) {
    const lenses = element("nav", "lenses", ...data.lenses.map(lensOf))
    lenses.setAttribute("aria-label", "Numbers, each a link to its page")
    new ResizeObserver(() => fitNames(lenses)).observe(lenses)
    parts.push(lenses)
  }
  if (data.titled) {
    const chosen = new Set(Array.from(root.querySelectorAll(".total input:checked"), input => input.value))
    const totals = data.totals.map(one => totalOf(one, chosen.has(one.kind)))
    const many = data.findings.length
    const said = many ? `${many}, most serious first` : "none: every class is predicted, and accuracy beats its baseline"
    parts.push(element("div", "heading", element("h2", "", "Findings"), element("span", "soft", said),
      element("span", "totals", ...totals)))
  }
  parts.push(element("ol", "", ...data.findings.map(findingOf)))
  root.replaceChildren(...parts)
}
