// The cells of a confusion matrix as numbers: sums, shares, and how strong a colour is. Nothing of the page here.
// Rows are the truth, columns the prediction; cells stand row by row, `starts` says where each row begins.

import { WHOLE, amountText } from "./numbers.js"

export const TRUE = "true"
export const PREDICTED = "predicted as"

export class Cells {
  constructor(data) {
    const [counted, weight] = ["rows", "weight"].map(name => data.cells.getChild(name)?.toArray())
    Object.assign(this, data, {
      column: data.cells.getChild("column").toArray(),
      rows: weight ?? counted,
      counted: weight && counted, // rows have weights, which stand in their place
      nShared: Math.min(data.n_rows, data.n_cols), // so many first names of both axes agree
      mixed: new Map(data.mixed),
      special: new Set(data.special),
      groupAt: new Map(data.groups), // the collapsed ones
      expanded: data.outlines.filter(outline => outline[3] === "group"),
      rowSum: new Float64Array(data.n_rows),
      columnSum: new Float64Array(data.n_cols),
      total: 0,
      most: 0,
    })
    this.forEachCell((i, j, rows) => {
      this.rowSum[i] += rows
      this.columnSum[j] += rows
      this.total += rows
      this.most = Math.max(this.most, rows)
    })
    this.grouped = this.groupAt.size + this.expanded.length > 0
  }

  forEachCell(visit) {
    const { starts, column, rows } = this
    for (let i = 0; i < this.n_rows; i++) for (let k = starts[i]; k < starts[i + 1]; k++) visit(i, column[k], rows[k])
  }

  // The first place in the list at or after column j of row i.
  indexOf(i, j) {
    let [low, high] = [this.starts[i], this.starts[i + 1]]
    while (low < high) {
      const middle = (low + high) >> 1
      if (this.column[middle] < j) low = middle + 1
      else high = middle
    }
    return low
  }

  rowsAt(i, j) {
    return this.rowsIn({ i0: i, i1: i + 1, j0: j, j1: j + 1 })
  }

  // Rows of the file, or their weight, in a block i0 <= i < i1, j0 <= j < j1.
  rowsIn({ i0, i1, j0, j1 }, values = this.rows) {
    let sum = 0
    for (let i = i0; i < i1; i++) {
      for (let k = this.indexOf(i, j0); k < this.starts[i + 1] && this.column[k] < j1; k++) sum += values[k]
    }
    return sum
  }

  // How many of a cell's rows are correct: all on the diagonal, none beside it, some where classes were added up.
  correctRows(i, j, rows) {
    return i === j && i < this.nShared ? (this.mixed.get(i) ?? rows) : 0
  }

  // The nearest cell with rows, up to so many cells away: of two as near, that of more rows. Without one, the cell itself.
  nearestDrawn({ i, j }, reach, errorsOnly) {
    let nearest = { i, j, distance: Infinity, rows: 0 }
    for (let row = Math.max(0, i - reach); row <= Math.min(this.n_rows - 1, i + reach); row++) {
      for (let k = this.indexOf(row, j - reach); k < this.starts[row + 1] && this.column[k] <= j + reach; k++) {
        const column = this.column[k]
        const rows = this.rows[k] - (errorsOnly ? this.correctRows(row, column, this.rows[k]) : 0)
        const distance = Math.hypot(row - i, column - j)
        const isNearer = distance < nearest.distance || (distance === nearest.distance && rows > nearest.rows)
        if (rows > 0 && distance <= reach && isNearer) nearest = { i: row, j: column, distance, rows }
      }
    }
    return { i: nearest.i, j: nearest.j }
  }

  // What a cell is a share of; 0 = its share is undefined.
  denominatorOf(how, i, j) {
    if (how === "row") return this.rowSum[i]
    if (how === "column") return this.columnSum[j]
    return how === "all" ? this.total : 1
  }

  // How many steps of ordered labels a cell is off; 0 where a side has no place in their order.
  stepsOff(i, j) {
    const [from, to] = [this.ranks[i] ?? -1, this.ranks[j] ?? -1]
    return from < 0 || to < 0 ? 0 : Math.abs(from - to)
  }

  // What the colour of the correct or the wrong rows of a cell follows: their number, a share, or the steps of the wrong.
  valueOf(how, part, i, j, rows) {
    if (how === "steps" && part === "wrong") return this.stepsOff(i, j)
    return rows / this.denominatorOf(how, i, j)
  }

  // The scales of the correct rows, linear, so that a weak class is pale, and of the wrong ones, by the square root, so
  // that one row in a hundred can be seen; a logarithm begins at the smallest value of both. The row and the
  // column "other", whose many classes would drown the rest, do not stretch them.
  scalesFor({ normalise, errors_only, log }) {
    const [right, wrong] = [new Scale(log, value => value), new Scale(log, Math.sqrt)]
    this.forEachCell((i, j, rows) => {
      if (i === this.other || j === this.other) return
      const correct = this.correctRows(i, j, rows)
      if (correct > 0) right.widen(this.valueOf(normalise, "right", i, j, correct))
      if (rows > correct) wrong.widen(this.valueOf(normalise, "wrong", i, j, rows - correct))
    })
    if (!errors_only && normalise !== "steps") right.least = wrong.least = Math.min(right.least, wrong.least)
    return { right, wrong }
  }

  // The group that a place of an axis belongs to, collapsed or expanded; -1 = none.
  groupOf(at) {
    const inside = this.expanded.find(([start, end]) => start <= at && at < end)
    return this.groupAt.get(at) ?? (inside ? inside[4] : -1)
  }

  // The box {rows, cols} between two places; a place -1 on an axis is the whole axis (null): its name was chosen.
  boxOf(a, b) {
    const run = (one, other) => (one < 0 || other < 0 ? null : [Math.min(one, other), Math.max(one, other) + 1])
    return { rows: run(a.i, b.i), cols: run(a.j, b.j) }
  }

  regionOf({ rows, cols }) {
    const [[i0, i1], [j0, j1]] = [rows ?? [0, this.n_rows], cols ?? [0, this.n_cols]]
    return { i0, i1, j0, j1 }
  }

  nameOfRun(run, what) {
    if (!run) return what === TRUE ? `any true ${this.noun}` : `predicted as any ${this.noun}`
    const [start, end] = run
    const named = at => (what === TRUE ? this.names[at].replace(/^class (?=-?\d{1,9}$)/, "") : this.names[at])
    const begin = what === TRUE ? `true ${this.noun}` : what
    if (isSingle(run)) return `${begin} ${named(start)}`
    return `${begin} ${named(start)} to ${named(end - 1)}, ${WHOLE.format(end - start)} classes`
  }

  // How many steps a wrong cell is off, in words; nothing without an order of the labels.
  stepsText({ rows, cols }) {
    const steps = this.stepsOff(rows[0], cols[0])
    return steps ? [`${steps} step${steps === 1 ? "" : "s"} off`] : []
  }

  // A block in words: its rows, and where they have weights, these first.
  textOf(box) {
    const region = this.regionOf(box)
    const sum = this.rowsIn(region)
    return this.counted ? `weight ${amountText(sum)}, ${rowsText(this.rowsIn(region, this.counted))}` : rowsText(sum)
  }

  // One cell, name or block: "true class refund, predicted as billing: 312 rows, 43.0 % of the true class, …".
  describe(box) {
    const rows = this.rowsIn(this.regionOf(box))
    const what = `${this.nameOfRun(box.rows, TRUE)}, ${this.nameOfRun(box.cols, PREDICTED)}: ${this.textOf(box)}`
    if (!isSingle(box.rows) || !isSingle(box.cols)) return what
    const [ofTrue, ofPredicted] = [rows / this.rowSum[box.rows[0]], rows / this.columnSum[box.cols[0]]]
    const shares = [`${percentText(ofTrue)} of the true ${this.noun}`, `${percentText(ofPredicted)} of the predicted ${this.noun}`]
    return [what, ...shares, ...this.stepsText(box)].join(", ")
  }
}

export function isSingle(run) {
  return Boolean(run) && run[1] - run[0] === 1
}

// Where a value above zero lies between zero and the largest, 0..1, by a curve of its share, or between the smallest and
// the largest by its logarithm.
class Scale {
  constructor(log, curve) {
    Object.assign(this, { log, curve, least: Infinity, most: 0 })
  }

  widen(value) {
    this.least = Math.min(this.least, value)
    this.most = Math.max(this.most, value)
  }

  positionOf(value) {
    if (!(this.most > 0)) return 1
    if (!this.log) return this.curve(Math.min(1, value / this.most))
    if (this.most === this.least) return 1
    return Math.min(1, Math.max(0, Math.log(value / this.least) / Math.log(this.most / this.least)))
  }

  opacityOf(value, faintest) {
    return faintest + (1 - faintest) * this.positionOf(value)
  }
}

// A share in words, never rounded to 0 or 100 when it is neither; 0/0 is undefined.
export function percentText(share) {
  if (Number.isNaN(share)) return "undefined (0/0)"
  if (share >= 0.9995 && share < 1) return "> 99.9\u00a0%"
  return share > 0 && share < 0.0005 ? "< 0.1\u00a0%" : `${(100 * share).toFixed(1)}\u00a0%`
}

export function rowsText(rows) {
  return `${WHOLE.format(rows)} row${rows === 1 ? "" : "s"}`
}

// The text in a cell, which is narrow: the space before "%" is the narrow one that no line is broken at.
export function cellText(normalise, value) {
  if (normalise === "none" || normalise === "steps") return amountText(value)
  if (value > 0 && value < 0.005) return "<1\u202f%"
  return value >= 0.995 && value < 1 ? WIDEST_SHARE : `${Math.round(100 * value)}\u202f%`
}
export const WIDEST_SHARE = ">99\u202f%"

// A class with true rows that no row is predicted as: its place on the diagonal is a hollow square.
export function isNeverPredicted(cells, place) {
  return cells.rowSum[place] > 0 && !cells.columnSum[place]
}

// A value of the legend.
export function legendText(normalise, value) {
  if (normalise === "none" || normalise === "steps") return WHOLE.format(value < 10 ? Math.round(10 * value) / 10 : Math.round(value))
  return value === 0 ? "0\u00a0%" : percentText(value)
}
