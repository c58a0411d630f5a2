// What a threshold does, computed from four counts in the order of operations of `metrics/thresholds/threshold_metrics.py`: the same
// doubles to the last bit. Pure functions; nothing here knows of a page.

const EXACT = 2 ** 53 // whole numbers up to here are exact as doubles
const LARGEST = 2n ** 62n // from here on, of units of weight, the server's products are doubles, too

// Every rate when tp of nPos positives and fp of nNeg negatives are predicted positive; 0/0 is NaN.
function rates(tp, fp, nPos, nNeg) {
  const n = nPos + nNeg
  const fn = nPos - tp
  const tn = nNeg - fp
  const predicted = tp + fp
  const notPredicted = n - predicted
  const recall = tp / nPos
  const fpr = fp / nNeg
  const youden = recall - fpr
  const spread = Math.sqrt((predicted * notPredicted) * (nPos * nNeg))
  return {
    tp, fp, fn, tn, recall, fpr,
    precision: tp / predicted,
    specificity: tn / nNeg,
    npv: tn / notPredicted,
    accuracy: (tp + tn) / n,
    balanced_accuracy: (youden + 1) / 2,
    f1: (2 * tp) / (predicted + nPos),
    youden_j: youden,
    mcc: mccNumerator(tp, fp, nPos, nNeg) / spread,
    predicted_positive_rate: predicted / n,
  }
}

// tp * tn - fp * fn as a double: its products leave the whole numbers that a double holds from some 190 million rows.
function mccNumerator(tp, fp, nPos, nNeg) {
  if (nPos * nNeg < EXACT || BigInt(nPos) * BigInt(nNeg) >= LARGEST) return tp * nNeg - fp * nPos
  return Number(BigInt(tp) * BigInt(nNeg) - BigInt(fp) * BigInt(nPos))
}

// F1 in which recall weighs beta times as much as precision.
function fBeta(at, beta) {
  const weight = beta * beta
  return ((1 + weight) * at.tp) / ((1 + weight) * at.tp + at.fp + weight * at.fn)
}

// Mean cost of a row; with a prevalence (not null), in a use where that share of the rows is positive.
function expectedCost(at, costFp, costFn, prevalence) {
  const costOfFalsePositives = costFp * at.fp
  const costOfFalseNegatives = costFn * at.fn
  if (prevalence === null) return (costOfFalsePositives + costOfFalseNegatives) / (at.tp + at.fn + at.fp + at.tn)
  return (1 - prevalence) * (costOfFalsePositives / (at.fp + at.tn)) + prevalence * (costOfFalseNegatives / (at.tp + at.fn))
}

// Coverage and accuracy when rows with a score from `low` up to the threshold are undecided: tp and fp are those at the
// threshold, lowTp and lowFp those at `low`.
function countDecided(at, lowTp, lowFp) {
  const fn = at.tp + at.fn - lowTp
  const tn = at.fp + at.tn - lowFp
  const rows = at.tp + at.fp + fn + tn
  const all = at.tp + at.fp + at.fn + at.tn
  return { undecided: all - rows, rows, coverage: rows / all, accuracy: (at.tp + tn) / rows }
}

// What a threshold does in a day where the model will run, as `metrics/thresholds/deployed/in_use.py` computes it.
function dayOf({ tp, fp }, nPos, nNeg, { rows, prevalence, costFp, costFn }) {
  const recall = tp / nPos
  const fpr = fp / nNeg
  const found = recall * (rows * prevalence)
  const missed = (1 - recall) * (rows * prevalence)
  const falseAlarms = fpr * (rows * (1 - prevalence))
  const share = (first, second) => first / (first + second)
  return {
    predicted: found + falseAlarms, found, missed, false_alarms: falseAlarms,
    precision: share(recall * prevalence, fpr * (1 - prevalence)),
    npv: share((1 - fpr) * (1 - prevalence), (1 - recall) * prevalence),
    cost: falseAlarms * costFp + missed * costFn,
    benefit: costFn > 0 ? found - falseAlarms * (costFp / costFn) : NaN,
  }
}
