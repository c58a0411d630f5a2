// The cells of a confusion matrix as numbers: sums, shares, and how strong a colour is. Nothing of the page here.
// Rows are the truth, columns the prediction; cells stand row by row, `starts` says where each row begins.

const WHOLE = new Intl.NumberFormat("en-US")

function readMatrix(data) {
  const matrix = {
    ...data,
    column: data.cells.getChild("column").toArray(),
    rows: data.cells.getChild("rows").toArray(),
    same: Math.min(data.n_rows, data.n_cols), // so many first names of both axes agree
    mixed: new Map(data.mixed),
    special: new Set(data.special),
    groupAt: new Map(data.groups),
    rowSum: new Float64Array(data.n_rows),
    columnSum: new Float64Array(data.n_cols),
    total: 0,
    most: 0,
  }
  eachCell(matrix, (i, j, rows) => {
    matrix.rowSum[i] += rows
    matrix.columnSum[j] += rows
    matrix.total += rows
    if (rows > matrix.most) matrix.most = rows
  })
  return matrix
}

function eachCell(matrix, visit) {
  const { starts, column, rows } = matrix
  for (let i = 0; i < matrix.n_rows; i++) for (let k = starts[i]; k < starts[i + 1]; k++) visit(i, column[k], rows[k])
}

// The first place in the list at or after column j of row i.
function placeOf(matrix, i, j) {
  let low = matrix.starts[i]
  let high = matrix.starts[i + 1]
  while (low < high) {
    const middle = (low + high) >> 1
    if (matrix.column[middle] < j) low = middle + 1
    else high = middle
  }
  return low
}

function rowsAt(matrix, i, j) {
  const k = placeOf(matrix, i, j)
  return k < matrix.starts[i + 1] && matrix.column[k] === j ? matrix.rows[k] : 0
}

// Rows of the file in a block i0 <= i < i1, j0 <= j < j1.
function rowsIn(matrix, { i0, i1, j0, j1 }) {
  let sum = 0
  for (let i = i0; i < i1; i++) {
    for (let k = placeOf(matrix, i, j0); k < matrix.starts[i + 1] && matrix.column[k] < j1; k++) sum += matrix.rows[k]
  }
  return sum
}

// How many of a cell's rows were answered correctly: all on the diagonal, none beside it, some where classes were
// added up.
function rightOf(matrix, i, j, rows) {
  if (i !== j || i >= matrix.same) return 0
  return matrix.mixed.get(i) ?? rows
}

// What a cell is a share of; 0 = its share is undefined.
function wholeOf(matrix, how, i, j) {
  if (how === "row") return matrix.rowSum[i]
  if (how === "column") return matrix.columnSum[j]
  return how === "all" ? matrix.total : 1
}

function isUndefined(matrix, how, i, j) {
  return how !== "none" && wholeOf(matrix, how, i, j) === 0
}

// The largest value of the correct and of the wrong rows, each for its own scale, and the smallest of both, where a
// logarithm begins. The row and the column "other", whose many classes would drown the rest, do not stretch them.
function scalesOf(matrix, { normalise, errors_only, log }) {
  const scales = { right: newScale(log), wrong: newScale(log) }
  eachCell(matrix, (i, j, rows) => {
    if (i === matrix.other || j === matrix.other) return
    const whole = wholeOf(matrix, normalise, i, j)
    const right = rightOf(matrix, i, j, rows)
    if (right > 0) widen(scales.right, right / whole)
    if (rows > right) widen(scales.wrong, (rows - right) / whole)
  })
  if (!errors_only) scales.right.least = scales.wrong.least = Math.min(scales.right.least, scales.wrong.least)
  return scales
}

function newScale(log) {
  return { log, least: Infinity, most: 0 }
}

function widen(scale, value) {
  if (value < scale.least) scale.least = value
  if (value > scale.most) scale.most = value
}

// Where a value above zero lies on its scale, 0..1: by its square root, so that one row in a hundred can be seen, or
// by its logarithm.
function placeOn(scale, value) {
  if (!(scale.most > 0)) return 1
  if (!scale.log) return Math.sqrt(Math.min(1, value / scale.most))
  if (scale.most === scale.least) return 1
  return Math.min(1, Math.max(0, Math.log(value / scale.least) / Math.log(scale.most / scale.least)))
}

function valueOn(scale, place) {
  if (!scale.log) return scale.most * place * place
  return scale.least * (scale.most / scale.least) ** place
}

function opacityOf(scale, value, faintest) {
  return faintest + (1 - faintest) * placeOn(scale, value)
}

// A share in words, never rounded to 0 or 100 when it is neither; 0/0 is undefined.
function percentText(share) {
  if (Number.isNaN(share)) return "undefined (0/0)"
  if (share >= 0.9995 && share < 1) return "> 99.9\u00a0%"
  return share > 0 && share < 0.0005 ? "< 0.1\u00a0%" : `${(100 * share).toFixed(1)}\u00a0%`
}

// The same for a narrow cell.
function shortPercent(share) {
  if (share > 0 && share < 0.005) return "<1%"
  return share >= 0.995 && share < 1 ? ">99%" : `${Math.round(100 * share)}%`
}

function rowsText(rows) {
  return `${WHOLE.format(rows)} row${rows === 1 ? "" : "s"}`
}

// What stands in a cell.
function cellText(normalise, value) {
  return normalise === "none" ? WHOLE.format(value) : shortPercent(value)
}

// A value of the legend.
function legendText(normalise, value) {
  if (normalise === "none") return WHOLE.format(value < 10 ? Math.round(10 * value) / 10 : Math.round(value))
  const percent = 100 * value
  return `${percent === 0 ? 0 : percent.toPrecision(percent >= 100 ? 3 : 2) * 1}\u00a0%`
}

// A place -1 on an axis is the whole axis: its name was chosen.
function boxOf(matrix, a, b) {
  const rows = a.i < 0 || b.i < 0 ? null : [Math.min(a.i, b.i), Math.max(a.i, b.i) + 1]
  const cols = a.j < 0 || b.j < 0 ? null : [Math.min(a.j, b.j), Math.max(a.j, b.j) + 1]
  return { rows, cols }
}

function regionOf(matrix, { rows, cols }) {
  return { i0: rows ? rows[0] : 0, i1: rows ? rows[1] : matrix.n_rows, j0: cols ? cols[0] : 0,
           j1: cols ? cols[1] : matrix.n_cols }
}

function nameOfRun(matrix, run, what) {
  if (!run) return `any ${what}`
  const [start, end] = run
  if (end - start === 1) return `${what} ${matrix.names[start]}`
  return `${what} ${matrix.names[start]} to ${matrix.names[end - 1]}, ${WHOLE.format(end - start)} of them`
}

// One cell, name or block as a sentence: "truth refund, predicted billing: 312 rows, 43.0 % of truth".
function boxInWords(matrix, box) {
  const rows = rowsIn(matrix, regionOf(matrix, box))
  const what = `${nameOfRun(matrix, box.rows, "truth")}, ${nameOfRun(matrix, box.cols, "predicted")}: ${rowsText(rows)}`
  if (!box.rows || !box.cols || box.rows[1] - box.rows[0] !== 1 || box.cols[1] - box.cols[0] !== 1) return what
  const ofTruth = percentText(rows / matrix.rowSum[box.rows[0]])
  return `${what}, ${ofTruth} of truth, ${percentText(rows / matrix.columnSum[box.cols[0]])} of prediction`
}
