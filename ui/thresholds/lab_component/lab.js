// The threshold lab: four pictures, four counts and a table that follow one threshold in the page. The server is asked
// nothing while it is dragged; on release the threshold is sent once. Where two thresholds are compared, nothing moves.
//
// The curves are large and constant. What changes, "position" and "bands", comes from the small component
// "component_update"; they may arrive in any order.

import { make, saveCanvas, setColours, write } from "./elements.js"
import "./rates.js"
import "./lab_positions.js"
import "./lab_plot.js"
import "./lab_picture_file.js"
import "./lab_numbers.js"
import "./lab_curves.js"
import "./lab_histogram.js"
import "./lab_metrics.js"
import "./lab_controls.js"
import "./lab_threshold.js"

const labs = (globalThis[Symbol.for("blindspot.updates")] ??= new Map()) // id -> {position, bands, view}
const shown = new WeakMap() // element -> the lab whose view it holds
const KEPT = 8 // labs remembered after their page has gone

export default function (component) {
  const { data, parentElement, setTriggerValue } = component
  const host = parentElement.querySelector(".lab")
  if (!host || !data) return
  const lab = labOf(data.id)
  lab.curves = data
  const before = shown.get(host)
  if (before && before !== lab) close(before)
  if (lab.view && lab.view.host !== host) close(lab)
  lab.view ||= makeView(host, lab)
  lab.view.send = setTriggerValue
  lab.changed = role => lab.view && lab.view.receive(role)
  shown.set(host, lab)
  return () => close(lab)
}

function close(lab) {
  if (lab.view) lab.view.end()
  lab.view = null
}

function labOf(id) {
  const lab = labs.get(id) || {}
  labs.delete(id)
  labs.set(id, lab)
  for (const [other, { curves, view }] of labs) if (labs.size > KEPT && curves && !view) labs.delete(other)
  return lab
}

function makeView(host, lab) {
  const { curves } = lab
  const edges = curves.edges
  const view = {
    id: curves.id.replace(/\W/g, "-"), host, lab, curves,
    nPos: curves.n_pos, nNeg: curves.n_neg, nDistinct: curves.n_distinct,
    stops: columnsOf(curves.stops),
    span: { low: edges[0], high: edges[edges.length - 1] },
    threshold: NaN, low: null, counts: null, lowCounts: null,
    draggedHandle: null, sentKey: null, pendingSteps: 0, pendingHandle: "t", knownCounts: new Map(),
  }
  view.complete = view.stops.score.length === view.nDistinct
  view.highest = view.stops.score[0]
  view.aboveEveryScore = nextUp(view.highest)
  view.positions = positionsOf(view.stops, [], view.nDistinct)
  setColours(host, curves.colours)
  host.replaceChildren()
  addDescriptions(view)
  addThresholdMoves(view)
  addPictures(view)
  view.receive = role => (role === "bands" ? view.arrange() : refresh(view))
  window.addEventListener("popstate", view.abandon)
  view.end = () => {
    window.removeEventListener("popstate", view.abandon)
    view.observer.disconnect()
    clearTimeout(view.timer)
    clearTimeout(view.reader)
  }
  if (lab.bands) view.bands = lab.bands
  if (lab.position) refresh(view)
  return view
}

function addDescriptions(view) {
  view.thresholdText = threshold => (threshold > view.highest ? "above every score" : scoreText(threshold))
  view.describeStop = index => {
    const { score, tp, fp } = view.stops
    const at = rates(tp[index], fp[index], view.nPos, view.nNeg)
    return [
      `threshold ${view.thresholdText(score[index])}`,
      `found ${count(view, at.tp)} of ${count(view, view.nPos)}: recall ${decimal(at.recall)}`,
      `false positives ${count(view, at.fp)} of ${count(view, view.nNeg)}`,
      `precision ${decimal(at.precision)} \u00b7 F1 ${decimal(at.f1)}`,
    ]
  }
}

// The threshold as the server has it arrived, with the scores around it. A threshold that has moved on is left alone.
function refresh(view) {
  const { position } = view.lab
  view.position = position
  const windows = [columnsOf(position.near), columnsOf(position.near_low)].filter(Boolean)
  view.positions = positionsOf(view.stops, windows, view.nDistinct)
  const given = [position, position.low, position.default, position.best, position.used].filter(Boolean)
  view.knownCounts = new Map(given.map(({ t, tp, fp }) => [Number(t), { tp, fp }]))
  const answers = view.sentKey === null || view.sentKey === thresholdKey(position.t, position.low && position.low.t)
  if (answers) view.sentKey = null
  if (answers && !view.draggedHandle && !view.timer) {
    Object.assign(view, { low: null, lowCounts: null })
    if (position.low) Object.assign(view, { low: Number(position.low.t), lowCounts: position.low })
    Object.assign(view, { threshold: Number(position.t), counts: { tp: position.tp, fp: position.fp } })
  }
  if (view.width) for (const part of view.parts) if (part.mark) part.mark()
  show(view)
  if (answers && view.pendingSteps) stepBy(view, view.pendingSteps, view.pendingHandle) // `sentKey` is null now: these are taken, not added
}

function addPictures(view) {
  const { host, curves } = view
  if (curves.compared) addComparedPictures(view)
  else addLabPictures(view)
  view.liveRegion = make("div", "sr", host)
  view.liveRegion.setAttribute("aria-live", "polite")
  view.arrange = () => {
    view.width = host.clientWidth
    view.bands = view.lab.bands && view.lab.bands.roc ? view.lab.bands : null
    if (!view.width) return
    for (const part of view.parts) {
      if (part.arrange) part.arrange(part.figure ? part.figure.clientWidth : 0)
      if (part.mark && view.position) part.mark()
    }
    show(view)
  }
  view.observer = new ResizeObserver(() => Math.abs(host.clientWidth - (view.width || 0)) > 1 && view.arrange())
  view.observer.observe(host)
}

function addLabPictures(view) {
  const { host } = view
  const grid = make("div", "pictures", host)
  const main = make("div", "main", grid)
  const over = make("div", "over", main)
  const hint = make("p", "hint", over, "Drag the handle to move the threshold. ")
  make("span", "more", hint, "The bars of each side add up to 100\u00a0%.")
  view.parts = [histogramPicture(view, over), metricsPicture(view, over)]
  view.parts.push(thresholdHandles(view, over, view.parts[0].plot))
  view.parts.push(...twoCurves(view, make("div", "curves", main)))
  const side = make("section", "side", grid)
  view.parts.push(makeNumberField(view, side))
  make("h2", "", side, "With this threshold")
  view.parts.push(countsList(view, side), numbersTable(view, side))
  make("button", "choose", side, "Choose a threshold").onclick = () => view.send("choose", true)
}

function addComparedPictures(view) {
  const { host } = view
  view.isFixed = true
  view.parts = [comparedCounts(view, host)]
  view.parts.push(...twoCurves(view, make("div", "curves", host)))
}

function twoCurves(view, parent) {
  const { curves } = view
  const share = view.nPos / (view.nPos + view.nNeg)
  const alone = view.nPos && view.nNeg ? "" : "A ROC curve needs rows of both classes with a score."
  return [
    curvePicture(view, parent, {
      kind: "roc", name: "ROC curve", title: curves.titles.roc, missing: alone, below: curves.shape,
      xTitle: "false positive rate", yTitle: "recall", from: [0, 0],
      x: at => at.fp / view.nNeg, y: at => at.tp / view.nPos,
      chance: { line: [[0, 0], [1, 1]], text: "no skill", at: [0.72, 0.68, true] },
    }),
    curvePicture(view, parent, {
      kind: "pr", name: "Precision against recall", title: curves.titles.pr, steps: true,
      missing: view.nPos ? "" : "Precision against recall needs at least one positive row with a score.",
      xTitle: "recall", yTitle: "precision", x: at => at.tp / view.nPos, y: at => at.tp / (at.tp + at.fp),
      chance: {
        line: [[0, share], [1, share]], text: `no skill: ${decimal(share)}`, at: [0.04, share, share > 0.2],
      },
    }),
  ]
}

function show(view) {
  if (!view.counts || !view.width || !view.position) return
  const now = allNumbers(view, view.counts)
  for (const part of view.parts) part.show(now)
  if (!view.isFixed) followInTitle(view, now)
  clearTimeout(view.reader)
  view.reader = setTimeout(() => write(view.liveRegion, announcement(view, now)), QUIET)
}

// The page's title says what this threshold finds: it follows while the server is not asked. The words are the server's.
const FOUND = /^(?:At score \u2265 \S+|Above every score)( the model finds )(?:none|(?:only )?[\d,.]+)( of [\d,.]+\s*)$/

function followInTitle(view, now) {
  const title = document.querySelector('[data-testid="stMain"] h1')
  const text = title && document.createTreeWalker(title, NodeFilter.SHOW_TEXT).nextNode()
  const [sentence, finds, of] = text?.data.match(FOUND) ?? []
  if (!sentence) return
  const where = view.threshold > view.highest ? "Above every score" : `At score \u2265 ${view.thresholdText(view.threshold)}`
  const positives = now.tp ? `${now.recall < 0.5 ? "only " : ""}${count(view, now.tp)}` : "none"
  const next = `${where}${finds}${positives}${of}`
  if (sentence !== next) text.data = next
}

function announcement(view, now) {
  const shares = `precision ${decimal(now.precision)}, recall ${decimal(now.recall)}, F1 ${decimal(now.f1)}`
  const counts = `${count(view, now.tp)} found, ${count(view, now.fn)} missed, ${count(view, now.fp)} false positives`
  return `Threshold ${view.thresholdText(view.threshold)}: ${shares}. ${counts}.`
}
