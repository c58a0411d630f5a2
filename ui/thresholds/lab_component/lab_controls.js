// The threshold as a number to type, and as a handle on the score axis whose every position is a score.

const KEYS =
  "Arrow keys move by one distinct score, with Shift by a hundredth of the way, Page Up and Page Down by ten scores."

function makeNumberField(view, parent) {
  const label = make("label", "typed", parent)
  make("span", "", label, `Predict ${view.curves.name} when score \u2265`)
  const input = make("input", "", label)
  Object.assign(input, { type: "text", inputMode: "decimal", autocomplete: "off", spellcheck: false })
  input.setAttribute("aria-label", "Threshold")
  const problem = make("span", "problem", label)
  let editing = false
  const read = () => {
    const value = input.value.trim() === "" ? NaN : Number(input.value.trim().replace("\u2212", "-"))
    input.setAttribute("aria-invalid", String(Number.isNaN(value)))
    write(problem, Number.isNaN(value) ? "a number is wanted" : "")
    return value
  }
  input.oninput = () => {
    editing = true
    const value = read()
    const counts = Number.isNaN(value) ? null : countsAt(view, value)
    if (counts) move(view, value, counts)
    else if (!Number.isNaN(value)) write(problem, "Enter: count the rows")
  }
  const done = () => {
    if (!editing) return
    const value = read()
    if (Number.isNaN(value)) return
    editing = false
    write(problem, countsAt(view, value) ? "" : "counting \u2026")
    release(view, value)
  }
  input.onblur = () => {
    done()
    if (editing && view.counts) {
      editing = false
      write(problem, "")
      input.setAttribute("aria-invalid", "false")
      show()
    }
  }
  input.onkeydown = event => {
    if (event.key === "Enter") done()
    if (event.key !== "Escape") return
    editing = false
    show()
  }
  function show() {
    if (editing) return
    input.title = String(view.threshold)
    const text = fieldText(view)
    if (input.value === text) return
    input.value = text
    write(problem, "")
    input.setAttribute("aria-invalid", "false")
  }
  return { show }
}

// As a sentence writes it. Not where it would name a score that is predicted otherwise.
function fieldText(view) {
  const written = scoreText(view.threshold)
  const misleads = view.threshold > view.highest && Number(written.replace("\u2212", "-")) <= view.highest
  return misleads ? String(view.threshold) : written
}

// The handles over the pictures with a score axis: that of the threshold, and that of the lower one where rows are
// left undecided.
function thresholdHandles(view, over, plot) {
  const thumbs = {
    low: makeThumb(view, over, "low", "Lower threshold of the undecided rows"),
    t: makeThumb(view, over, "t", "Threshold"),
  }
  view.slider = thumbs
  const last = view.stops.score.length
  const positionOf = threshold => last - 1 - findDeciding(view.stops, threshold)
  const place = (element, threshold) => {
    element.style.left = `${clamp(plot.x(threshold), plot.left, plot.right)}px`
    element.style.top = `${plot.box.offsetTop + plot.y(0)}px`
  }
  for (const [handle, element] of Object.entries(thumbs)) {
    element.addEventListener("pointerdown", event => {
      view.startDrag(event, element, later => view.goToScore(plot.valueAt(plot.within(later).x), handle), handle)
    })
  }
  function show(now) {
    place(thumbs.t, view.threshold)
    thumbs.low.hidden = view.low === null
    if (view.low !== null) {
      place(thumbs.low, view.low)
      setSlider(thumbs.low, positionOf(view.low), view.thresholdText(view.low))
    }
    const shares = `precision ${decimal(now.precision)}, recall ${decimal(now.recall)}`
    setSlider(thumbs.t, positionOf(view.threshold), `${view.thresholdText(view.threshold)}: ${shares}`)
  }
  return { show }
}

function setSlider(element, value, text) {
  element.setAttribute("aria-valuenow", String(value))
  element.setAttribute("aria-valuetext", text)
}

function makeThumb(view, parent, handle, name) {
  const made = make("div", `thumb ${handle}`, parent)
  made.tabIndex = 0
  put(made, { role: "slider", "aria-label": name, "aria-valuemin": 0, "aria-valuemax": view.stops.score.length })
  made.setAttribute("aria-description", KEYS)
  made.onkeydown = event => {
    const up = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1, PageUp: 10, PageDown: -10 }[event.key]
    const end = { Home: view.stops.score.length - 1, End: -1 }[event.key]
    if (up === undefined && end === undefined) return
    event.preventDefault()
    if (end !== undefined) view.goToStop(end, handle)
    else if (event.shiftKey) view.goToStop(stopFurtherOn(view, handle, up), handle)
    else return stepBy(view, up, handle)
    releaseSoon(view)
  }
  return made
}

// The stop a hundredth of the way farther.
function stopFurtherOn(view, handle, up) {
  const { length } = view.stops.score
  const at = findDeciding(view.stops, handle === "t" ? view.threshold : view.low)
  return clamp(at - Math.sign(up) * Math.max(1, Math.round(length / 100)), -1, length - 1)
}
