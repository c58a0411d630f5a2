// Four metrics over the threshold, on the score axis of the histogram above; and the four counts with their base.

const LINES = [
  ["precision", "precision", "one"],
  ["recall", "recall", "two"],
  ["f1", "F1", "three"],
  ["balanced_accuracy", "balanced accuracy", "four"],
]
const SIDES = [
  ["tp", "found", "true positives", "right"],
  ["fn", "missed", "false negatives", "wrong"],
  ["fp", "predicted positive", "false positives", "wrong"],
  ["tn", "not predicted positive", "true negatives", "rest"],
]

function metricsPicture(view, parent) {
  const { figure, title } = makeFigure(parent, "metrics", "")
  title.classList.add("sr")
  const { log_odds, logits } = view.curves
  const scale = log_odds ? "threshold (log-odds scale)" : logits ? "threshold (a logit: 0 is a probability of 0.5)" : "threshold"
  const plot = makePlot(figure, {
    name: "Metrics over the threshold", height: 158, margin: { ...AXIS, top: 6 },
    x: { ...scoreAxis(view), title: scale }, y: { low: 0, high: 1, ticks: [0, 0.5, 1] },
  })
  addLegend(figure)
  const lines = { low: makeVerticalLine(plot, "low"), t: makeVerticalLine(plot, "now") }
  const dots = LINES.map(([, , style]) => draw("circle", plot.moving, { class: `on ${style}`, r: 4 }))
  const marks = makeMarks(plot)
  makePlotDraggable(view, figure, plot)

  function arrange(width) {
    plot.resize(width)
    const { score, tp, fp, last } = view.stops
    const x = Float32Array.from(score, value => plot.x(clamp(value, view.span.low, view.span.high)))
    const table = Array.from(score, (_, i) => rates(tp[i], fp[i], view.nPos, view.nNeg))
    // from the lowest threshold up: a rate holds down to the next score below
    for (const [key, , style] of LINES) {
      const y = i => plot.y(clamp(table[last - i][key], 0, 1))
      draw("path", plot.still, { class: `line ${style}`, d: lineThrough(last + 1, i => x[last - i], y, view.complete) })
    }
  }

  function show(now) {
    const at = clamp(plot.x(view.threshold), plot.left, plot.right)
    lines.t.set(at)
    lines.low.set(view.low === null ? NaN : clamp(plot.x(view.low), plot.left, at))
    for (const [i, [key]] of LINES.entries()) place(dots[i], at, plot.y(now[key]))
    write(title, metricsWords(view, now))
  }

  function mark() {
    for (const [which, element] of Object.entries(marks)) {
      const given = view.position[which]
      place(element, given ? clamp(plot.x(Number(given.t)), plot.left, plot.right) : NaN, plot.bottom - 5)
    }
  }
  return { arrange, show, mark, figure }
}

function addLegend(figure) {
  const box = make("p", "legend", figure)
  for (const [, name, style] of LINES) {
    const entry = make("span", "", box)
    const sample = draw("svg", entry, { width: 26, height: 8, "aria-hidden": "true" })
    draw("path", sample, { class: `line ${style}`, d: "M1 4H25" })
    make("span", "", entry, name)
  }
}

function metricsWords(view, now) {
  const { best } = view.position
  if (!best || best.name !== "f1") return `F1 here is ${decimal(now.f1)}`
  return `F1 is highest (${decimal(best.value)}) at ${view.thresholdText(Number(best.t))}; here it is ${decimal(now.f1)}`
}

// A press anywhere takes the threshold there; without one the stop below the pointer tells what it is.
function makePlotDraggable(view, figure, plot) {
  const ghost = draw("path", plot.moving, { class: "cross" })
  const tip = makeTooltip(figure)
  const hideTip = () => {
    tip.hidden = true
    ghost.style.visibility = "hidden"
  }
  plot.moving.addEventListener("pointerdown", event => {
    view.startDrag(event, plot.moving, later => view.goToScore(plot.valueAt(plot.within(later).x), "t"))
    hideTip()
  })
  plot.moving.addEventListener("pointermove", event => {
    if (view.draggedHandle || event.pointerType === "touch") return
    const { x } = plot.within(event)
    if (x < plot.left - 4 || x > plot.right + 4) return hideTip()
    const index = indexOfNearestScore(view.stops, plot.valueAt(x))
    const at = plot.x(clamp(view.stops.score[index], view.span.low, view.span.high))
    ghost.style.visibility = ""
    ghost.setAttribute("d", `M${at.toFixed(1)} ${plot.top}V${plot.bottom}`)
    showTooltipAt(tip, plot, at, plot.top + 12, view.describeStop(index))
  })
  plot.moving.addEventListener("pointerleave", hideTip)
  hideTip()
}

function nameRows({ name, others, unit }, side) {
  const rows = side === "tp" || side === "fn" ? `${name} rows` : others ? `${others} rows` : "Other rows"
  return unit ? `${rows}, by weight:` : rows
}

// Each count with its base and a bar; a click shows the rows.
function countsList(view, parent) {
  const list = make("div", "counts", parent)
  const cells = {}
  for (const [side, word, field, colour] of SIDES) {
    const button = make("button", `count ${side} ${colour}`, list)
    button.onclick = () => view.showRows({ side })
    make("span", "name", button, `${nameRows(view.curves, side)} ${word}`)
    const number = make("span", "number", button)
    const n = make("b", "", number)
    make("span", "soft", number, ` of ${count(view, baseOfCount(view, side))}`)
    make("span", "soft field", button, field)
    make("span", "link", button, "Show rows")
    const bar = make("span", "bar", button)
    cells[side] = { n, filled: make("span", "", bar) }
  }
  function show(now) {
    for (const [side] of SIDES) {
      write(cells[side].n, count(view, now[side]))
      cells[side].filled.style.transform = `scaleX(${(now[side] / Math.max(1, baseOfCount(view, side))).toFixed(5)})`
    }
  }
  return { show }
}

function baseOfCount(view, side) {
  return side === "tp" || side === "fn" ? view.nPos : view.nNeg
}

function thresholdWords(view, threshold) {
  const short = view.thresholdText(threshold)
  return threshold > view.highest ? short : `at\u00a0${short}`
}

// The four counts at the threshold in use and at the one that is compared with it, as a table.
function comparedCounts(view, parent) {
  const table = make("table", "compared", parent)
  make("caption", "sr", table, "Counts at the two thresholds")
  const head = make("tr", "", make("thead", "", table))
  make("td", "", head)
  const heads = ["used", "now"].map(name => Object.assign(make("th", name, head), { scope: "col" }))
  for (const name of ["of", "bar-cell"]) make("td", name, head, "")
  const body = make("tbody", "", table)
  const cells = {}
  for (const [side, word, field, colour] of SIDES) {
    const row = make("tr", "", body)
    const name = make("th", "", row, `${nameRows(view.curves, side)} ${word} `)
    name.scope = "row"
    make("span", "soft", name, field)
    const used = make("td", "used", row)
    const now = make("td", "now", row)
    make("td", "of soft", row, `of ${count(view, baseOfCount(view, side))}`)
    const bar = make("span", "bar", make("td", `bar-cell ${colour}`, row))
    cells[side] = { used, now, filled: make("span", "", bar) }
  }
  const key = make("p", "key", parent)
  make("span", "ring", key)
  const usedKey = make("span", "", key)
  make("span", "point", key)
  const nowKey = make("b", "", key)
  function show(now) {
    const { used, used_by } = view.position
    const before = used && rates(used.tp, used.fp, view.nPos, view.nNeg)
    const [then, at] = [used ? Number(used.t) : null, view.threshold].map(t => (t === null ? "none" : thresholdWords(view, t)))
    write(heads[0], then)
    write(heads[1], at)
    write(usedKey, `${then}, ${used_by}`)
    write(nowKey, `${at}, this rule`)
    for (const [side] of SIDES) {
      write(cells[side].used, before ? count(view, before[side]) : "undefined")
      write(cells[side].now, count(view, now[side]))
      cells[side].filled.style.transform = `scaleX(${(now[side] / Math.max(1, baseOfCount(view, side))).toFixed(5)})`
    }
  }
  return { show }
}
