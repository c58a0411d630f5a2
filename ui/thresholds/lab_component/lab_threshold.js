// Change the threshold, and send it to the server: nothing while it is dragged, and once when it is released.

const PATIENCE = 10_000 // milliseconds after which an answer that never came holds nothing up
const QUIET = 450 // milliseconds after the last key before the threshold is sent, and before it is read out

// `move` is exact: it takes counts that are known and never guesses.
function addThresholdMoves(view) {
  view.goToStop = (index, handle = "t") => {
    const value = index < 0 ? view.aboveEveryScore : view.stops.score[index]
    move(view, value, countsAtIndex(view.stops, index), handle)
  }
  view.goToScore = (value, handle) => {
    const beyond = value > (view.highest + view.span.high) / 2 && value > view.highest
    const index = beyond ? -1 : indexOfNearestScore(view.positions, value)
    move(view, index < 0 ? view.aboveEveryScore : view.positions.score[index], countsAtIndex(view.positions, index), handle)
  }
  view.goToThreshold = threshold => {
    const counts = countsAt(view, threshold)
    if (counts) move(view, threshold, counts)
    release(view, threshold)
  }
  // Take hold of something: `follow` is called with every later place of the pointer, once a frame at most.
  view.startDrag = (event, element, follow, handle = "t") => {
    if (event.button) return
    event.preventDefault()
    element.setPointerCapture(event.pointerId)
    view.draggedHandle = handle
    view.slider[handle].focus({ preventScroll: true })
    let latest = event
    let asked = 0
    const frame = () => {
      asked = 0
      follow(latest)
    }
    const moved = later => {
      latest = later
      asked ||= requestAnimationFrame(frame)
    }
    view.letGo = () => {
      cancelAnimationFrame(asked)
      for (const [name, listener] of listeners) element.removeEventListener(name, listener)
      view.draggedHandle = null
    }
    const done = () => {
      if (asked) frame()
      view.letGo()
      release(view)
    }
    const listeners = [["pointermove", moved], ["pointerup", done], ["pointercancel", done]]
    for (const [name, listener] of listeners) element.addEventListener(name, listener)
    follow(event)
  }
  // Back or Forward names another threshold: what is still to be sent belonged to the address that was left.
  view.abandon = () => {
    clearTimeout(view.timer)
    if (view.draggedHandle) view.letGo()
    Object.assign(view, { timer: 0, sentKey: null, pendingSteps: 0 })
    if (view.lab.position) view.receive("position")
  }
  view.showRows = what => {
    view.send("rows", what)
    bringRowsIntoView()
  }
}

/* The rows stand below the lab, and the run that follows draws them: scroll as the page grows by them, until they have
   half of the window or somebody scrolls. */
function bringRowsIntoView() {
  const page = document.querySelector('[data-testid="stMain"]')
  const stop = new AbortController()
  const bring = () => {
    const rows = page.querySelector(".st-key-threshold-rows")
    if (!rows) return
    const missing = () => rows.getBoundingClientRect().top - innerHeight / 2
    page.scrollTop += Math.max(0, missing())
    if (missing() < 2) stop.abort()
  }
  const growth = new ResizeObserver(bring)
  const changes = new MutationObserver(bring)
  stop.signal.addEventListener("abort", () => {
    growth.disconnect()
    changes.disconnect()
  })
  for (const name of ["wheel", "touchmove", "keydown", "pointerdown"])
    document.addEventListener(name, () => stop.abort(), { signal: stop.signal })
  growth.observe(page.firstElementChild)
  changes.observe(page, { childList: true, subtree: true })
}

function countsAt(view, threshold) {
  if (view.knownCounts.has(threshold)) return view.knownCounts.get(threshold)
  const index = findDecidingExactly(view.positions, threshold)
  return index === null ? null : countsAtIndex(view.positions, index)
}

function move(view, threshold, counts, handle = "t") {
  if (handle === "low") {
    view.low = Math.min(threshold, view.threshold)
    view.lowCounts = threshold > view.threshold ? view.counts : counts
  } else {
    view.threshold = threshold
    view.counts = counts
    if (view.low !== null && view.low > threshold) Object.assign(view, { low: threshold, lowCounts: counts })
  }
  show(view)
}

function thresholdKey(threshold, low) {
  return `${Number(threshold)}/${low === null || low === undefined ? "" : Number(low)}`
}

// Send the threshold, once, if the server does not have it.
function release(view, typed = view.threshold) {
  clearTimeout(view.timer)
  view.timer = 0
  const { position } = view.lab
  const key = thresholdKey(typed, view.low)
  if (!position || key === (view.sentKey ?? thresholdKey(position.t, position.low && position.low.t))) return
  view.sentKey = key
  setTimeout(() => view.sentKey === key && (view.sentKey = null), PATIENCE)
  view.send("released", { t: String(typed), low: view.low === null ? null : String(view.low) })
}

function releaseSoon(view) {
  clearTimeout(view.timer)
  view.timer = setTimeout(() => release(view), QUIET)
}

// One distinct score is one step. Where this page does not hold the next one, the server is asked for those around
// here, and the steps left over are taken when they arrive.
function stepBy(view, steps, handle = "t") {
  if (view.pendingSteps && view.pendingHandle === handle && view.sentKey !== null) return void (view.pendingSteps += steps)
  const { positions } = view
  const from = findDecidingExactly(positions, handle === "t" ? view.threshold : view.low)
  const { index, left } = from === null ? { index: null, left: steps } : walk(positions, from, steps)
  const score = index < 0 ? view.aboveEveryScore : positions.score[index]
  if (index !== from) move(view, score, countsAtIndex(positions, index), handle)
  view.pendingSteps = 0
  if (!left) return releaseSoon(view)
  release(view)
  if (view.sentKey !== null) Object.assign(view, { pendingSteps: left, pendingHandle: handle })
}
