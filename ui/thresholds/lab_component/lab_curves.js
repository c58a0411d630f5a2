// ROC, and precision against recall: a curve over all stops with a point on it that can be dragged along.
// Each picture is {arrange(width), show(now), mark()}: `arrange` draws what stays at a given width, `show` moves what
// follows the threshold and touches nothing else, `mark` sets the default and the best threshold.

const STAR = "M0 -7L1.85 -2.55L6.66 -2.16L3 0.97L4.11 5.66L0 3.15L-4.11 5.66L-3 0.97L-6.66 -2.16L-1.85 -2.55Z"
const TRIANGLE = "M0 -6L5.6 4L-5.6 4Z"
const HOVER_PIXELS = 60 // pixels from the curve at which nothing is hovered any more

function makeFigure(parent, kind, title) {
  const figure = make("figure", kind, parent)
  return { figure, title: make("figcaption", "title", figure, title) }
}

function makeMarks(plot) {
  return {
    default: draw("path", plot.moving, { class: "mark", d: TRIANGLE }),
    best: draw("path", plot.moving, { class: "mark", d: STAR }),
  }
}

// kind : "roc" or "pr". x, y : share along each axis of some counts. from : a corner where the line begins before the
// first stop. missing : why there is no picture, or "". below : a sentence below it, if any.
function curvePicture(view, parent, { kind, name, title, missing, below, xTitle, yTitle, x, y, from, steps, chance }) {
  const { figure } = makeFigure(parent, kind, title)
  if (missing) {
    make("p", "soft", figure, missing)
    return { arrange() {}, show() {} }
  }
  const axis = text => ({ low: 0, high: 1, title: text })
  const plot = makePlot(figure, { name: `${name}. ${title}`, height: 220, x: axis(xTitle), y: axis(yTitle) })
  const pixels = at => [plot.x(x(at)), plot.y(y(at))]
  const follower = makePointLabel(view, plot)
  const chanceText = draw("text", plot.moving, { class: "tick inside" }, chance.text) // over the curve and the cross
  const marks = makeMarks(plot)
  const used = draw("circle", plot.moving, { class: "ring", r: 6 })
  const point = draw("circle", plot.moving, { class: "handle", r: 7 })
  if (!view.isFixed) makeCurveDraggable(view, figure, plot)
  offerFile(figure, plot, name)
  if (below) make("p", "below soft", figure, below)

  function arrange(width) {
    plot.resize(width, Math.round(clamp(width * 0.6, 180, 400)))
    const { score, tp, fp } = view.stops
    plot.px = Float32Array.from(score, (_, i) => plot.x(x({ tp: tp[i], fp: fp[i] })))
    plot.py = Float32Array.from(score, (_, i) => plot.y(y({ tp: tp[i], fp: fp[i] })))
    drawChance(plot, chance, chanceText)
    drawBand(plot, view.bands && view.bands[kind])
    drawCurve(plot, from, steps && view.complete)
  }

  function show(now) {
    const [px, py] = pixels(now)
    place(point, px, py)
    follower(px, py)
  }

  function mark() {
    for (const [which, element] of Object.entries(marks)) {
      const given = view.position[which]
      place(element, ...(given ? pixels(given) : [NaN, NaN]))
    }
    place(used, ...(view.position.used ? pixels(view.position.used) : [NaN, NaN]))
  }
  return { arrange, show, mark, figure }
}

function drawCurve(plot, from, steps) {
  const start = from ? `M${plot.x(from[0])} ${plot.y(from[1])}L` : "M"
  const line = lineThrough(plot.px.length, i => plot.px[i], i => plot.py[i], steps)
  draw("path", plot.still, { class: "model", d: line.replace(/^M/, start) })
  if (plot.px.length > 60) return
  for (const i of plot.px.keys()) draw("circle", plot.still, { class: "dot", cx: plot.px[i], cy: plot.py[i], r: 2.5 })
}

function drawChance(plot, { line, at }, text) {
  const [[x1, y1], [x2, y2]] = line
  draw("path", plot.still, { class: "chance", d: `M${plot.x(x1)} ${plot.y(y1)}L${plot.x(x2)} ${plot.y(y2)}` })
  const [x, y, below] = at
  put(text, { x: plot.x(x), y: plot.y(y) + (below ? 15 : -7) })
}

function drawBand(plot, band) {
  if (!band) return
  const values = list => list.map(value => (value === null ? NaN : plot.y(value)))
  draw("path", plot.still, { class: "band", d: areaBetween(band.x.map(plot.x), values(band.low), values(band.high)) })
}

// Two lines from the point to the axes, and the threshold beside it on the side where there is room.
function makePointLabel(view, plot) {
  const cross = draw("path", plot.moving, { class: "cross" })
  const label = draw("text", plot.moving, { class: "follow" })
  return (x, y) => {
    place(label, x, y)
    cross.style.visibility = label.style.visibility
    if (Number.isNaN(x + y)) return
    cross.setAttribute("d", `M${plot.left} ${y.toFixed(1)}H${x.toFixed(1)}V${plot.bottom}`)
    const onRight = x < plot.left + (plot.right - plot.left) * 0.6
    put(label, { "text-anchor": onRight ? "start" : "end", x: onRight ? 13 : -13, y: y < plot.top + 24 ? 18 : -8 })
    write(label, view.thresholdText(view.threshold))
  }
}

// A press anywhere takes the threshold to the stop nearest to it, and on along the curve; without a press the nearest
// stop tells what it is.
function makeCurveDraggable(view, figure, plot) {
  const ghost = draw("circle", plot.moving, { class: "ghost", r: 5 })
  const tip = makeTooltip(figure)
  const hideTip = () => {
    tip.hidden = true
    place(ghost, NaN, NaN)
  }
  plot.moving.addEventListener("pointerdown", event => {
    view.startDrag(event, plot.moving, later => view.goToStop(nearestStop(plot, plot.within(later)).index))
    hideTip()
  })
  plot.moving.addEventListener("pointermove", event => {
    if (view.draggedHandle || event.pointerType === "touch") return
    const { index, away } = nearestStop(plot, plot.within(event))
    if (away > HOVER_PIXELS) return hideTip()
    place(ghost, plot.px[index], plot.py[index])
    showTooltipAt(tip, plot, plot.px[index], plot.py[index], view.describeStop(index))
  })
  plot.moving.addEventListener("pointerleave", hideTip)
  hideTip()
}

function nearestStop(plot, at) {
  let index = 0
  let shortest = Infinity
  for (let i = 0; i < plot.px.length; i++) {
    const distance = (plot.px[i] - at.x) ** 2 + (plot.py[i] - at.y) ** 2
    if (distance < shortest) [index, shortest] = [i, distance]
  }
  return { index, away: Math.sqrt(shortest) }
}

function makeTooltip(figure) {
  return make("div", "tip", figure)
}

// Lines of text beside a place in a picture, on the side where there is room.
function showTooltipAt(tip, plot, x, y, words) {
  tip.hidden = false
  tip.replaceChildren(...words.map((word, i) => make(i ? "span" : "b", "", null, word)))
  const onLeft = x > plot.width * 0.55
  tip.style.left = onLeft ? "" : `${x + 14}px`
  tip.style.right = onLeft ? `${plot.width - x + 14}px` : ""
  tip.style.top = `${plot.box.offsetTop + clamp(y - 30, 0, plot.height - 90)}px`
}
