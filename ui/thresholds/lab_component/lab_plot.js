// Plain pictures in SVG: axes, lines, and what lies over them and moves. Colours and sizes of text come from the style
// sheet, so that a picture changes with the theme and prints as sharp as text.

const SVG = "http://www.w3.org/2000/svg"
const MARGIN = { left: 46, right: 12, top: 10, bottom: 40 }
const LINEAR = { to: value => value, from: value => value }
const LOG_ODDS_TICKS = [1e-6, 1e-5, 1e-4, 0.001, 0.01, 0.1]

// Log-odds, in which scores near 0 and near 1 have room; `low` and `high` are the ends of the axis.
function logOdds(low, high) {
  const to = value => Math.log(clamp(value, low, high) / (1 - clamp(value, low, high)))
  const round = [...LOG_ODDS_TICKS, 0.5, ...LOG_ODDS_TICKS.map(far => 1 - far).reverse()]
  const ticks = [...new Set(round)].filter(value => value >= low * 0.999 && value <= high * 1.001)
  return { to, from: odds => 1 / (1 + Math.exp(-odds)), ticks }
}

function draw(tag, parent, attributes, text) {
  const element = document.createElementNS(SVG, tag)
  put(element, attributes || {})
  if (text !== undefined) element.textContent = text
  if (parent) parent.append(element)
  return element
}

// A picture with two axes. `still` is drawn once a size, `moving` changes with every frame.
function makePlot(parent, { name, height, x, y, margin }) {
  const box = make("div", "plot", parent)
  const still = draw("svg", box, { role: "img", "aria-label": name })
  const moving = draw("svg", box, { "aria-hidden": "true", class: "moving" })
  const plot = { box, still, moving, height, margin: { ...MARGIN, ...margin }, xAxis: x, yAxis: y, width: 0 }
  const along = (axis, from, to) => {
    const scale = axis.scale || LINEAR
    const [low, high] = [scale.to(axis.low), scale.to(axis.high)]
    return value => from + ((scale.to(value) - low) / (high - low)) * (to - from)
  }
  plot.resize = (width, tall = plot.height) => {
    const { left, right, top, bottom } = plot.margin
    Object.assign(plot, { width, height: tall, left, top, right: width - right, bottom: tall - bottom })
    plot.x = along(plot.xAxis, plot.left, plot.right)
    plot.y = along(plot.yAxis, plot.bottom, plot.top)
    const scale = plot.xAxis.scale || LINEAR
    const [low, high] = [scale.to(plot.xAxis.low), scale.to(plot.xAxis.high)]
    plot.valueAt = pixel => scale.from(low + ((pixel - plot.left) / (plot.right - plot.left)) * (high - low))
    for (const svg of [still, moving]) put(svg, { viewBox: `0 0 ${width} ${tall}`, width, height: tall })
    still.replaceChildren()
    drawAxes(plot)
  }
  plot.within = event => {
    const at = moving.getBoundingClientRect()
    const share = { x: (event.clientX - at.left) / at.width, y: (event.clientY - at.top) / at.height }
    return { x: share.x * plot.width, y: share.y * plot.height }
  }
  return plot
}

function drawAxes(plot) {
  const { still, left, right, top, bottom, xAxis, yAxis } = plot
  const label = (kind, x, y, anchor, text, more) =>
    draw("text", still, { class: kind, x, y, "text-anchor": anchor, ...more }, text)
  for (const value of (xAxis.scale && spreadTicks(xAxis.scale.ticks, plot.x)) || ticks(xAxis.low, xAxis.high, Math.max(2, (right - left) / 90))) {
    draw("line", still, { class: "grid", x1: plot.x(value), x2: plot.x(value), y1: top, y2: bottom })
    if (!xAxis.bare) label("tick", plot.x(value), bottom + 15, "middle", scoreText(value))
  }
  for (const value of yAxis.ticks || ticks(yAxis.low, yAxis.high, Math.max(2, (bottom - top) / 52))) {
    draw("line", still, { class: "grid", x1: left, x2: right, y1: plot.y(value), y2: plot.y(value) })
    label("tick", left - 6, plot.y(value) + 4, "end", (yAxis.text || short)(value))
  }
  const middle = (top + bottom) / 2
  if (xAxis.title) label("axis", (left + right) / 2, bottom + 33, "middle", xAxis.title)
  if (yAxis.title) label("axis", 11, middle, "middle", yAxis.title, { transform: `rotate(-90 11 ${middle})` })
}

// Of some values those whose labels have room beside each other; undefined where these are fewer than two.
function spreadTicks(values, place) {
  const shown = []
  for (const value of values) if (!shown.length || place(value) - place(shown.at(-1)) > 44) shown.push(value)
  return shown.length > 1 ? shown : undefined
}

// Round values between two ends, some `about` of them.
function ticks(low, high, about) {
  const rough = (high - low) / about
  const power = 10 ** Math.floor(Math.log10(rough))
  const step = [1, 2, 2.5, 5, 10].map(times => times * power).find(size => size >= rough * 0.999)
  const places = []
  for (let i = Math.ceil(low / step - 1e-9); i * step <= high + step * 1e-9; i++) places.push(i * step)
  return places
}

function short(value) {
  return String(Number(value.toPrecision(4))).replaceAll("-", "\u2212")
}

// As `write_threshold` in text/numbers.py: five decimals at most, more only close to 0 and 1.
function scoreText(value) {
  if (value && Math.abs(value) < 1e-9) return String(Number(value.toPrecision(3))).replaceAll("-", "\u2212")
  const distance = Math.min(Math.abs(value), Math.abs(1 - value))
  const decimals = distance > 0 && distance < 0.001 ? 2 - Math.floor(Math.log10(distance)) : 5
  return value.toFixed(decimals).replace(/\.?0+$/, "").replace("-", "\u2212")
}

// The `d` of a line through n points; points that fall on the half pixel of the one before are left out. `steps` goes
// up or down first and along after. A point that is undefined breaks the line.
function lineThrough(n, px, py, steps) {
  const parts = []
  let lastX = NaN
  let lastY = NaN
  let pen = false
  for (let i = 0; i < n; i++) {
    const x = px(i)
    const y = py(i)
    if (Number.isNaN(x) || Number.isNaN(y)) {
      pen = false
      continue
    }
    if (pen && Math.abs(x - lastX) < 0.5 && Math.abs(y - lastY) < 0.5 && i < n - 1) continue
    const to = `${x.toFixed(1)} ${y.toFixed(1)}`
    parts.push(!pen ? `M${to}` : steps ? `V${y.toFixed(1)}H${x.toFixed(1)}` : `L${to}`)
    pen = true
    lastX = x
    lastY = y
  }
  return parts.join("")
}

// The area between two lines over the same places.
function areaBetween(px, low, high) {
  const seen = px.map((_, i) => i).filter(i => !Number.isNaN(low[i]) && !Number.isNaN(high[i]))
  const there = seen.map(i => `${px[i].toFixed(1)} ${high[i].toFixed(1)}`)
  const back = seen.reverse().map(i => `${px[i].toFixed(1)} ${low[i].toFixed(1)}`)
  return there.length ? `M${[...there, ...back].join("L")}Z` : ""
}

function put(element, attributes) {
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value)
}

function place(element, x, y) {
  const hidden = Number.isNaN(x) || Number.isNaN(y)
  element.style.visibility = hidden ? "hidden" : ""
  if (!hidden) element.setAttribute("transform", `translate(${x.toFixed(2)} ${y.toFixed(2)})`)
}
