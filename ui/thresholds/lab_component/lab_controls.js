// The threshold as a number to type and a slider whose every position is a score.

const KEYS =
  "Arrow keys move by one distinct score, with Shift by a hundredth of the way, Page Up and Page Down by ten scores."

function controls(view, host) {
  const bar = make("div", "controls", host)
  const field = typed(view, bar)
  const slider = sliderOf(view, bar)
  function show(now) {
    field.show()
    slider.show(now)
  }
  return { show, mark: slider.mark }
}

function typed(view, bar) {
  const label = make("label", "typed", bar)
  make("span", "", label, `Positive (${view.curves.name}) when score \u2265`)
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
    if (editing && view.now) {
      editing = false
      write(problem, "")
      input.setAttribute("aria-invalid", "false")
      input.value = String(view.threshold)
    }
  }
  input.onkeydown = event => {
    if (event.key === "Enter") done()
    if (event.key !== "Escape") return
    editing = false
    show()
  }
  function show() {
    const text = String(view.threshold)
    if (editing || input.value === text) return
    input.value = text
    write(problem, "")
    input.setAttribute("aria-invalid", "false")
  }
  return { show }
}

function sliderOf(view, bar) {
  const track = make("div", "track", bar)
  const filled = make("div", "filled", track)
  const open = make("div", "between", track)
  const marks = {
    default: make("span", "tickmark", track, "\u25b2"),
    best: make("span", "tickmark best", track, "\u2605"),
  }
  const thumbs = {
    low: thumb(view, track, "low", "Lower threshold of the rows left open"),
    t: thumb(view, track, "t", "Threshold"),
  }
  view.slider = thumbs
  const last = view.stops.score.length
  const scale = slideScale(view)
  const positionOf = threshold => last - 1 - deciding(view.stops, threshold)
  track.addEventListener("pointerdown", event => {
    const at = track.getBoundingClientRect()
    const shareAt = later => clamp((later.clientX - at.left) / at.width, 0, 1)
    const { low, threshold } = view
    const away = value => Math.abs(scale.shareOf(value) - shareAt(event))
    const handle = low !== null && away(low) < away(threshold) ? "low" : "t"
    view.grab(event, track, later => view.goToStop(scale.stopAt(shareAt(later)), handle), handle)
  })

  function show(now) {
    const at = `${(100 * scale.shareOf(view.threshold)).toFixed(3)}%`
    thumbs.t.style.left = at
    filled.style.left = at
    thumbs.low.hidden = open.hidden = view.low === null
    if (view.low !== null) {
      const low = `${(100 * scale.shareOf(view.low)).toFixed(3)}%`
      thumbs.low.style.left = open.style.left = low
      open.style.right = `calc(100% - ${at})`
      said(thumbs.low, positionOf(view.low), view.short(view.low))
    }
    const shares = `precision ${decimal(now.precision, 3)}, recall ${decimal(now.recall, 3)}`
    said(thumbs.t, positionOf(view.threshold), `${view.short(view.threshold)}: ${shares}`)
  }

  function mark() {
    for (const [which, element] of Object.entries(marks)) {
      const given = view.position[which]
      element.hidden = !given
      if (!given) continue
      element.style.left = `${(100 * scale.shareOf(Number(given.t))).toFixed(3)}%`
      element.title = `${which === "default" ? "default" : given.title}: ${view.short(Number(given.t))}`
    }
  }
  return { show, mark }
}

// Where a threshold stands on the slider: the mean of how far it is along the scores, the positives and the negatives,
// so that a stretch of the slider moves something wherever it is. By score alone a rare class has all its room where no
// row is, by rank alone nearly all of it where only the false positive rate moves. 0 = lowest score, 1 = above all.
function slideScale(view) {
  const { stops, nPos, nNeg, span } = view
  const raw = (score, tp, fp) => {
    const along = [(clamp(score, span.low, span.high) - span.low) / (span.high - span.low)]
    if (nPos) along.push(1 - tp / nPos)
    if (nNeg) along.push(1 - fp / nNeg)
    return along.reduce((sum, part) => sum + part, 0) / along.length
  }
  const { length } = stops.score
  const lowest = raw(stops.score[length - 1], nPos, nNeg)
  const scaled = (score, i) => (raw(score, stops.tp[i], stops.fp[i]) - lowest) / (1 - lowest || 1)
  const shares = Float64Array.from(stops.score, scaled)
  const shareOf = threshold => {
    if (threshold > view.highest) return 1
    const at = deciding(stops, threshold)
    return at < 0 ? 1 : shares[at]
  }
  // shares descend with the index; -1 is "above every score"
  const stopAt = share => {
    if (share > (1 + shares[0]) / 2) return -1
    const at = deciding({ score: shares, last: length - 1 }, share)
    if (at < 0) return 0
    if (at === length - 1) return at
    return shares[at] - share <= share - shares[at + 1] ? at : at + 1
  }
  return { shareOf, stopAt }
}

function said(element, value, text) {
  element.setAttribute("aria-valuenow", String(value))
  element.setAttribute("aria-valuetext", text)
}

function thumb(view, track, handle, name) {
  const made = make("div", `thumb ${handle}`, track)
  made.tabIndex = 0
  put(made, { role: "slider", "aria-label": name, "aria-valuemin": 0, "aria-valuemax": view.stops.score.length })
  made.setAttribute("aria-description", KEYS)
  made.onkeydown = event => {
    const up = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1, PageUp: 10, PageDown: -10 }[event.key]
    const end = { Home: view.stops.score.length - 1, End: -1 }[event.key]
    if (up === undefined && end === undefined) return
    event.preventDefault()
    if (end !== undefined) view.goToStop(end, handle)
    else if (event.shiftKey) view.goToStop(farther(view, handle, up), handle)
    else return stepBy(view, up, handle)
    releaseSoon(view)
  }
  return made
}

// The stop a hundredth of the way farther.
function farther(view, handle, up) {
  const { length } = view.stops.score
  const at = deciding(view.stops, handle === "t" ? view.threshold : view.low)
  return clamp(at - Math.sign(up) * Math.max(1, Math.round(length / 100)), -1, length - 1)
}
