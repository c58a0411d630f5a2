// A small grey picture on a canvas: its pixels are bytes, 255 = black. Nothing of a file is ever an address here.

import { element } from "./elements.js"

export function pictureOf(encoded) {
  const ink = Uint8Array.from(atob(encoded), letter => letter.charCodeAt(0))
  const side = Math.sqrt(ink.length)
  const canvas = Object.assign(element("canvas", "picture"), { width: side, height: side })
  canvas.setAttribute("aria-hidden", "true") // what it shows is said beside it
  const drawn = new ImageData(side, side)
  ink.forEach((value, place) => drawn.data.set([255 - value, 255 - value, 255 - value, 255], 4 * place))
  canvas.getContext("2d").putImageData(drawn, 0, 0)
  return canvas
}
