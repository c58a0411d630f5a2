// A value with its interval, as a thin bar; every place is a share of the bar's width, null = not there.

import { element } from "./elements.js"

export function intervalBar({ low, high, value, colour, about, marks }) {
  const percent = share => `${(100 * Math.min(1, Math.max(0, share))).toFixed(2)}%`
  const bar = Object.assign(element("span", "interval"), { title: about })
  const add = (kind, style) => {
    bar.append(element("i", kind))
    Object.assign(bar.lastChild.style, style)
  }
  for (const mark of marks ?? []) add("mark", { left: percent(mark) })
  if (low !== null) add("line", { left: percent(low), width: percent(high - low) })
  if (value !== null) add("dot", { left: percent(value), background: colour || "" })
  return bar
}
