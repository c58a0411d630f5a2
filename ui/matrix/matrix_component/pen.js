// Drawing on a canvas, one call a thing: a filled box, a frame, a text. Lengths are device pixels, sizes of text CSS's.

const parser = document.createElement("canvas").getContext("2d")

export function readColour(colour) {
  parser.fillStyle = "#000000"
  parser.fillStyle = colour // what is no colour leaves black
  const hex = parser.fillStyle
  if (hex[0] === "#") return [1, 3, 5].map(at => parseInt(hex.slice(at, at + 2), 16))
  return hex.match(/[\d.]+/g).slice(0, 3).map(Number)
}

export function fade(colour, opacity) {
  return `rgba(${readColour(colour).join(", ")}, ${opacity})`
}

// An empty canvas to draw on.
export function clearCanvas(canvas) {
  const ctx = canvas.getContext("2d")
  ctx.clearRect(0, 0, canvas.width, canvas.height)
  return ctx
}

export class Pen {
  constructor(ctx, scene) {
    Object.assign(this, { ctx, scene })
  }

  fill(x, y, width, height, colour) {
    this.ctx.fillStyle = colour
    this.ctx.fillRect(x, y, width, height)
  }

  frame(x, y, width, height, colour, line, dash = []) {
    Object.assign(this.ctx, { strokeStyle: colour, lineWidth: line })
    this.ctx.setLineDash(dash)
    this.ctx.strokeRect(x, y, width, height)
  }

  // A line through some points.
  path(points, colour, line) {
    Object.assign(this.ctx, { strokeStyle: colour, lineWidth: line })
    this.ctx.setLineDash([])
    this.ctx.beginPath()
    for (const [x, y] of points) this.ctx.lineTo(x, y)
    this.ctx.stroke()
  }

  // Draw within a box only.
  within(x, y, width, height, draw) {
    this.ctx.save()
    this.ctx.beginPath()
    this.ctx.rect(x, y, width, height)
    this.ctx.clip()
    draw()
    this.ctx.restore()
  }

  // Draw around a point, turned by an angle.
  turned(x, y, angle, draw) {
    this.ctx.save()
    this.ctx.translate(x, y)
    this.ctx.rotate(angle)
    draw()
    this.ctx.restore()
  }

  // Write in a size from here on.
  use({ size, weight = "" }) {
    const { frame, theme } = this.scene
    this.ctx.font = `${weight} ${size * frame.ratio}px ${theme.font}`
  }

  text(text, x, y, { size, weight, colour, align = "left", base = "middle", room = Infinity }) {
    this.use({ size, weight })
    Object.assign(this.ctx, { fillStyle: colour, textAlign: align, textBaseline: base })
    this.ctx.fillText(this.cut(text, room), x, y)
  }

  // The text in lines that fit into a width.
  lines(text, room, { size, weight }) {
    this.use({ size, weight })
    const lines = [""]
    for (const word of text.split(" ")) {
      const longer = `${lines.at(-1)} ${word}`.trim()
      if (this.widthOf(longer) <= room || !lines.at(-1)) lines[lines.length - 1] = longer
      else lines.push(word)
    }
    return lines
  }

  widthOf(text) {
    return this.ctx.measureText(text).width
  }

  // The text, or as much of its beginning and its end as there is room for.
  cut(text, room) {
    if (room === Infinity || this.widthOf(text) <= room) return text
    const characters = [...text]
    const first = n => {
      const end = n >> 1
      return `${characters.slice(0, n - end).join("")}…${characters.slice(characters.length - end).join("")}`
    }
    let [low, high] = [0, characters.length]
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if (this.widthOf(first(middle)) <= room) low = middle
      else high = middle - 1
    }
    return first(low)
  }
}
