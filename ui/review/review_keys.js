// The arrow keys of a review, and the whole screen. What has arrow keys of its own keeps them: a picture that took the
// key says so (defaultPrevented), and fields, sliders and lists are left alone.

const OWN_ARROWS = `input:not([type="checkbox"], [type="button"]), textarea, select, canvas, [contenteditable="true"],
  [role="slider"], [role="tab"], [role="radio"], [role="radiogroup"], [role="option"], [role="listbox"],
  [role="combobox"], [role="grid"], [role="menu"], [role="dialog"]`
const WAYS = { ArrowLeft: { by: -1, to: "previous" }, ArrowRight: { by: 1, to: "next" } }
const walk = (globalThis[Symbol.for("blindspot.review")] ??= {}) // the step on screen

function isTaken(event) {
  const [at] = event.composedPath()
  return event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey ||
    Boolean(at.closest?.(OWN_ARROWS))
}

function wholeScreen() {
  if (document.fullscreenElement) document.exitFullscreen()
  else document.documentElement.requestFullscreen?.().catch(() => {}) // a browser may refuse: nothing is lost
}

export default function ({ data, parentElement }) {
  if (!data) return
  // A step begins at its top, also where it is another view of the same page.
  if (walk.at !== data.step) document.querySelector('[data-testid="stMain"]')?.scrollTo(0, 0)
  walk.at = data.step
  const pressed = event => {
    if (isTaken(event)) return
    if (event.key === "f" || event.key === "F") return wholeScreen()
    const way = WAYS[event.key]
    if (!way || event.repeat || data.step + way.by < 1 || data.step + way.by > data.steps) return
    event.preventDefault()
    document.querySelector(`.st-key-review-${way.to} a`)?.click() // a link, so that the browser's Back is the way back
  }
  document.addEventListener("keydown", pressed)
  parentElement.querySelector(".whole").onclick = wholeScreen
  return () => document.removeEventListener("keydown", pressed)
}
