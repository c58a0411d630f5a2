// The keys of a review, the whole screen, and controls that fade. What has keys of its own keeps them: a picture that
// took the key says so (defaultPrevented), and fields, sliders and lists are left alone.

import { draw, open } from "./review_notes.js"

const OWN_KEYS = `input:not([type="checkbox"], [type="button"]), textarea, select, canvas, [contenteditable="true"],
  [role="slider"], [role="tab"], [role="radio"], [role="radiogroup"], [role="option"], [role="listbox"],
  [role="combobox"], [role="grid"], [role="menu"], [role="dialog"]`
const PRESSED_BY_SPACE = 'button, summary, [role="button"], [type="checkbox"], [type="button"]'
const OVER_THE_PAGE = '[role="dialog"], [data-testid="stPopoverBody"]'
const BACK = { by: -1, to: "previous" }
const ON = { by: 1, to: "next" }
const WAYS = { ArrowLeft: BACK, PageUp: BACK, ArrowRight: ON, PageDown: ON, " ": ON } // a clicker is a keyboard
const IDLE_AFTER = 2500 // milliseconds
const walk = (globalThis[Symbol.for("blindspot.review")] ??= {}) // the step on screen, the timer, the window of notes

function isTaken(event) {
  const [at] = event.composedPath()
  return event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey ||
    Boolean(at.closest?.(OWN_KEYS)) || (event.key === " " && Boolean(at.closest?.(PRESSED_BY_SPACE)))
}

function wholeScreen() {
  if (document.fullscreenElement) document.exitFullscreen()
  else document.documentElement.requestFullscreen?.().catch(() => {}) // a browser may refuse: nothing is lost
}

// The controls are there as long as somebody moves; review.css fades them.
function endIdle() {
  const page = document.documentElement
  delete page.dataset.reviewIdle
  clearTimeout(walk.timer)
  walk.timer = setTimeout(() => { page.dataset.reviewIdle = "" }, IDLE_AFTER)
}

function go(way) {
  if (walk.data.step + way.by < 1 || walk.data.step + way.by > walk.data.steps) return
  document.activeElement?.closest?.(".st-key-review-controls")?.querySelector(":focus")?.blur() // it would keep them
  document.querySelector(`.st-key-review-${way.to} a`)?.click() // a link, so that the browser's Back is the way back
}

function pressed(event) {
  if (!document.querySelector(".st-key-review-controls")) return // no review is walked through
  if (event.key === "Tab") return endIdle()
  if (isTaken(event)) return
  if (event.key === "Escape") {
    if (!document.querySelector(OVER_THE_PAGE)) document.querySelector(".st-key-review-leave button")?.click()
    return
  }
  if (event.key === "f" || event.key === "F") return wholeScreen()
  if (event.key === "n" || event.key === "N") return open(walk)
  if (!WAYS[event.key]) return
  event.preventDefault()
  if (!event.repeat) go(WAYS[event.key])
}

// Streamlit calls this again with every change of the data, and says nothing to the call before: one listener is enough.
export default function ({ data, parentElement }) {
  if (!data) return
  // A step begins at its top, also where it is another view of the same page.
  if (walk.data?.step !== data.step) document.querySelector('[data-testid="stMain"]')?.scrollTo(0, 0)
  walk.data = data
  if (!walk.pressed) {
    walk.pressed = pressed
    document.addEventListener("keydown", pressed)
    for (const moved of ["pointermove", "pointerdown"]) document.addEventListener(moved, endIdle)
    endIdle()
  }
  draw(walk)
  parentElement.querySelector(".whole").onclick = wholeScreen
  parentElement.querySelector(".notes").onclick = () => open(walk)
}
