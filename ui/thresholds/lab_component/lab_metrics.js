// Four metrics over the threshold, on the score axis of the histogram above; and the 2 x 2 counts as areas.

const LINES = [
  ["precision", "precision", "one"],
  ["recall", "recall", "two"],
  ["f1", "F1", "three"],
  ["balanced_accuracy", "balanced accuracy", "four"],
]
const SIDES = [
  ["tp", "found", "Positive and called positive (true positives)"],
  ["fn", "missed", "Positive and called negative (false negatives)"],
  ["fp", "false alarms", "Negative and called positive (false positives)"],
  ["tn", "left alone", "Negative and called negative (true negatives)"],
]

function metricsPicture(view, parent) {
  const { figure, title } = makeFigure(parent, "metrics", "")
  legend(figure)
  const plot = makePlot(figure, {
    name: "Metrics over the threshold", height: 230,
    x: { ...view.span, title: "threshold (positive when score \u2265 threshold)" }, y: { low: 0, high: 1 },
  })
  const lines = { low: upright(plot, "low", 0), t: upright(plot, "now", 0) }
  const dots = LINES.map(([, , style]) => draw("circle", plot.moving, { class: `on ${style}`, r: 4 }))
  const marks = makeMarks(plot)
  slideOver(view, figure, plot)

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
  return { arrange, show, mark }
}

function legend(figure) {
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
  if (!best || best.name !== "f1") return `F1 here is ${decimal(now.f1, 3)}`
  return `F1 is highest (${decimal(best.value, 3)}) at ${view.short(Number(best.t))}; here it is ${decimal(now.f1, 3)}`
}

// A press anywhere takes the threshold there; without one the stop below the pointer tells what it is.
function slideOver(view, figure, plot) {
  const ghost = draw("path", plot.moving, { class: "cross" })
  const tip = makeTip(figure)
  const unhover = () => {
    tip.hidden = true
    ghost.style.visibility = "hidden"
  }
  plot.moving.addEventListener("pointerdown", event => {
    view.grab(event, plot.moving, later => view.goToScore(plot.valueAt(plot.within(later).x), "t"))
    unhover()
  })
  plot.moving.addEventListener("pointermove", event => {
    if (view.held || event.pointerType === "touch") return
    const { x } = plot.within(event)
    if (x < plot.left - 4 || x > plot.right + 4) return unhover()
    const index = nearestScore(view.stops, plot.valueAt(x))
    const at = plot.x(clamp(view.stops.score[index], view.span.low, view.span.high))
    ghost.style.visibility = ""
    ghost.setAttribute("d", `M${at.toFixed(1)} ${plot.top}V${plot.bottom}`)
    tell(tip, plot, at, plot.top + 12, view.stopWords(index))
  })
  plot.moving.addEventListener("pointerleave", unhover)
  unhover()
}

// Each count is an area, all four on one scale that stays; a click shows the rows.
function countsPicture(view, parent) {
  const { figure, title } = makeFigure(parent, "counts", "")
  const grid = make("div", "two-by-two", figure)
  make("span", "", grid)
  for (const name of ["called positive", "called negative"]) make("span", "column", grid, name)
  const rows = { tp: `${count(view.nPos)} positive`, fp: `${count(view.nNeg)} negative` }
  const cells = {}
  for (const [side, name, words] of SIDES) {
    if (rows[side]) make("span", "row", grid, rows[side])
    cells[side] = quadrant(grid, side, name, words, () => view.showRows({ side }))
  }
  const n = view.nPos + view.nNeg

  function show(now) {
    for (const [side] of SIDES) {
      cells[side].area.style.transform = `scale(${Math.sqrt(now[side] / n).toFixed(5)})`
      write(cells[side].number, count(now[side]))
    }
    const called = `${count(now.tp + now.fp)} of ${count(n)} rows are called positive`
    write(title, `${called}, ${count(now.tp)} rightly; ${count(now.fn)} missed`)
  }
  return { arrange() {}, show }
}

function quadrant(grid, side, name, words, onclick) {
  const button = make("button", `quadrant ${side}`, grid)
  Object.assign(button, { type: "button", title: `${words}: show these rows`, onclick })
  const area = make("span", "area", button)
  const text = make("span", "text", button)
  const number = make("b", "", text)
  make("span", "", text, name)
  return { area, number }
}
