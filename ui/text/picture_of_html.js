// A picture to keep of what is drawn in HTML: its boxes, lines, words and the paths of its SVG as they stand on the screen, as a PNG. Nothing
// leaves the browser.

import { element, saveCanvas } from "./elements.js"

const FINE = 2 // as fine as on the screen
const MARGIN = 8
const BUTTON = {
  fontSize: "12px", color: "color-mix(in srgb, var(--st-text-color) 72%, transparent)", textDecoration: "underline",
  padding: "4px 0", marginInlineStart: "auto", display: "block",
}

export function pictureButton(shown, name) {
  const title = `Download the picture: ${name}`
  const button = Object.assign(element("button", "", "PNG"), { title })
  button.setAttribute("aria-label", `Download as PNG: ${name}`)
  Object.assign(button.style, BUTTON)
  button.onclick = () => savePicture(shown, name)
  return button
}

function savePicture(shown, name) {
  const { left, top, width, height } = shown.getBoundingClientRect()
  const size = { width: (width + 2 * MARGIN) * FINE, height: (height + 2 * MARGIN) * FINE }
  const canvas = Object.assign(document.createElement("canvas"), size)
  const pen = canvas.getContext("2d")
  pen.fillStyle = getComputedStyle(shown).getPropertyValue("--st-background-color")
  pen.fillRect(0, 0, canvas.width, canvas.height)
  pen.scale(FINE, FINE)
  pen.translate(MARGIN - left, MARGIN - top)
  paintBoxes(pen, shown)
  saveCanvas(canvas, `${name.toLowerCase().replaceAll(/[^a-z0-9]+/g, "_")}.png`)
}

function paintBoxes(pen, shown) {
  const style = getComputedStyle(shown)
  const box = shown.getBoundingClientRect()
  if (style.visibility === "hidden" || style.display === "none") return
  if (shown instanceof SVGPathElement) return paintPath(pen, shown, style)
  pen.fillStyle = style.backgroundColor
  pen.beginPath()
  pen.roundRect(box.left, box.top, box.width, box.height, radiusOf(style, box))
  pen.fill()
  paintBorders(pen, style, box)
  pen.save()
  if (style.overflowX !== "visible") clipTo(pen, box)
  if (shown instanceof HTMLCanvasElement) pen.drawImage(shown, box.left, box.top, box.width, box.height)
  for (const child of shown.childNodes) {
    if (child.nodeType === Node.TEXT_NODE) paintWords(pen, child, style)
    else if (child.nodeType === Node.ELEMENT_NODE) paintBoxes(pen, child)
  }
  pen.restore()
}

function paintPath(pen, path, style) {
  const { a, b, c, d, e, f } = path.getScreenCTM()
  const drawn = new Path2D(path.getAttribute("d"))
  pen.save()
  pen.transform(a, b, c, d, e, f)
  if (style.stroke !== "none") {
    Object.assign(pen, { strokeStyle: style.stroke, lineWidth: parseFloat(style.strokeWidth) })
    pen.setLineDash(style.strokeDasharray === "none" ? [] : style.strokeDasharray.split(",").map(parseFloat))
    pen.stroke(drawn)
  }
  if (style.fill !== "none") {
    Object.assign(pen, { fillStyle: style.fill, globalAlpha: parseFloat(style.fillOpacity) })
    pen.fill(drawn)
  }
  pen.restore()
}

function clipTo(pen, box) {
  pen.beginPath()
  pen.rect(box.left, box.top, box.width, box.height)
  pen.clip()
}

function radiusOf(style, box) {
  const radius = parseFloat(style.borderTopLeftRadius)
  return style.borderTopLeftRadius.endsWith("%") ? (radius / 100) * box.width : radius
}

function paintBorders(pen, style, { left, top, right, bottom, width, height }) {
  const widths = ["Top", "Right", "Bottom", "Left"].map(side => parseFloat(style[`border${side}Width`]))
  const radius = parseFloat(style.borderTopLeftRadius)
  if (radius && widths.every(wide => wide && wide === widths[0])) {
    Object.assign(pen, { strokeStyle: style.borderTopColor, lineWidth: widths[0] })
    pen.beginPath()
    pen.roundRect(left + widths[0] / 2, top + widths[0] / 2, width - widths[0], height - widths[0], radius)
    return pen.stroke()
  }
  const places = [
    ["Top", left, top, width, widths[0]], ["Right", right - widths[1], top, widths[1], height],
    ["Bottom", left, bottom - widths[2], width, widths[2]], ["Left", left, top, widths[3], height],
  ]
  for (const [side, ...place] of places) {
    pen.fillStyle = style[`border${side}Color`]
    if (style[`border${side}Style`] !== "none") pen.fillRect(...place)
  }
}

function paintWords(pen, node, style) {
  const range = document.createRange()
  Object.assign(pen, { textBaseline: "middle", textAlign: "left", fillStyle: style.color })
  pen.font = `${style.fontWeight} ${style.fontSize} ${style.fontFamily}`
  for (const word of node.data.matchAll(/\S+/g)) {
    range.setStart(node, word.index)
    range.setEnd(node, word.index + word[0].length)
    const box = range.getBoundingClientRect()
    if (box.width) pen.fillText(word[0], box.left, box.top + box.height / 2)
  }
}
