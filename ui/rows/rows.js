// The rows behind a number: a list that holds a million rows and loads those that are looked at.
// Two mounts of this component make one list, so that moving the cursor sends no rows again:
//   role "rows"  : the columns, how many rows there are, and one window of them
//   role "state" : which row is open and which are marked
// Python owns both. This draws them, asks for the rows that come into sight, and reports what was opened or marked.
// The server's positions count from 0; a window that was once seen is kept until the selection changes.

import { make, roomBelow, setColours, write } from "./elements.js"
import { WHOLE } from "./numbers.js"
import { pictureOf } from "./picture.js"

const ROW = 30 // pixels of a row
const PICTURE_ROW = 44 // of one with a picture
const TALL_ROW = 72 // of one on a phone: labels and text below each other
const NARROW = 480 // pixels of a list that is drawn so, as in rows.css
const TALLEST = 8e6 // pixels; browsers draw nothing in taller elements, so there a pixel stands for more than one
const AHEAD = 24 // rows that are asked for before they come into sight
const KEPT = 6000 // rows that are kept of those once seen
const SETTLED = 130 // milliseconds without a key before the row under the cursor is opened
const CONFIRMED = 1000 // milliseconds after which a mark that the server has not answered is sent again
const PATIENCE = 4000 // milliseconds after which a window that did not come is asked for again

const lists = new Map()

export default function (component) {
  const { data, parentElement, setTriggerValue } = component
  if (!data) return
  const list = listOf(data.id)
  if (data.role === "state") {
    list.state = data
    writeAddress(data.address)
    applyState(list)
    return
  }
  const host = parentElement.querySelector(".rows")
  if (list.host !== host) build(list, host)
  list.send = setTriggerValue
  takeRows(list, data)
  applyState(list)
  draw(list)
  return () => {
    if (list.host !== host) return
    list.observer.disconnect()
    list.page.disconnect()
    clearTimeout(list.opening)
    clearTimeout(list.confirming)
    list.host = null
  }
}

function listOf(id) {
  if (!lists.has(id)) lists.set(id, { id, host: null, state: null, cells: new Map(), pending: new Map() })
  return lists.get(id)
}

function build(list, host) {
  host.replaceChildren()
  Object.assign(list, { host, pool: [], cells: new Map(), pending: new Map(), selection: null, sequence: null })
  list.grid = make("div", "grid", host)
  list.grid.tabIndex = 0
  list.grid.setAttribute("role", "grid")
  list.grid.setAttribute("aria-keyshortcuts", "ArrowUp ArrowDown J K M Enter O /")
  list.head = make("div", "row head", list.grid)
  list.head.setAttribute("role", "row")
  list.head.setAttribute("aria-rowindex", "1")
  list.scroller = make("div", "scroller", list.grid)
  list.scroller.setAttribute("role", "rowgroup")
  list.layer = make("div", "layer", list.scroller)
  list.tall = make("div", "tall", list.scroller)
  list.tall.setAttribute("aria-hidden", "true")
  make("div", "hint", host, "↑ ↓ or j k: next row · m: mark · /: search")
  list.extent = make("div", "extent", host) // on paper, where nothing scrolls
  list.spoken = make("div", "sr", host)
  list.spoken.setAttribute("aria-live", "polite")
  list.scroller.addEventListener("scroll", () => onScroll(list), { passive: true })
  list.scroller.addEventListener("wheel", event => onWheel(list, event), { passive: false })
  list.grid.addEventListener("keydown", event => onKey(list, event))
  list.layer.addEventListener("click", event => onClick(list, event))
  list.observer = new ResizeObserver(() => draw(list))
  list.observer.observe(list.scroller)
  list.page = new ResizeObserver(() => fit(list)) // what stands above the list may come or go after it was drawn
  list.page.observe(document.querySelector('[data-testid="stMainBlockContainer"]') ?? host)
}

// ---- what the server sends

function takeRows(list, data) {
  const fresh = list.selection !== data.selection
  list.data = data
  if (fresh) {
    Object.assign(list, { selection: data.selection, cells: new Map(), pending: new Map(), first: 0, cursor: -1 })
    Object.assign(list, { sequence: null, placed: false, asked: null, columnKey: "" })
    drawHead(list)
  }
  if (list.asked !== null && Math.abs(list.asked.start - data.start) < 1) list.asked = null
  data.rows.forEach((row, i) => list.cells.set(data.start + i, row))
  if (list.cells.size > KEPT) forgetFarRows(list)
  if (list.silent && list.cells.has(list.cursor)) announce(list)
  list.total = data.total
  fit(list)
  list.grid.setAttribute("aria-rowcount", String(data.total + 1))
  list.grid.setAttribute("aria-colcount", String(data.columns.length))
  list.grid.setAttribute("aria-label", data.label)
  if (fresh) list.scroller.scrollTop = 0
}

function fit(list) {
  if (!list.data) return
  const wide = list.data.columns.some(column => column.kind === "picture") ? PICTURE_ROW : ROW
  list.high = list.host?.clientWidth <= NARROW ? TALL_ROW : wide
  list.grid.style.setProperty("--row", `${wide}px`)
  const rows = Math.max(1, list.data.total) * list.high
  list.scroller.style.height = `${Math.min(heightOf(list, list.data), rows)}px`
  list.tall.style.height = `${Math.min(TALLEST, list.data.total * list.high)}px`
}

// As high as the window leaves room, where the list is what the page is about.
function heightOf(list, data) {
  if (!data.fills) return data.height
  const room = roomBelow(list.scroller) - 64 // the hint and the end of the page
  return Math.max(300, Math.floor(room / list.high) * list.high)
}

function forgetFarRows(list) {
  const middle = list.first
  const far = [...list.cells.keys()].sort((a, b) => Math.abs(b - middle) - Math.abs(a - middle))
  for (const at of far.slice(0, list.cells.size - KEPT)) list.cells.delete(at)
}

// The mark has no place in the rows that are sent: it is the only thing about them that changes.
function drawHead(list) {
  list.head.replaceChildren()
  for (const column of list.data.columns) {
    const cell = make("div", `cell ${column.kind}`, list.head, column.name)
    cell.setAttribute("role", "columnheader")
    if (column.help) cell.title = column.help
    if (column.label) make("span", "sr", cell, column.label) // a head without a word still has a name
  }
  setColours(list.host, list.data.colours)
  list.host.style.setProperty("--columns", list.data.columns.map(width).join(" "))
  list.host.style.setProperty("--few", list.data.columns.filter(c => c.kind !== "more").map(width).join(" "))
  for (const row of list.pool) row.remove()
  list.pool = []
}

function width(column) {
  if (column.digits) return `calc(${Math.max(4, column.digits)}ch + 18px)`
  const fixed = { mark: "26px", sign: "26px", confidence: "84px", picture: "48px", label: "minmax(64px, 1.1fr)" }
  return fixed[column.kind] || "minmax(60px, 1.6fr)"
}

function applyState(list) {
  const { state } = list
  if (!list.host || !state || state.selection !== list.selection) return
  list.marked = new Set(state.marked)
  for (const [number, on] of list.pending) {
    if (list.marked.has(number) === on) list.pending.delete(number)
    else if (on) list.marked.add(number)
    else list.marked.delete(number)
  }
  // an answer to an older move than the last one here would take the cursor back
  if (list.sequence !== null && state.sequence !== list.sequence) return draw(list)
  list.sequence = state.sequence
  if (state.open !== list.cursor) {
    list.cursor = state.open
    reveal(list)
  }
  draw(list)
}

// The open row and the marks are named in the address, for a link; but Back should not walk through them row by row,
// so they are replaced in the address, and not added to the history. The address of another view is left alone: the
// server is about to write that of this one.
function writeAddress({ page, steps, values }) {
  const here = new URL(location.href)
  const others = [...here.searchParams].filter(([name]) => !(name in values))
  const isThisView = others.length === Object.keys(steps).length && others.every(([name, value]) => steps[name] === value)
  if (!isThisView || !here.pathname.endsWith(`/${page}`)) return
  for (const [name, value] of Object.entries(values)) {
    if (value) here.searchParams.set(name, value)
    else here.searchParams.delete(name)
  }
  if (here.href !== location.href) history.replaceState(history.state, "", here)
}

// ---- where the list stands: `first` is the position of the row at the top, with its fraction

const inSight = list => list.scroller.clientHeight / list.high
const last = list => Math.max(0, list.total - inSight(list))
const isScaled = list => list.total * list.high > TALLEST

function onScroll(list) {
  const { scroller } = list
  if (Math.abs(scroller.scrollTop - list.placedAt) < 1) return // our own doing
  const room = scroller.scrollHeight - scroller.clientHeight
  list.first = !isScaled(list) ? scroller.scrollTop / list.high : room > 0 ? (scroller.scrollTop / room) * last(list) : 0
  list.placedAt = -1
  drawSoon(list)
}

// Where one pixel stands for several rows, the wheel still moves by what it says.
function onWheel(list, event) {
  if (!isScaled(list) || event.ctrlKey || !event.deltaY) return
  const scale = [1, list.high, list.scroller.clientHeight][event.deltaMode] || 1
  const next = Math.min(last(list), Math.max(0, list.first + (event.deltaY * scale) / list.high))
  if (next === list.first) return
  event.preventDefault()
  place(list, next)
}

function place(list, first) {
  const { scroller } = list
  list.first = Math.min(last(list), Math.max(0, first))
  const room = scroller.scrollHeight - scroller.clientHeight
  scroller.scrollTop = isScaled(list) ? (list.first / Math.max(1, last(list))) * room : list.first * list.high
  list.placedAt = scroller.scrollTop
  drawSoon(list)
}

function reveal(list) {
  if (list.cursor < 0 || !list.scroller.clientHeight) return
  const whole = Math.floor(inSight(list))
  if (!list.placed) place(list, list.cursor < whole ? 0 : list.cursor - whole / 2)
  else if (list.cursor < list.first) place(list, list.cursor)
  else if (list.cursor > list.first + inSight(list) - 1) place(list, list.cursor - inSight(list) + 1)
  list.placed = true
}

function drawSoon(list) {
  if (list.frame) return
  list.frame = requestAnimationFrame(() => {
    list.frame = 0
    draw(list)
  })
}

// ---- drawing

function draw(list) {
  if (!list.host || list.first === undefined || !list.data) return
  const shown = Math.min(list.total, Math.ceil(inSight(list)) + 1)
  while (list.pool.length < shown) list.pool.push(newRow(list))
  const from = Math.max(0, Math.min(Math.floor(list.first), list.total - shown))
  list.pool.forEach((row, i) => drawRow(list, row, i < shown ? from + i : -1))
  const whole = Math.min(list.total, Math.ceil(list.first) + Math.floor(inSight(list)))
  list.extent.textContent = `Rows ${WHOLE.format(Math.ceil(list.first) + 1)} to ${WHOLE.format(whole)} of ${WHOLE.format(list.total)} in this list`
  list.grid.setAttribute("aria-activedescendant", list.cursor >= 0 ? rowId(list, list.cursor) : "")
  askForRows(list, from, Math.min(list.total, from + shown))
}

const rowId = (list, at) => `row-${at}`

function newRow(list) {
  const row = make("div", "row", list.layer)
  row.setAttribute("role", "row")
  for (const column of list.data.columns) {
    const cell = make("div", `cell ${column.kind}`, row)
    cell.setAttribute("role", "gridcell")
    if (column.kind === "label") cell.classList.add(column.name) // "true" or "predicted"
    if (column.kind === "mark") cell.title = "Mark (m)"
  }
  return row
}

function drawRow(list, row, at) {
  row.style.display = at < 0 ? "none" : ""
  if (at < 0) return
  row.style.transform = `translateY(${Math.round((at - list.first) * list.high)}px)`
  const values = list.cells.get(at)
  const isMarked = Boolean(values) && list.marked !== undefined && list.marked.has(values[0])
  const open = at === list.cursor
  const signature = `${at}|${Boolean(values)}|${isMarked}|${open}|${list.selection}`
  if (row.dataset.drawn === signature) return
  row.dataset.drawn = signature
  row.dataset.at = at
  row.id = rowId(list, at)
  row.setAttribute("aria-rowindex", String(at + 2))
  row.setAttribute("aria-selected", String(open))
  row.className = `row${open ? " open" : ""}${at % 2 ? " odd" : ""}${values ? "" : " waiting"}`
  let place = 0
  list.data.columns.forEach((column, i) => {
    const cell = row.children[i]
    const value = column.kind === "mark" ? (isMarked ? "★" : "☆") : values ? values[place] : ""
    if (column.kind !== "mark") place += 1
    drawCell(cell, column.kind, value, isMarked)
  })
}

const SIGNS = { right: "✓", wrong: "✗", unparseable: "?", missing: "–" }
const LABEL_END = 6 // characters of a label that are always drawn
const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufefc]/
const MEANINGS = { right: "right", wrong: "wrong", unparseable: "no label found", missing: "not scored" }

function drawCell(cell, kind, value, isMarked) {
  if (kind === "mark") {
    cell.classList.toggle("on", isMarked)
    cell.setAttribute("aria-label", isMarked ? "marked" : "not marked")
  }
  if (kind === "sign") {
    cell.className = `cell sign ${value}`
    cell.title = MEANINGS[value] || ""
    cell.setAttribute("aria-label", MEANINGS[value] || "")
    cell.textContent = SIGNS[value] || ""
    return
  }
  if (kind === "confidence") {
    const known = Array.isArray(value)
    cell.style.setProperty("--share", known ? `${100 * value[1]}%` : "0%")
    cell.textContent = known ? value[0] : ""
    return
  }
  if (kind === "label") return drawLabel(cell, value)
  if (kind === "picture") return cell.replaceChildren(...(value ? [pictureOf(value)] : []))
  const text = typeof value === "number" ? WHOLE.format(value) : value
  write(cell, text)
  if (kind === "text" || kind === "more") cell.title = text
}

// A label gives way in its middle: its end stays, unless it is written from right to left. Value: a text, or [short, whole].
function drawLabel(cell, value) {
  const [text, whole] = Array.isArray(value) ? value : [value, value]
  cell.title = whole
  if (cell.textContent === text) return
  const letters = Array.from(text)
  const end = letters.length > 2 * LABEL_END && !RIGHT_TO_LEFT.test(text) ? LABEL_END : 0
  cell.replaceChildren()
  make("span", "start", cell, letters.slice(0, letters.length - end).join(""))
  if (end) make("span", "end", cell, letters.slice(-end).join(""))
}

// ---- asking for rows

function askForRows(list, from, to) {
  const start = Math.max(0, from - AHEAD / 2)
  const end = Math.min(list.total, to + AHEAD)
  let missing = -1
  for (let at = start; at < end && missing < 0; at++) if (!list.cells.has(at)) missing = at
  if (missing < 0) return
  const now = performance.now()
  if (list.asked && now - list.asked.when < PATIENCE) {
    // one question at a time: when it is answered, what is in sight then is asked for
    return
  }
  const wanted = Math.max(0, Math.min(Math.round((from + to - list.data.window) / 2), list.total - list.data.window))
  list.asked = { start: wanted, when: now }
  list.send("window", { selection: list.selection, start: wanted })
}

// ---- the hand and the keyboard

function onClick(list, event) {
  const row = event.target.closest(".row")
  if (!row) return
  const at = Number(row.dataset.at)
  list.grid.focus({ preventScroll: true })
  if (event.target.closest(".mark")) toggleMark(list, at)
  else moveCursor(list, at, true)
}

const STEPS = {
  ArrowDown: list => list.cursor + 1,
  j: list => list.cursor + 1,
  ArrowUp: list => list.cursor - 1,
  k: list => list.cursor - 1,
  PageDown: list => list.cursor + Math.floor(inSight(list)),
  PageUp: list => list.cursor - Math.floor(inSight(list)),
  Home: () => 0,
  End: list => list.total - 1,
}

function onKey(list, event) {
  if (event.altKey || event.ctrlKey || event.metaKey || !list.total) return
  const { key } = event
  if (STEPS[key]) moveCursor(list, STEPS[key](list), false)
  else if (key === "Enter" || key === "o") moveCursor(list, list.cursor, true)
  else if (key === "m") toggleMark(list, list.cursor)
  else if (key === "/") focusSearch(list)
  else return
  event.preventDefault()
  event.stopPropagation() // the buttons beside the open row have the same keys
}

function moveCursor(list, to, atOnce) {
  list.cursor = Math.max(0, Math.min(list.total - 1, to))
  list.placed = true
  reveal(list)
  draw(list)
  announce(list)
  clearTimeout(list.opening)
  list.opening = setTimeout(() => sendOpened(list), atOnce ? 0 : SETTLED)
  list.sequence = (list.sequence || 0) + 1
}

function sendOpened(list) {
  if (!list.host) return
  list.send("opened", { selection: list.selection, at: list.cursor, sequence: list.sequence })
}

// All marks that the server has not confirmed yet are sent together, and again until it has: of two quick messages,
// such as a mark and the row that is opened next, it may see the last only.
function sendMarks(list, times = 8) {
  list.send("marked", { selection: list.selection, marks: [...list.pending] })
  clearTimeout(list.confirming)
  list.confirming = setTimeout(() => list.pending.size && times > 1 && sendMarks(list, times - 1), CONFIRMED)
}

function toggleMark(list, at) {
  const values = list.cells.get(at)
  if (!values || !list.marked) return
  const number = values[0]
  const on = !list.marked.has(number)
  list.pending.set(number, on)
  if (on) list.marked.add(number)
  else list.marked.delete(number)
  draw(list)
  list.spoken.textContent = `row ${number} ${on ? "marked" : "no longer marked"}`
  sendMarks(list)
}

function focusSearch(list) {
  let around = list.host.getRootNode().host || list.host
  for (; around; around = around.parentElement) {
    const input = around.querySelector(`input[aria-label="Search"]`)
    if (input) return input.focus()
  }
}

function announce(list) {
  const values = list.cells.get(list.cursor)
  list.silent = !values // said when the row has come
  if (!values) return
  const words = []
  let place = 0
  for (const column of list.data.columns) {
    if (column.kind === "mark") {
      if (list.marked && list.marked.has(values[0])) words.push("marked")
      continue
    }
    const value = values[place++]
    if (value === null || value === "") continue
    words.push(`${column.spoken} ${Array.isArray(value) ? value[0] : value}`.trim())
  }
  list.spoken.textContent = `${words.join(", ")} (${list.cursor + 1} of ${list.total})`
}
