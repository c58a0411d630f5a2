// A decision tree, left to right: questions are cards whose answers are buttons, ends are pills, edges are SVG.
// Where it is narrow, one below the other: each names the answer that leads to it.
// Python owns the answers. This draws them, lays the nodes out for the width there is, and sends
// {node, answer} on a click; answer null takes the person's own answer back.

import { make } from "./elements.js"
import { pictureButton } from "./picture_of_html.js"

const SVG = "http://www.w3.org/2000/svg"
const NARROWEST = 112 // pixels of a column; a page with less room scrolls sideways
const LIST = 560 // pixels of the page below which the tree is a list
const STEP = 16 // pixels by which an answer's node stands further right in the list
const WIDEST = 252
const BETWEEN = 12 // pixels between two nodes of a column
const charts = new WeakMap()

export default function (component) {
  const { data, parentElement, setTriggerValue } = component
  const host = parentElement.querySelector(".flowchart")
  if (!host || !data) return
  const signature = JSON.stringify(data.nodes.map(({ value, ...node }) => node))
  let chart = charts.get(parentElement)
  if (!chart || chart.signature !== signature) {
    if (chart) chart.observer.disconnect()
    chart = buildChart(host, data, signature)
    charts.set(parentElement, chart)
  }
  chart.send = (node, answer) => setTriggerValue("answered", { node, answer })
  chart.data = data
  update(chart)
  arrange(chart)
  return () => {
    chart.observer.disconnect()
    charts.delete(parentElement)
  }
}

// Everything that stays the same as long as the tree does, so that the focus survives an answer.
function buildChart(host, data, signature) {
  host.replaceChildren()
  const plane = make("div", "plane", host)
  const chart = { host, plane, signature, nodes: new Map(), edges: [], width: 0 }
  chart.svg = document.createElementNS(SVG, "svg")
  chart.svg.setAttribute("aria-hidden", "true")
  plane.append(chart.svg)
  for (const node of inReadingOrder(data)) {
    chart.nodes.set(node.id, node.kind === "end" ? buildEnd(chart, node) : buildQuestion(chart, node))
  }
  for (const node of data.nodes) {
    for (const answer of node.answers) {
      chart.edges.push(buildEdge(chart, node, answer))
      const via = make("span", "via", plane, answer.label)
      chart.nodes.get(answer.to).box.prepend(via)
    }
  }
  host.append(pictureButton(plane, "All questions"))
  chart.spoken = make("div", "sr", host)
  chart.spoken.setAttribute("aria-live", "polite")
  chart.observer = new ResizeObserver(() => {
    if (Math.abs(host.clientWidth - chart.width) > 1) arrange(chart)
  })
  chart.observer.observe(host)
  return chart
}

// A question before what its answers lead to, so that the tab key follows the paths.
function inReadingOrder(data) {
  const byId = new Map(data.nodes.map(node => [node.id, node]))
  const order = []
  const visit = id => {
    order.push(byId.get(id))
    for (const answer of byId.get(id).answers) visit(answer.to)
  }
  visit(data.root)
  return order
}

function buildQuestion(chart, node) {
  const box = make("div", "node question", chart.plane)
  box.setAttribute("role", "group")
  box.setAttribute("aria-label", node.text)
  box.title = node.help
  make("span", "text", box, node.text)
  const badge = make("span", "badge", box)
  const answers = new Map()
  for (const answer of node.answers) {
    const button = make("button", "answer", box)
    button.type = "button"
    make("span", "mark", button).setAttribute("aria-hidden", "true")
    make("span", "label", button, answer.label)
    button.onclick = () => chart.send(node.id, answer.key)
    answers.set(answer.key, button)
  }
  return { node, box, badge, answers }
}

function buildEnd(chart, node) {
  const box = make("div", "node end", chart.plane)
  make("span", "name", box, node.text)
  return { node, box, value: make("span", "value", box), answers: new Map() }
}

function buildEdge(chart, node, answer) {
  const line = document.createElementNS(SVG, "path")
  const head = document.createElementNS(SVG, "path")
  chart.svg.append(line, head)
  return { from: node.id, key: answer.key, to: answer.to, line, head }
}

// What the answers change: the path, the badges, the end that was reached.
function update(chart) {
  const { data } = chart
  const onPath = new Set(data.path)
  for (const shown of chart.nodes.values()) {
    const { id } = shown.node
    shown.box.classList.toggle("lit", onPath.has(id))
    shown.box.classList.toggle("open", data.open === id)
    shown.box.classList.toggle("reached", data.end === id)
    if (shown.badge) updateQuestion(chart, shown, data.answers[id])
  }
  for (const node of data.nodes) {
    const shown = chart.nodes.get(node.id)
    if (shown.value) shown.value.textContent = node.value
  }
  for (const edge of chart.edges) {
    const given = data.answers[edge.from]
    const lit = onPath.has(edge.from) && onPath.has(edge.to) && Boolean(given) && given.answer === edge.key
    edge.line.setAttribute("class", lit ? "edge lit" : "edge")
    edge.head.setAttribute("class", lit ? "head lit" : "head")
    if (lit) chart.svg.append(edge.line, edge.head) // on top of the others
  }
  const now = chart.nodes.get(data.end ?? data.open)
  const spoken = now ? `${data.end ? "Result" : "Next question"}: ${now.node.text}` : ""
  if (chart.spoken.textContent !== spoken) chart.spoken.textContent = spoken
}

function updateQuestion(chart, shown, given) {
  const { id, help } = shown.node
  shown.box.title = given ? `${given.because}\n\n${help}` : help
  shown.box.setAttribute("aria-description", shown.box.title)
  for (const [key, button] of shown.answers) {
    const chosen = Boolean(given) && given.answer === key
    button.classList.toggle("chosen", chosen)
    button.setAttribute("aria-pressed", String(chosen))
  }
  const state = !given ? (chart.data.open === id ? "your turn" : "") : given.by
  if (shown.state === state) return
  shown.state = state
  shown.badge.replaceChildren()
  if (state === "file") shown.badge.textContent = "✓ from the file"
  else if (state === "you") {
    make("span", "", shown.badge, "✓ your answer · ")
    const undo = make("button", "undo", shown.badge, "take back")
    undo.type = "button"
    undo.setAttribute("aria-label", `Take back your answer to: ${shown.node.text}`)
    undo.onclick = () => {
      const first = shown.answers.values().next().value
      if (first) first.focus() // this button is about to go
      chart.send(id, null)
    }
  } else shown.badge.textContent = state === "your turn" ? "→ your turn" : ""
}

function arrange(chart) {
  const { host, plane, data } = chart
  chart.width = host.clientWidth
  if (!chart.width) return
  plane.classList.toggle("list", chart.width < LIST)
  if (chart.width < LIST) return arrangeList(chart)
  const columns = 1 + Math.max(...data.nodes.map(node => node.depth))
  const gap = Math.min(72, Math.max(34, chart.width * 0.038))
  const wide = Math.floor((chart.width - 10 - gap * (columns - 1)) / columns)
  const width = Math.min(WIDEST, Math.max(NARROWEST, wide))
  const margin = 5 // the ring around an open question
  for (const { node, box } of chart.nodes.values()) {
    box.style.width = `${width}px`
    box.style.left = `${margin + node.depth * (width + gap)}px`
  }
  const height = place(chart, data.root, margin)
  plane.style.width = `${2 * margin + columns * width + gap * (columns - 1)}px`
  plane.style.height = `${height + margin}px`
  chart.svg.setAttribute("width", plane.style.width)
  chart.svg.setAttribute("height", plane.style.height)
  for (const edge of chart.edges) drawEdge(chart, edge)
}

// One node below the other, what follows from an answer further right.
function arrangeList(chart) {
  const { plane, width } = chart
  const margin = 5
  let top = margin
  for (const shown of chart.nodes.values()) {
    const left = margin + shown.node.depth * STEP
    shown.left = left
    shown.box.style.left = `${left}px`
    shown.box.style.width = `${width - margin - left}px`
    top = setTop(shown, top, shown.box.offsetHeight) + BETWEEN
  }
  plane.style.width = `${width}px`
  plane.style.height = `${top}px`
  chart.svg.setAttribute("width", width)
  chart.svg.setAttribute("height", top)
  for (const edge of chart.edges) {
    const [from, to] = [chart.nodes.get(edge.from), chart.nodes.get(edge.to)]
    const [x, y] = [from.left + STEP / 2, to.top + to.height / 2]
    edge.line.setAttribute("d", `M${x},${from.top + from.height} V${y} H${to.left}`)
    edge.head.setAttribute("d", "")
  }
}

// Puts a node and all that follows from it below `top`; returns where the next may begin.
function place(chart, id, top) {
  const shown = chart.nodes.get(id)
  const own = shown.box.offsetHeight
  const below = shown.node.answers.map(answer => answer.to)
  if (!below.length) return setTop(shown, top, own) + BETWEEN
  const needed = below.reduce((sum, child) => sum + heightBelow(chart, child), 0)
  let next = top + Math.max(0, (own + BETWEEN - needed) / 2)
  for (const child of below) next = place(chart, child, next)
  const first = chart.nodes.get(below[0])
  const last = chart.nodes.get(below[below.length - 1])
  const middle = (first.top + last.top + last.height) / 2
  const end = Math.max(next, top + own + BETWEEN)
  setTop(shown, Math.min(Math.max(top, middle - own / 2), end - own - BETWEEN), own)
  return end
}

function setTop(shown, top, height) {
  shown.top = top
  shown.height = height
  shown.box.style.top = `${top}px`
  return top + height
}

// The height a node and all that follows from it take.
function heightBelow(chart, id) {
  const shown = chart.nodes.get(id)
  const below = shown.node.answers.reduce((sum, answer) => sum + heightBelow(chart, answer.to), 0)
  return Math.max(below, shown.box.offsetHeight + BETWEEN)
}

function drawEdge(chart, edge) {
  const from = chart.nodes.get(edge.from)
  const to = chart.nodes.get(edge.to)
  const button = from.answers.get(edge.key)
  const x1 = from.box.offsetLeft + from.box.offsetWidth
  const y1 = from.top + button.offsetTop + button.offsetHeight / 2
  const x2 = to.box.offsetLeft - 7
  const y2 = to.top + to.height / 2
  const bend = (x2 - x1) / 2
  edge.line.setAttribute("d", `M${x1},${y1} C${x1 + bend},${y1} ${x2 - bend},${y2} ${x2},${y2}`)
  edge.head.setAttribute("d", `M${x2 - 1},${y2 - 4.5} L${x2 + 7},${y2} L${x2 - 1},${y2 + 4.5} Z`)
}
