// The colours of the cells: which ink is read on which, and the cells as an image of one pixel each.

import { readColour } from "./pen.js"

const FEW_CELLS = 0.05
const HALO = 0.5

// Colours of the page's theme as canvas understands them.
export function readTheme(element) {
  const style = getComputedStyle(element)
  const read = (name, otherwise) => style.getPropertyValue(`--st-${name}`).trim() || otherwise
  return {
    text: read("text-color", "#000000"),
    page: read("background-color", "#ffffff"),
    primary: read("primary-color", "#2f5f9e"),
    font: read("font", "sans-serif"),
  }
}

export function paletteOf({ colours, theme }) {
  return { right: readColour(colours.right), wrong: readColour(colours.wrong), page: readColour(theme.page) }
}

function luminance(colour) {
  const [red, green, blue] = colour.map(part => {
    const share = part / 255
    return share <= 0.03928 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

// Black or white, whichever is easier to read on a colour of some opacity over the page.
export function textColourOn(palette, part, opacity) {
  const [light, dark] = [255, 20]
  const under = luminance(palette[part].map((value, k) => value * opacity + palette.page[k] * (1 - opacity)))
  const onWhite = 1.05 / (under + 0.05)
  const onDark = (under + 0.05) / (luminance([dark, dark, dark]) + 0.05)
  const value = onWhite > onDark ? light : dark
  return `rgb(${value}, ${value}, ${value})`
}

// A small cell must not be faint.
export function lowestOpacity({ view, frame }) {
  const cell = view.cell / frame.ratio
  return cell >= 8 ? 0.16 : cell >= 3 ? 0.3 : cell >= 1.5 ? 0.5 : 0.7
}

// Where nearly all cells are empty, a wrong one of a pixel or two would be missed: it gets a halo.
export function hasHalo({ cells, view, frame }) {
  return view.cell < 3 * frame.ratio && cells.column.length < FEW_CELLS * cells.n_rows * cells.n_cols
}

function paintHalo({ data, width, height }, [red, green, blue]) {
  const before = data.slice()
  for (let pixel = 0; pixel < before.length; pixel += 4) {
    if (!before[pixel + 3] || before[pixel] !== red || before[pixel + 2] !== blue) continue
    const [x, y] = [(pixel / 4) % width, Math.floor(pixel / 4 / width)]
    for (const [u, v] of [[x - 1, y], [x + 1, y], [x, y - 1], [x, y + 1]]) {
      const at = 4 * (v * width + u)
      if (u < 0 || v < 0 || u >= width || v >= height || before[at + 3]) continue
      data.set([red, green, blue, Math.max(data[at + 3], before[pixel + 3] * HALO)], at)
    }
  }
}

// Which part of a cell its colour shows: the correct rows on the diagonal, else the wrong ones.
export function shownPart({ cells, look }, i, j, rows) {
  const right = cells.correctRows(i, j, rows)
  const part = right > 0 && !look.errors_only ? "right" : "wrong"
  const shown = part === "right" ? right : rows - right
  return { part, shown, value: cells.valueOf(look.normalise, part, i, j, shown) }
}

// One pixel a cell, to be enlarged without smoothing; made once for a look and a size class of the cells.
export function imageOfCells(scene) {
  const { cells, look, theme } = scene
  const made = { faintest: lowestOpacity(scene), halo: hasHalo(scene), look, theme }
  if (!scene.image || Object.keys(made).some(name => scene.image[name] !== made[name])) {
    const canvas = imageOf(scene, cells.n_cols, cells.n_rows, (i, j) => i * cells.n_cols + j)
    scene.image = { canvas, ...made }
  }
  return scene.image.canvas
}

// Less than a pixel a cell: every pixel shows the strongest of the cells that fall on it, so that none is lost.
export function imageOfPixels(scene, width, height) {
  const place = (at, length) => Math.min(length - 1, Math.floor(at * scene.view.cell))
  return imageOf(scene, width, height, (i, j) => place(i, height) * width + place(j, width))
}

function imageOf(scene, width, height, pixelOf) {
  const canvas = Object.assign(document.createElement("canvas"), { width, height })
  const ctx = canvas.getContext("2d")
  const image = ctx.createImageData(width, height)
  const [palette, faintest] = [paletteOf(scene), lowestOpacity(scene)]
  scene.cells.forEachCell((i, j, rows) => {
    const { part, shown, value } = shownPart(scene, i, j, rows)
    if (shown <= 0) return
    const opacity = Math.round(255 * scene.scales[part].opacityOf(value, faintest))
    const pixel = 4 * pixelOf(i, j)
    if (opacity <= image.data[pixel + 3]) return
    image.data.set([...palette[part], opacity], pixel)
  })
  if (hasHalo(scene)) paintHalo(image, palette.wrong)
  ctx.putImageData(image, 0, 0)
  return canvas
}
