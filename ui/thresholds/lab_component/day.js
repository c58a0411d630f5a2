// A day where the model will run: two sliders, and what the threshold in use and the chosen one do. Everything follows
// in the page; the server hears of it once, when a slider is let go.
//
// The scores are sent once. The place and both thresholds come from the small component "component_update".

import { make, write } from "./elements.js"
import { amountText } from "./numbers.js"
import "./rates.js"
import "./lab_positions.js"
import "./lab_plot.js"
import "./lab_numbers.js"

const places = (globalThis[Symbol.for("blindspot.updates")] ??= new Map()) // id -> {place}
const views = new WeakMap() // element -> its view
const PAUSE = 450 // milliseconds after the last move before it is sent
const ODDS = 12 // log-odds at both ends of the slider of the prevalence
const AMOUNTS = [
  ["predicted", "Predicted positive"], ["found", "Found"], ["missed", "Missed"], ["false_alarms", "False positives"],
  ["precision", "Precision"], ["npv", "NPV"], ["cost", "Cost"], ["benefit", "Net benefit"],
]

export default function ({ data, parentElement, setTriggerValue }) {
  const host = parentElement.querySelector(".day")
  if (!host || !data) return
  if (!places.has(data.id)) places.set(data.id, {})
  const target = places.get(data.id)
  if (views.get(host)?.id !== data.id) views.set(host, makeDay(host, data))
  const view = views.get(host)
  view.send = setTriggerValue
  target.changed = () => receive(view, target.place)
  target.changed()
  window.addEventListener("popstate", view.abandon) // the same listener is added only once
  return () => window.removeEventListener("popstate", view.abandon)
}

function makeDay(host, data) {
  host.replaceChildren()
  const view = { id: data.id, data, stops: columnsOf(data.stops), moved: {} }
  // Back or Forward names another place: what is still to be sent belonged to the address that was left.
  view.abandon = () => {
    clearTimeout(view.timer)
    view.moved = {}
  }
  view.prevalence = makeSlider(host, "Prevalence there", { min: -ODDS, max: ODDS, step: 0.01 }, value => {
    const share = Number((1 / (1 + Math.exp(-value))).toPrecision(3))
    view.place = { ...view.place, prevalence: share }
    move(view, { prev: String(share) })
  }, () => sendSoon(view))
  view.threshold = makeSlider(host, "Threshold in use", { min: 0, max: view.stops.last, step: 1 }, value => {
    const index = view.stops.last - value
    view.used = { t: view.stops.score[index], ...countsAtIndex(view.stops, index) }
    move(view, { t: String(view.used.t) })
  }, () => sendSoon(view))
  const table = make("table", "", host)
  make("caption", "sr", table, "A day at the threshold in use and at the chosen one")
  const head = make("tr", "", make("thead", "", table))
  view.level = make("th", "", head)
  view.heads = { used: make("th", "", head), chosen: make("th", "", head) }
  const body = make("tbody", "", table)
  view.cells = Object.fromEntries(AMOUNTS.map(([key, name]) => [key, makeRow(body, key, name)]))
  return view
}

function makeSlider(host, name, ends, follow, letGo) {
  const label = make("label", "", host)
  make("span", "", label, name)
  const output = make("output", "", label)
  const input = make("input", "", label)
  Object.assign(input, { type: "range", ...ends, oninput: () => follow(Number(input.value)), onchange: letGo })
  input.setAttribute("aria-label", name)
  return { input, output }
}

function makeRow(body, key, name) {
  const row = make("tr", "", body)
  make("th", "", row, name).scope = "row"
  const cells = ["used", "chosen"].map(column => {
    const cell = make("td", column, row)
    cell.dataset.number = key
    return [column, { cell, value: make("span", "", cell), within: make("small", "", cell) }]
  })
  return Object.fromEntries(cells)
}

// The server's place arrived. What a person moves at this moment stays as it is.
function receive(view, place) {
  if (!place || Object.keys(view.moved).length) return
  Object.assign(view, { place, used: place.used })
  const odds = Math.log(place.prevalence / (1 - place.prevalence))
  view.prevalence.input.value = clamp(odds, -ODDS, ODDS)
  const t = place.used ? Number(place.used.t) : NaN
  view.threshold.input.value = view.stops.last - Math.max(0, findDeciding(view.stops, t))
  write(view.level, `${place.level} interval below`)
  show(view)
}

function move(view, values) {
  clearTimeout(view.timer)
  Object.assign(view.moved, values)
  show(view)
}

function sendSoon(view) {
  clearTimeout(view.timer)
  view.timer = setTimeout(() => {
    view.send("released", { t: null, prev: null, ...view.moved })
    view.moved = {}
  }, PAUSE)
}

function show(view) {
  const { place, data, moved } = view
  const share = `${Number((100 * place.prevalence).toPrecision(3))}\u00a0%`
  const threshold = thresholdOf(view.used)
  const texts = [[view.prevalence, share], [view.threshold, threshold]]
  for (const [slider, text] of texts) {
    write(slider.output, text)
    slider.input.setAttribute("aria-valuetext", text)
  }
  write(view.heads.used, `in use: ${threshold}`)
  write(view.heads.chosen, `chosen: ${thresholdOf(place.chosen)}`)
  for (const [column, counts] of [["used", view.used], ["chosen", place.chosen]]) {
    const day = counts && dayOf(counts, data.n_pos, data.n_neg, place)
    const isCurrent = !("prev" in moved || ("t" in moved && column === "used"))
    for (const [key] of AMOUNTS) fillDay(view.cells[key][column], key, day ? day[key] : null, isCurrent && place.within[column]?.[key])
  }
}

function thresholdOf(counts) {
  if (!counts) return "none"
  if (!counts.tp && !counts.fp) return "above every score"
  return `score\u00a0\u2265\u00a0${scoreText(Number(counts.t))}`
}

// `data-value` holds the number to its last digit. The interval is the server's, and hidden while a slider moves.
function fillDay({ cell, value, within }, key, number, ends) {
  cell.dataset.value = String(number)
  const isShare = key === "precision" || key === "npv"
  write(value, number === null ? "" : isShare ? decimal(number) : amountText(number))
  write(within, ends || "")
}
