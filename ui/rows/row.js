// One row in full: what it is, its highest scores as bars, its texts, its other columns.
// Python has made every text visible; it reaches the page by textContent only.

import { make, roomBelow, setColours } from "./elements.js"
import { pictureOf } from "./picture.js"

export default function (component) {
  const { data, parentElement } = component
  const card = parentElement.querySelector(".card")
  if (!card || !data) return
  card.replaceChildren()
  card.scrollTop = 0
  const room = roomBelow(card) - 180 // for the note below it
  card.style.setProperty("--height", `${data.fills ? Math.max(300, room) : data.height}px`)
  setColours(card, data.colours)
  const title = make("div", "title", card)
  make("strong", "", title, data.title)
  make("span", "note", title, data.place)
  if (data.picture) card.append(pictureOf(data.picture))
  drawSides(card, data)
  drawFacts(card, data)
  drawScores(card, data)
  for (const block of data.blocks) drawBlock(card, block)
  drawFields(card, data)
  if (data.left_out) make("p", "note", card, data.left_out)
  // a box that scrolls must be reachable without a mouse
  if (card.scrollHeight > card.clientHeight + 1) card.tabIndex = 0
  else card.removeAttribute("tabindex")
}

const SIGNS = { right: "✓ right", wrong: "✗ wrong", unparseable: "? no label found", "not scored": "– not scored" }

function drawSides(card, data) {
  const list = make("dl", "sides", card)
  for (const side of data.sides) {
    make("dt", "", list, side.name)
    const labels = make("dd", "", list)
    for (const label of side.labels) {
      const chip = make("span", `label${label.both ? " both" : ""}`, labels, label.text)
      chip.title = label.both ? "true and predicted" : `only ${side.name}`
    }
    if (side.none) make("span", "none", labels, side.none)
    if (side.name === "predicted") make("span", `sign ${data.sign.replace(" ", "-")}`, labels, SIGNS[data.sign])
  }
}

function drawFacts(card, data) {
  if (!data.facts.length) return
  const line = make("div", "facts", card)
  for (const fact of data.facts) {
    const pair = make("span", "fact", line)
    pair.title = fact.help
    make("span", "name", pair, fact.name)
    make("span", "value", pair, fact.value)
  }
}

function drawScores(card, data) {
  if (!data.scores.length) return
  make("h2", "", card, data.score_title)
  const table = make("div", "scores", card)
  table.setAttribute("role", "list")
  for (const score of data.scores) {
    const roles = [score.truth && "true", score.predicted && "predicted"].filter(Boolean)
    const line = make("div", `score ${roles.join(" ")}`, table)
    line.setAttribute("role", "listitem")
    line.setAttribute("aria-label", [score.label, score.value, ...roles].join(", "))
    make("span", "label", line, score.label).title = score.label
    const track = make("span", "track", line)
    make("span", "bar", track).style.width = `${100 * score.share}%`
    make("span", "value", line, score.value).title = score.exact
    const badges = make("span", "badges", line)
    for (const role of roles) make("span", `badge ${role}`, badges, role)
  }
}

function drawBlock(card, block) {
  make("h2", "", card, block.name)
  if (block.note) make("span", "note", card, block.note)
  make("div", `text${block.code ? " code" : ""}`, card, block.text)
}

function drawFields(card, data) {
  if (!data.fields.length) return
  const list = make("dl", "fields", card)
  for (const field of data.fields) {
    make("dt", "", list, field.name)
    make("dd", field.code ? "code" : "", list, field.text)
  }
}
