// Scores by truth: positives upwards, negatives downwards, each side adding up to 100 %. Right of the threshold is
// predicted positive: blue is found, orange wrong, grey not predicted positive; stripes are negatives. A bar leads to its rows. One
// bar that would leave no room for the others is cut, and says its share.

const GRAB_PIXELS = 9 // pixels around an upright line that still take hold of it
const PARTS = [
  ["positives", "below", "wrong"],
  ["positives", "above", "right"],
  ["negatives", "below", "rest"],
  ["negatives", "above", "wrong"],
]

const TALLEST = 2.5 // times the next tallest bar of its side, from which a bar is cut
const AXIS = { left: 92, right: 20 } // the same for every picture over the scores

function histogramPicture(view, parent) {
  const { figure, title } = makeFigure(parent, "scores", "")
  title.classList.add("sr")
  const { edges, positives, negatives } = view.curves
  const [up, down] = [sharesOfSide(positives, view.nPos), sharesOfSide(negatives, view.nNeg)]
  const shares = { positives: up.drawn, negatives: down.drawn.map(share => -share) }
  const reach = { up: Math.max(up.top, 1e-9), down: Math.max(down.top, 1e-9) }
  // both sides have the same room: each adds up to 100 % of its own rows
  const drawn = { positives: shares.positives.map(v => v / reach.up), negatives: shares.negatives.map(v => v / reach.down) }
  const plot = makePlot(figure, {
    name: "Scores by truth", height: 150, margin: { ...AXIS, top: 8, bottom: 6 }, x: { ...scoreAxis(view), bare: true },
    y: { low: -1.1, high: 1.1, ticks: [] },
  })
  const clips = { below: makeClip(`below-${view.id}`), above: makeClip(`above-${view.id}`) }
  const open = draw("rect", plot.moving, { class: "open" })
  const lines = { low: makeVerticalLine(plot, "low"), t: makeVerticalLine(plot, "now") }
  const bars = barButtons(view, figure, plot)
  makeLinesDraggable(view, plot, lines, bars)

  function arrange(width) {
    plot.resize(width)
    const defs = draw("defs", plot.still)
    defs.append(clips.below.element, clips.above.element, stripePattern(view, "rest"), stripePattern(view, "wrong"))
    for (const [side, part, colour] of PARTS) {
      const fill = side === "negatives" ? `url(#${colour}-${view.id})` : `var(--${colour})`
      const bar = { class: "bars", d: barPath(plot, edges, drawn[side]), style: `fill:${fill};stroke:var(--${colour})` }
      draw("path", plot.still, { ...bar, "clip-path": `url(#${part}-${view.id})` })
    }
    draw("path", plot.still, { class: "zero", d: `M${plot.left} ${plot.y(0)}H${plot.right}` })
    const { name, others } = view.curves
    const othersText = others || view.curves.unit ? rowsText(view, view.nNeg) : count(view, view.nNeg)
    sideLabel(plot, name, rowsText(view, view.nPos), plot.y(0.55))
    sideLabel(plot, others || "other rows", othersText, plot.y(-0.45))
    for (const [share, i] of up.cut) drawCut(plot, edges, i, 1, share)
    for (const [share, i] of down.cut) drawCut(plot, edges, i, -1, share)
    bars.arrange()
  }

  function show(now) {
    const split = clamp(plot.x(view.threshold), plot.left, plot.right)
    const low = view.low === null ? NaN : clamp(plot.x(view.low), plot.left, split)
    clips.below.set(0, split, plot.height)
    clips.above.set(split, plot.width - split, plot.height)
    lines.t.set(split)
    lines.low.set(low)
    open.style.visibility = view.low === null ? "hidden" : ""
    if (view.low !== null) put(open, { x: low, width: split - low, y: plot.top, height: plot.bottom - plot.top })
    write(title, histogramWords(view, now))
  }
  return { arrange, show, plot, figure }
}

// The shares of one side's rows in every bar, and which of them is cut: [share, index].
function sharesOfSide(rows, total) {
  const shares = rows.map(n => n / Math.max(1, total))
  const [first, second] = [...shares].sort((a, b) => b - a)
  if (!second || first < TALLEST * second) return { drawn: shares, top: first, cut: [] }
  const top = 1.3 * second
  const at = shares.indexOf(first)
  return { drawn: shares.map(share => Math.min(share, top)), top, cut: [[first, at]] }
}

// Two short lines through the bar that is cut, and its share beside it.
function drawCut(plot, edges, i, sign, share) {
  const [left, right] = [plot.x(edges[i]), plot.x(edges[i + 1])]
  const y = plot.y(sign * 0.8)
  for (const down of [0, 4]) {
    draw("path", plot.still, { class: "cut", d: `M${left - 3} ${y + down + 3}L${right + 3} ${y + down - 3}` })
  }
  const onLeft = right < plot.right - 60
  const place = { x: onLeft ? right + 5 : left - 5, y: plot.y(sign) + (sign > 0 ? 10 : 0), "text-anchor": onLeft ? "start" : "end" }
  draw("text", plot.still, { class: "tick inside", ...place }, `${percentOf(share, 1)}, bar cut`)
}

function sideLabel(plot, name, rows, y) {
  const cut = name.length > 12 ? `${name.slice(0, 4)}\u2026${name.slice(-7)}` : name
  const look = { x: plot.left - 8, "text-anchor": "end" }
  draw("title", draw("text", plot.still, { ...look, class: "side-name", y }, cut), {}, name)
  draw("text", plot.still, { ...look, class: "tick", y: y + 15 }, rows)
}

function scoreAxis(view) {
  const { low, high } = view.span
  return view.curves.log_odds ? { low, high, scale: logOdds(low, high) } : { low, high }
}

function histogramWords(view, now) {
  if (view.threshold > view.highest) return "Nothing lies at or above the threshold"
  const side = (part, whole, name) => (whole ? [`${percentOf(part, whole)} of the ${name}`] : [])
  const shares = [...side(now.tp, view.nPos, "positives"), ...side(now.fp, view.nNeg, "negatives")]
  return `At or above ${view.thresholdText(view.threshold)} lie ${shares.join(" and ")}`
}

function barPath(plot, edges, shares) {
  const gap = Math.min(1, (plot.x(edges[1]) - plot.x(edges[0])) * 0.06)
  const bar = (share, i) => {
    if (!share) return ""
    const tall = plot.y(share) - plot.y(0)
    const seen = Math.sign(tall) * Math.max(Math.abs(tall), 0.75) // so that a bar of one row can be seen
    const [left, right] = [plot.x(edges[i]) + gap, plot.x(edges[i + 1]) - gap]
    return `M${left.toFixed(1)} ${plot.y(0).toFixed(1)}v${seen.toFixed(1)}H${right.toFixed(1)}v${(-seen).toFixed(1)}Z`
  }
  return shares.map(bar).join("")
}

function makeClip(id) {
  const element = draw("clipPath", null, { id })
  const rect = draw("rect", element, { x: 0, y: 0 })
  const set = (x, width, height) => put(rect, { x: x.toFixed(1), width: Math.max(0, width).toFixed(1), height })
  return { element, set }
}

function stripePattern(view, colour) {
  const size = { width: 5, height: 5, patternUnits: "userSpaceOnUse", patternTransform: "rotate(45)" }
  const pattern = draw("pattern", null, { id: `${colour}-${view.id}`, ...size })
  draw("rect", pattern, { width: 5, height: 5, style: `fill:var(--${colour});fill-opacity:.3` })
  draw("rect", pattern, { width: 2, height: 5, style: `fill:var(--${colour})` })
  return pattern
}

function makeVerticalLine(plot, kind) {
  const group = draw("g", plot.moving, { class: `upright ${kind}` })
  const line = draw("path", group)
  const made = { x: NaN }
  made.set = x => {
    made.x = x
    place(group, x, 0)
    line.setAttribute("d", `M0 ${plot.top - 8}V${plot.bottom + 6}`) // on into the picture below
  }
  return made
}

// Every bar as a button over the picture, for the hand and for the keyboard.
function barButtons(view, figure, plot) {
  const { edges } = view.curves
  const focus = draw("rect", plot.moving, { class: "focus" })
  const tip = makeTooltip(figure)
  const group = make("div", "bars", plot.box)
  group.setAttribute("role", "toolbar")
  group.setAttribute("aria-label", "Bars of the histogram: arrow keys move, Enter shows the rows of a bar")
  const leave = () => {
    tip.hidden = true
    focus.style.visibility = "hidden"
  }
  const hover = i => {
    focus.style.visibility = ""
    const left = plot.x(edges[i])
    put(focus, { x: left, width: plot.x(edges[i + 1]) - left, y: plot.top, height: plot.bottom - plot.top })
    showTooltipAt(tip, plot, left, plot.y(0), [...barWords(view, i), "click: these rows"])
  }
  const made = view.curves.positives.map((_, i) => {
    const button = make("button", "", group)
    Object.assign(button, { tabIndex: i ? -1 : 0, onfocus: () => hover(i), onblur: leave })
    button.setAttribute("aria-label", `${barWords(view, i).join(", ")}: show these rows`)
    button.onclick = () => view.showRows({ bar: i })
    return button
  })
  group.onkeydown = event => moveFocus(event, made)
  const arrange = () => {
    for (const [i, button] of made.entries()) {
      button.style.left = `${plot.x(edges[i])}px`
      button.style.width = `${plot.x(edges[i + 1]) - plot.x(edges[i])}px`
    }
  }
  leave()
  return { arrange, hover, leave, count: made.length }
}

function moveFocus(event, buttons) {
  const to = buttons[buttons.indexOf(event.target) + ({ ArrowRight: 1, ArrowLeft: -1 }[event.key] || 0)]
  if (!to || to === event.target) return
  event.preventDefault()
  event.target.tabIndex = -1
  to.tabIndex = 0
  to.focus()
}

function barWords(view, i) {
  const { edges, positives, negatives } = view.curves
  const side = (rows, total, name) => `${count(view, rows)} ${name} (${percentOf(rows, total)})`
  return [
    `score ${scoreText(edges[i])} to ${scoreText(edges[i + 1])}`,
    side(positives[i], view.nPos, "positive"),
    side(negatives[i], view.nNeg, "negative"),
  ]
}

// Near an upright line a press takes hold of it; elsewhere a bar is meant.
function makeLinesDraggable(view, plot, lines, bars) {
  const handleAt = event => {
    const { x } = plot.within(event)
    const away = name => (Number.isNaN(lines[name].x) ? Infinity : Math.abs(lines[name].x - x))
    const nearer = away("low") < away("t") ? "low" : "t"
    return away(nearer) <= GRAB_PIXELS ? nearer : null
  }
  plot.box.addEventListener("pointerdown", event => {
    const handle = handleAt(event)
    if (!handle) return
    view.startDrag(event, plot.box, later => view.goToScore(plot.valueAt(plot.within(later).x), handle), handle)
    bars.leave()
  })
  plot.box.addEventListener("pointermove", event => {
    if (view.draggedHandle || event.pointerType === "touch") return
    const handle = handleAt(event)
    plot.box.classList.toggle("holds", Boolean(handle))
    const bar = Math.floor(((plot.within(event).x - plot.left) / (plot.right - plot.left)) * bars.count)
    if (handle || bar < 0 || bar >= bars.count) bars.leave()
    else bars.hover(bar)
  })
  plot.box.addEventListener("pointerleave", bars.leave)
}
