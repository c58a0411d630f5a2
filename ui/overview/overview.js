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

function lensOf(lens) {
  const figure = element("span", lens.sure?.is_few ? "figure few" : "figure", lens.figure)
  if (lens.unit) figure.append(" ", element("small", "", lens.unit))
  const value = element("span", "value", figure)
  if (lens.sure?.within) value.append(element("small", "within", lens.sure.within))
  if (lens.sure?.about) value.title = lens.sure.about
  return linkTo(lens.href, "lens", element("span", "name", lens.name, icon("arrow_forward")), value, drawingOf(lens.picture),
    writeWords(lens.line, "span", "line"))
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

function amountOf(amount) {
  if (!amount) return element("span", "amount none")
  const made = element("span", "amount", element("b", "", amount.n), ` ${amount.base}`)
  if (amount.share !== null) {
    const filled = element("i", amount.mistakes ? "mistakes" : "")
    filled.style.width = `${100 * Math.min(1, amount.share)}%`
    made.append(element("span", "track", filled))
  }
  return made
}

function findingOf(finding) {
  const severity = drawingOf(finding.shape, `severity ${finding.kind}`)
  severity.append(element("span", "sr", finding.severity))
  severity.title = finding.severity
  const text = element("span", "said", writeWords(finding.head, "strong", "head"))
  if (finding.more.length) text.append(writeWords(finding.more, "span", "more"))
  const links = finding.links.map(({ icon: name, text: title, href }) => {
    const link = linkTo(href, "way", icon(name), title)
    link.setAttribute("aria-label", `${title}: ${finding.head.map(([, word, whole]) => whole || word).join("")}`)
    return link
  })
  return element("li", `finding ${finding.kind}`, severity, text, amountOf(finding.amount), element("span", "ways", ...links))
}

// The legend filters: with one chosen, overview.css shows the findings of the chosen ones only.
function totalOf(total, isChosen) {
  const box = Object.assign(element("input"), { type: "checkbox", value: total.kind, checked: isChosen })
  return element("label", `total ${total.kind}`, box, drawingOf(total.shape, `severity ${total.kind}`), `${total.name} ${total.n}`)
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
    const totals = data.totals.map(total => totalOf(total, chosen.has(total.kind)))
    const many = data.findings.length
    const order = many ? `${many}, most serious first` : "none: every class is predicted, and accuracy beats its baseline"
    parts.push(element("div", "heading", element("h2", "", "Findings"), element("span", "soft", order),
      element("span", "totals", ...totals)))
  }
  parts.push(element("ol", "", ...data.findings.map(findingOf)))
  root.replaceChildren(...parts)
}
