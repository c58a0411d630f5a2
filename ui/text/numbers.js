// Numbers as text, rounded as Python rounds.

export const WHOLE = new Intl.NumberFormat("en-US")
const TO_EVEN = { roundingMode: "halfEven" }
const SHORT = new Intl.NumberFormat("en-US", { maximumSignificantDigits: 2, ...TO_EVEN })
const ROUNDED = new Intl.NumberFormat("en-US", { maximumFractionDigits: 0, ...TO_EVEN })

// As `write_amount` in text/numbers.py: whole from 10 on, below with two digits.
export function amountText(value) {
  if (Number.isNaN(value)) return "undefined"
  return (Math.abs(value) < 10 ? SHORT : ROUNDED).format(value).replace("-", "\u2212")
}
