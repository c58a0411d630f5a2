// What is said beside the pointer.

function showTip(chart, what) {
  const { tip, scene } = chart
  tip.hidden = !what
  if (!what) return
  const box = what.box ?? boxOf(scene.matrix, what.spot, what.spot)
  tip.replaceChildren()
  for (const [className, text] of tipLines(scene, box)) make("div", className, tip, text)
  place(chart, what.event)
}

function tipLines(scene, box) {
  const { matrix } = scene
  const rows = rowsIn(matrix, regionOf(matrix, box))
  const lines = [["name", nameOfRun(matrix, box.rows, "truth")], ["name", nameOfRun(matrix, box.cols, "predicted")]]
  lines.push(["rows", rowsText(rows)])
  const single = run => run && run[1] - run[0] === 1
  if (single(box.rows) && single(box.cols)) return [...lines, ...cellLines(matrix, box.rows[0], box.cols[0], rows)]
  const name = (run, sums, what) => lines.push(["share", nameLine(matrix, run[0], sums[run[0]], what)])
  const isClass = run => single(run) && run[0] < matrix.same // an unparseable answer is never right
  if (!box.cols && isClass(box.rows)) name(box.rows, matrix.rowSum, "are called so")
  if (!box.rows && isClass(box.cols)) name(box.cols, matrix.columnSum, "are truly that")
  return [...lines, ["share", `${percentText(rows / matrix.total)} of all`]]
}

function nameLine(matrix, at, whole, what) {
  const right = rightOf(matrix, at, at, rowsAt(matrix, at, at))
  return `${WHOLE.format(right)} of them ${what} (${percentText(right / whole)})`
}

function cellLines(matrix, i, j, rows) {
  const lines = [
    ["share", `${percentText(rows / matrix.rowSum[i])} of this truth`],
    ["share", `${percentText(rows / matrix.columnSum[j])} of this prediction`],
    ["share", `${percentText(rows / matrix.total)} of all`],
  ]
  if (i === j && matrix.mixed.has(i)) lines.push(["share", `${WHOLE.format(matrix.mixed.get(i))} of them right`])
  return lines
}

// Beside the pointer, and never outside of the picture.
function place(chart, event) {
  const { tip, plane } = chart
  const box = plane.getBoundingClientRect()
  const [x, y] = [event.clientX - box.left, event.clientY - box.top]
  const left = x + 16 + tip.offsetWidth > box.width ? Math.max(0, x - tip.offsetWidth - 12) : x + 16
  const top = y + 18 + tip.offsetHeight > box.height ? Math.max(0, y - tip.offsetHeight - 10) : y + 18
  tip.style.transform = `translate(${Math.round(left)}px, ${Math.round(top)}px)`
}
