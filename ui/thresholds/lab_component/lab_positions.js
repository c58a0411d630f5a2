// Where a threshold can stand: the distinct scores that this page holds, highest first, each with its exact counts, and
// which of them are neighbours in the file too.

function columnsOf(frame) {
  const read = name => frame.getChild(name).toArray()
  if (!frame || !frame.numRows) return null
  return { score: read("score"), tp: read("tp"), fp: read("fp"), last: frame.numRows - 1 }
}

// stops : drawn and stepped through everywhere. windows : every distinct score around the thresholds in force, or none.
function positionsOf(stops, windows, nDistinct) {
  const complete = stops.score.length === nDistinct
  const near = complete ? [] : windows
  const { score, tp, fp } = near.reduce(merge, stops)
  const ends = near.map(part => ({ high: part.score[0], low: part.score[part.score.length - 1] }))
  const oneRow = i => tp[i + 1] + fp[i + 1] - tp[i] - fp[i] === 1
  const inWindow = i => ends.some(({ high, low }) => score[i] <= high && score[i + 1] >= low)
  const areNeighbours = i => complete || inWindow(i) || oneRow(i)
  return { score, tp, fp, complete, areNeighbours, last: score.length - 1 }
}

function merge(a, b) {
  const size = a.score.length + b.score.length
  const out = { score: new Float64Array(size), tp: new Float64Array(size), fp: new Float64Array(size) }
  let length = 0
  for (let i = 0, j = 0; i < a.score.length || j < b.score.length; length++) {
    const first = j >= b.score.length || (i < a.score.length && a.score[i] >= b.score[j])
    const [from, at] = first ? [a, i] : [b, j]
    if (first && a.score[i] === b.score[j]) j++
    if (first) i++
    else j++
    for (const name of ["score", "tp", "fp"]) out[name][length] = from[name][at]
  }
  return { score: out.score.subarray(0, length), tp: out.tp.subarray(0, length), fp: out.fp.subarray(0, length) }
}

// Index of the lowest score that is at or above the threshold; -1 where the threshold is above every score.
function findDeciding(positions, threshold) {
  let low = -1
  let high = positions.last
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if (positions.score[middle] >= threshold) low = middle
    else high = middle - 1
  }
  return low
}

// The same, but only where it is the deciding score in the whole file; null where this page cannot know.
function findDecidingExactly(positions, threshold) {
  const at = findDeciding(positions, threshold)
  const sure = at < 0 || at === positions.last || positions.score[at] === threshold || positions.areNeighbours(at)
  return sure ? at : null
}

function countsAtIndex(positions, index) {
  return index < 0 ? { tp: 0, fp: 0 } : { tp: Number(positions.tp[index]), fp: Number(positions.fp[index]) }
}

// Go `steps` distinct scores up (positive) or down: where that leads, and how many steps are left that need scores
// which this page does not hold.
function walk(positions, index, steps) {
  let left = steps
  while (left > 0 && index >= 0 && (index === 0 || positions.areNeighbours(index - 1))) {
    index--
    left--
  }
  while (left < 0 && index < positions.last && (index < 0 || positions.areNeighbours(index))) {
    index++
    left++
  }
  const atEnd = (left > 0 && index < 0) || (left < 0 && index === positions.last)
  return { index, left: atEnd ? 0 : left }
}

// The position whose score is nearest to a value on the score axis.
function indexOfNearestScore(positions, value) {
  const at = findDeciding(positions, value)
  if (at === positions.last || at < 0) return Math.max(at, 0)
  return positions.score[at] - value <= value - positions.score[at + 1] ? at : at + 1
}

// The next number above x: the lowest threshold that is above a score.
function nextUp(x) {
  if (!Number.isFinite(x)) return x
  if (x === 0) return Number.MIN_VALUE
  const bits = new DataView(new ArrayBuffer(8))
  bits.setFloat64(0, x)
  bits.setBigInt64(0, bits.getBigInt64(0) + (x > 0 ? 1n : -1n))
  return bits.getFloat64(0)
}
