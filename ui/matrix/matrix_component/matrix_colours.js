// The colours of the cells: which ink is read on which, and the cells as an image of one pixel each.

// Colours of the page's theme as canvas understands them.
function readTheme(element) {
  const style = getComputedStyle(element)
  const read = name => style.getPropertyValue(name).trim()
  return {
    text: read("--st-text-color") || "#000000",
    page: read("--st-background-color") || "#ffffff",
    primary: read("--st-primary-color") || "#2f5f9e",
    font: read("--st-font") || "sans-serif",
  }
}

function redGreenBlue(ctx, colour) {
  ctx.fillStyle = "#000000"
  ctx.fillStyle = colour // what is no colour leaves black
  const hex = ctx.fillStyle
  if (hex[0] === "#") return [1, 3, 5].map(at => parseInt(hex.slice(at, at + 2), 16))
  return hex.match(/[\d.]+/g).slice(0, 3).map(Number)
}

function faded(ctx, colour, opacity) {
  return `rgba(${redGreenBlue(ctx, colour).join(", ")}, ${opacity})`
}

function luminance(colour) {
  const [red, green, blue] = colour.map(part => {
    const share = part / 255
    return share <= 0.03928 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

// Black or white, whichever is easier to read on a colour of some opacity over the page.
function inkOn(palette, part, opacity) {
  const [light, dark] = [255, 20]
  const mixed = palette[part].map((value, k) => value * opacity + palette.page[k] * (1 - opacity))
  const under = luminance(mixed)
  const onWhite = 1.05 / (under + 0.05)
  const onDark = (under + 0.05) / (luminance([dark, dark, dark]) + 0.05)
  const value = onWhite > onDark ? light : dark
  return `rgb(${value}, ${value}, ${value})`
}

function paletteOf(ctx, scene) {
  return {
    right: redGreenBlue(ctx, scene.colours.right),
    wrong: redGreenBlue(ctx, scene.colours.wrong),
    page: redGreenBlue(ctx, scene.theme.page),
  }
}

// A small cell must not be faint: `cell` in CSS pixels.
function faintestAt(cell) {
  return cell >= 8 ? 0.16 : cell >= 3 ? 0.3 : cell >= 1.5 ? 0.5 : 0.7
}

// Where nearly all cells are empty, a wrong one of a pixel or two would be missed: it gets a halo.
const FEW_CELLS = 0.05
const HALO = 0.5

function hasHalo({ matrix, view, frame }) {
  return view.cell < 3 * frame.ratio && matrix.column.length < FEW_CELLS * matrix.n_rows * matrix.n_cols
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
function shownPart(scene, i, j, rows) {
  const { matrix, look } = scene
  const right = rightOf(matrix, i, j, rows)
  const part = right > 0 && !look.errors_only ? "right" : "wrong"
  const shown = part === "right" ? right : rows - right
  return { part, shown, value: shown / wholeOf(matrix, look.normalise, i, j) }
}

// One pixel a cell, to be enlarged without smoothing; made once for a look and a size class of the cells.
function imageOfCells(scene) {
  const { matrix } = scene
  const faintest = faintestAt(scene.view.cell / scene.frame.ratio)
  const made = { faintest, halo: hasHalo(scene), look: scene.look, theme: scene.theme }
  const kept = scene.image
  if (kept && Object.keys(made).every(name => kept[name] === made[name])) return kept.canvas
  const canvas = document.createElement("canvas")
  canvas.width = matrix.n_cols
  canvas.height = matrix.n_rows
  const ctx = canvas.getContext("2d")
  const image = ctx.createImageData(matrix.n_cols, matrix.n_rows)
  colourCells(scene, ctx, faintest, (i, j) => i * matrix.n_cols + j, image.data)
  if (made.halo) paintHalo(image, paletteOf(ctx, scene).wrong)
  ctx.putImageData(image, 0, 0)
  scene.image = { canvas, ...made }
  return canvas
}

// Less than a pixel a cell: every pixel shows the strongest of the cells that fall on it, so that none is lost.
function imageOfPixels(scene, width, height) {
  const canvas = document.createElement("canvas")
  canvas.width = width
  canvas.height = height
  const ctx = canvas.getContext("2d")
  const image = ctx.createImageData(width, height)
  const size = scene.view.cell
  const at = (i, j) => Math.min(height - 1, Math.floor(i * size)) * width + Math.min(width - 1, Math.floor(j * size))
  colourCells(scene, ctx, faintestAt(0), at, image.data)
  if (hasHalo(scene)) paintHalo(image, paletteOf(ctx, scene).wrong)
  ctx.putImageData(image, 0, 0)
  return canvas
}

function colourCells(scene, ctx, faintest, pixelOf, bytes) {
  const palette = paletteOf(ctx, scene)
  eachCell(scene.matrix, (i, j, rows) => {
    const { part, shown, value } = shownPart(scene, i, j, rows)
    if (shown <= 0) return
    const opacity = Math.round(255 * opacityOf(scene.scales[part], value, faintest))
    const pixel = 4 * pixelOf(i, j)
    if (opacity <= bytes[pixel + 3]) return
    const [red, green, blue] = palette[part]
    bytes[pixel] = red
    bytes[pixel + 1] = green
    bytes[pixel + 2] = blue
    bytes[pixel + 3] = opacity
  })
}
