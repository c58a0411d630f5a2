// A decision tree, left to right: questions are cards whose answers are buttons, ends are pills, edges are SVG.
// Where it is narrow, one below the other: each names the answer that leads to it. The style sheet places them.
// Python owns the answers. This draws them, and sends {node, answer} on a click; answer null takes the person's own
// answer back.

import { make, write } from "./elements.js"
import { pictureButton } from "./picture_of_html.js"

const SVG = "http://www.w3.org/2000/svg"
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
  drawEdges(chart)
  return () => {
    chart.observer.disconnect()
    charts.delete(parentElement)
  }
}

// Everything that stays the same as long as the tree does, so that the focus survives an answer.
function buildChart(host, data, signature) {
  host.replaceChildren()
  const plane = make("div", "plane", host)
  const chart = { plane, nodes: new Map(), edges: [], columns: 0, width: 0, signature }
  chart.svg = document.createElementNS(SVG, "svg")
  chart.svg.setAttribute("aria-hidden", "true")
  plane.append(chart.svg)
  buildBranch(chart, new Map(data.nodes.map(node => [node.id, node])), data.root, plane)
  plane.style.setProperty("--columns", chart.columns)
  host.append(pictureButton(plane, "All questions"))
  chart.spoken = make("div", "sr", host)
  chart.spoken.setAttribute("aria-live", "polite")
  chart.observer = new ResizeObserver(() => {
    if (Math.abs(host.clientWidth - chart.width) > 1) drawEdges(chart)
    chart.width = host.clientWidth
  })
  chart.observer.observe(host)
  return chart
}

// A node and what its answers lead to, beside it or below it. In this order the tab key follows the paths.
function buildBranch(chart, nodes, id, parent, depth = 1, via = "") {
  const node = nodes.get(id)
  const branch = make("div", "branch", parent)
  const shown = node.kind === "end" ? buildEnd(branch, node) : buildQuestion(chart, branch, node)
  if (via) shown.box.prepend(make("span", "via", null, via))
  chart.nodes.set(id, shown)
  chart.columns = Math.max(chart.columns, depth)
  const after = make("div", "after", branch)
  for (const answer of node.answers) {
    buildBranch(chart, nodes, answer.to, after, depth + 1, answer.label)
    chart.edges.push(buildEdge(chart, node, answer))
  }
}

function buildQuestion(chart, branch, node) {
  const box = make("div", "node question", branch)
  box.setAttribute("role", "group")
  box.setAttribute("aria-label", node.text)
  box.title = node.help
  make("span", "text", box, node.text)
  const badge = make("span", "badge", box)
  const answers = new Map()
  for (const answer of node.answers) {
    const button = make("button", "answer", box)
    make("span", "mark", button).setAttribute("aria-hidden", "true")
    make("span", "label", button, answer.label)
    button.onclick = () => chart.send(node.id, answer.key)
    answers.set(answer.key, button)
  }
  return { node, box, badge, answers }
}

function buildEnd(branch, node) {
  const box = make("div", "node end", branch)
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
  write(chart.spoken, spoken)
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
    undo.setAttribute("aria-label", `Take back your answer to: ${shown.node.text}`)
    undo.onclick = () => {
      const first = shown.answers.values().next().value
      if (first) first.focus() // this button is about to go
      chart.send(id, null)
    }
  } else shown.badge.textContent = state === "your turn" ? "→ your turn" : ""
}

// A curve from each answer to its node beside it, or an elbow down to its node in the list.
function drawEdges(chart) {
  const plane = chart.plane.getBoundingClientRect()
  const placeOf = shown => {
    const { left, right, top, bottom } = shown.getBoundingClientRect()
    return { left: left - plane.left, right: right - plane.left, bottom: bottom - plane.top, middle: (top + bottom) / 2 - plane.top }
  }
  for (const { from, key, to, line, head } of chart.edges) {
    const [asked, next] = [chart.nodes.get(from), chart.nodes.get(to)]
    const [box, answer, end] = [asked.box, asked.answers.get(key), next.box].map(placeOf)
    const isBelow = end.left < box.right
    const [x, y] = [end.left - 7, end.middle]
    const bend = (x - box.right) / 2
    line.setAttribute("d", isBelow
      ? `M${(box.left + end.left) / 2},${box.bottom} V${y} H${end.left}`
      : `M${box.right},${answer.middle} C${box.right + bend},${answer.middle} ${x - bend},${y} ${x},${y}`)
    head.setAttribute("d", isBelow ? "" : `M${x - 1},${y - 4.5} L${x + 7},${y} L${x - 1},${y + 4.5} Z`)
  }
}
