// Numbers as text: how they are written, and the table that sets them beside the default threshold and the best one.

import { WHOLE, amountText } from "./numbers.js"

// A number of rows; where rows have weights, the weight of so many units.
function count(view, rows) {
  const { unit } = view.curves
  return unit ? amountText(rows * unit) : WHOLE.format(rows)
}

// The same with its noun.
function rowsText(view, rows) {
  return view.curves.unit ? `weight ${count(view, rows)}` : `${count(view, rows)} rows`
}

// As `number` in text/numbers.py.
function decimal(value) {
  if (Number.isNaN(value)) return "undefined"
  if (value >= 0.9995 && value < 1 - 1e-9) return "> 0.999"
  if (Math.abs(value) < 0.0005 && Math.abs(value) > 1e-9) return value > 0 ? "< 0.001" : "> \u22120.001"
  return value.toFixed(3)
}

// As `percent` in text/numbers.py.
function percentOf(part, whole) {
  const share = part / whole
  if (Number.isNaN(share)) return "undefined"
  if (share >= 0.9995 && share < 1 - 1e-9) return "> 99.9\u00a0%"
  return share > 1e-9 && share < 0.0005 ? "< 0.1\u00a0%" : `${(100 * share).toFixed(1)}\u00a0%`
}

function clamp(value, low, high) {
  return Math.min(high, Math.max(low, value))
}

const COLUMNS = ["now", "default", "best"]
const SIGNS = { now: "", default: "\u25b2\u00a0", best: "\u2605\u00a0" } // as drawn in the pictures

// Everything the table shows of some counts, as exact numbers.
function allNumbers(view, given) {
  const at = rates(given.tp, given.fp, view.nPos, view.nNeg)
  const { beta, cfp, cfn, prev } = view.position
  return { ...at, f_beta: fBeta(at, beta), expected_cost: expectedCost(at, cfp, cfn, prev) }
}

function numbersTable(view, parent) {
  const box = make("section", "numbers", parent)
  const table = make("table", "", box)
  make("caption", "sr", table, "Numbers at this threshold, at the default one and at the best one")
  const head = make("tr", "", make("thead", "", table))
  const level = make("small", "", make("th", "", head))
  const heads = Object.fromEntries(COLUMNS.map(name => [name, columnHead(view, head, name)]))
  const body = make("tbody", "", table)
  const { numbers } = view.curves
  const cells = Object.fromEntries(numbers.map(({ key, name, about }) => [key, metricRow(body, key, name, about)]))
  const every = make("button", "link", box, `All ${numbers.length} metrics`)
  every.onclick = () => reveal(true)
  const undecided = undecidedSentence(box)
  const reveal = all => {
    for (const { key, first } of numbers) cells[key].row.hidden = !all && !first
    every.hidden = all
  }
  reveal(false)

  // Only what moves with the threshold. Intervals come from the server, with the counts that they are of.
  function show(now) {
    write(heads.now, headText(view, view.threshold))
    const { tp, fp, within } = view.position ?? {}
    const known = now.tp === tp && now.fp === fp ? within?.now : null
    for (const { key } of numbers) {
      fill(cells[key].now, key, now[key])
      write(cells[key].within, known?.[key]?.[0] ?? "")
      cells[key].now.title = known?.[key]?.[1] ?? ""
    }
    undecided.show(view, now)
  }

  // What the server says: the two columns that stay, and the names.
  function mark() {
    const { beta, cfp, cfn, prev } = view.position
    write(cells.f_beta.name, `F-beta, \u03b2 = ${short(beta)}`)
    cells.f_beta.name.parentElement.title = "recall counts beta times as much as precision"
    const where = prev === null ? "" : `, where ${short(prev * 100)} % are positive`
    const costs = `mean cost of a row: ${short(cfp)} a false positive, ${short(cfn)} a false negative${where}`
    cells.expected_cost.name.parentElement.title = costs
    for (const column of ["default", "best"]) {
      const given = view.position[column]
      heads[column].disabled = !given
      write(heads[column], given ? headText(view, Number(given.t)) : "none")
      const values = given && allNumbers(view, given)
      for (const { key } of numbers) {
        fill(cells[key][column], key, values ? values[key] : NaN)
        cells[key][column].title = view.position.within?.[column]?.[key]?.[1] ?? ""
      }
    }
    write(level, view.position.level ? `${view.position.level} interval below` : "")
    if (view.position.best) write(heads.best.previousSibling, SIGNS.best + view.position.best.title)
  }
  return { show, mark }
}

// The number, as in the field; words for a threshold above every score take three lines of a phone.
function headText(view, threshold) {
  return threshold === view.aboveEveryScore ? `> ${scoreText(view.highest)}` : scoreText(threshold)
}

function columnHead(view, head, name) {
  const cell = make("th", name, head)
  cell.scope = "col"
  make("span", "", cell, SIGNS[name] + name)
  if (name === "now") return make("b", "", cell)
  const button = make("button", "", cell)
  button.title = "Go to this threshold"
  button.onclick = () => view.goToThreshold(Number(view.position[name].t))
  return button
}

function metricRow(body, key, name, about) {
  const row = make("tr", "", body)
  const head = make("th", "", row)
  head.scope = "row"
  head.title = about
  const cells = { row, name: make("span", "", head, name), within: make("small", "within", head) }
  for (const column of COLUMNS) {
    cells[column] = make("td", column, row)
    cells[column].dataset.number = key
  }
  return cells
}

// Accuracy is written as per cent, as on every other page.
function textOf(key, value) {
  if (key === "expected_cost") return costText(value)
  return key === "accuracy" ? percentOf(value, 1) : decimal(value)
}

// `data-value` holds the number to its last digit, the text what a person can take in.
function fill(cell, key, value) {
  const exact = String(value)
  if (cell.dataset.value === exact) return
  cell.dataset.value = exact
  cell.textContent = textOf(key, value)
  cell.classList.toggle("undefined", Number.isNaN(value))
}

// Three digits: four take more room below 0.1 than the column has.
function costText(value) {
  return value > 0 && value < 1 ? value.toPrecision(3) : Number.isNaN(value) ? "undefined" : short(value)
}

function undecidedSentence(box) {
  const text = make("p", "decided", box)
  function show(view, now) {
    const at = view.lowCounts
    text.hidden = !at
    if (!at) return
    const decided = countDecided(now, at.tp, at.fp)
    const accuracy = percentOf(decided.accuracy, 1)
    const about = `From ${view.thresholdText(view.low)} up to the threshold ${rowsText(view, decided.undecided)} are undecided`
    write(text, `${about}: ${percentOf(decided.coverage, 1)} are decided, of which ${accuracy} rightly.`)
  }
  return { show }
}
