// The box beside the pointer.

import { PREDICTED, TRUE, isSingle, percentText } from "./cells.js"
import { element } from "./elements.js"
import { amountText } from "./numbers.js"

// Say what is in a box of cells, or nothing (null), and draw anew.
export function showTooltip(chart, box, event) {
  const { tip, plane, scene } = chart
  chart.redraw()
  tip.hidden = !box
  if (!box) return
  tip.replaceChildren(...tooltipLines(scene.cells, box).map(([className, text]) => element("div", className, text)))
  // beside the pointer, and never outside of the picture
  const room = plane.getBoundingClientRect()
  const [x, y] = [event.clientX - room.left, event.clientY - room.top]
  const left = x + 16 + tip.offsetWidth > room.width ? Math.max(0, x - tip.offsetWidth - 12) : x + 16
  const top = y + 18 + tip.offsetHeight > room.height ? Math.max(0, y - tip.offsetHeight - 10) : y + 18
  tip.style.transform = `translate(${Math.round(left)}px, ${Math.round(top)}px)`
}

function tooltipLines(cells, { rows: down, cols: across }) {
  const rows = cells.rowsIn(cells.regionOf({ rows: down, cols: across }))
  const lines = [["name", cells.nameOfRun(down, TRUE)], ["name", cells.nameOfRun(across, PREDICTED)]]
  const share = text => lines.push(["share", text])
  const isClass = run => isSingle(run) && run[0] < cells.nShared // an answer without a label is never right
  const are = cells.counted ? "" : " are"
  const of = amount => (cells.counted ? `weight ${amountText(amount)}` : `${amountText(amount)} of them`)
  const addCorrect = ([at], whole) => {
    const right = cells.correctRows(at, at, cells.rowsAt(at, at))
    share(`${of(right)}${are} right (${percentText(right / whole)})`)
  }
  lines.push(["rows", cells.textOf({ rows: down, cols: across })])
  const single = isSingle(down) && isSingle(across)
  if (single) {
    share(`${percentText(rows / cells.rowSum[down[0]])} of the true ${cells.noun}`)
    share(`${percentText(rows / cells.columnSum[across[0]])} of the predicted ${cells.noun}`)
    cells.stepsText({ rows: down, cols: across }).forEach(share)
  }
  if (!across && isClass(down)) addCorrect(down, cells.rowSum[down[0]])
  if (!down && isClass(across)) addCorrect(across, cells.columnSum[across[0]])
  share(`${percentText(rows / cells.total)} of all ${cells.counted ? "weight" : "rows"}`)
  const mixed = single && down[0] === across[0] ? cells.mixed.get(down[0]) : undefined
  if (mixed !== undefined) share(`${of(mixed)}${are} right`)
  return lines
}
