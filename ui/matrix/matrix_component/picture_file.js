// A picture to keep.

import { saveCanvas } from "./elements.js"
import { LEGEND_WIDTH } from "./margins.js"
import { paintOverlay } from "./overlay.js"
import { paintMatrix } from "./paint_matrix.js"
import { EDGE } from "./scene.js"

// At least twice as fine as on the screen, so that a cell is never less than a pixel; with the page's background.
export function savePicture(chart) {
  const { base, scene } = chart
  const times = Math.max(2, Math.ceil(1 / scene.view.cell))
  const larger = Object.assign(scene.multiplied(times), { isFile: true })
  // up to where something is drawn: the last slanted name, or the end of the legend
  const drawn = larger.frame.left + Math.max(larger.shown.w + larger.frame.overhang + larger.px(EDGE), larger.px(LEGEND_WIDTH))
  const size = { width: Math.min(base.width * times, drawn), height: base.height * times }
  const canvas = Object.assign(document.createElement("canvas"), size)
  const ctx = canvas.getContext("2d")
  ctx.fillStyle = scene.theme.page
  ctx.fillRect(0, 0, size.width, size.height)
  for (const paint of [paintMatrix, paintOverlay]) paint(ctx, larger)
  saveCanvas(canvas, "confusion_matrix.png")
  chart.announce("The picture was saved")
}
