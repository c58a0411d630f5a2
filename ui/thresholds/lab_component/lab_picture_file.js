// A picture to keep: the SVG with the look that the page gives it, as a PNG; nothing leaves the browser.

const LOOK = [
  "fill", "fill-opacity", "stroke", "stroke-width", "stroke-dasharray", "stroke-linejoin", "paint-order", "font-family",
  "font-size", "font-weight", "visibility",
]
const TIMES = 2 // as fine as on the screen
const TITLE_LINE = 20

function offerFile(figure, plot, name) {
  const button = make("button", "file", figure, "PNG")
  button.title = `Download the picture: ${name}`
  button.setAttribute("aria-label", `Download as PNG: ${name}`)
  button.onclick = () => savePicture(figure, plot, name)
}

function savePicture(figure, plot, name) {
  const title = figure.querySelector(".title").textContent
  const page = getComputedStyle(figure)
  const root = draw("svg", null, { xmlns: SVG, width: plot.width, height: plot.height })
  for (const svg of [plot.still, plot.moving]) for (const child of svg.children) root.append(withLook(child))
  const image = new Image()
  image.onload = () => {
    const size = { width: plot.width * TIMES, height: (plot.height + 2 * TITLE_LINE) * TIMES }
    const canvas = Object.assign(document.createElement("canvas"), size)
    const ctx = canvas.getContext("2d")
    ctx.scale(TIMES, TIMES)
    ctx.fillStyle = page.getPropertyValue("--st-background-color")
    ctx.fillRect(0, 0, canvas.width, canvas.height)
    ctx.fillStyle = page.color
    ctx.font = `600 12px ${page.fontFamily}`
    ctx.fillText(name, 6, TITLE_LINE - 5)
    ctx.font = `12px ${page.fontFamily}`
    ctx.fillText(title, 6, 2 * TITLE_LINE - 7, plot.width - 8)
    ctx.drawImage(image, 0, 2 * TITLE_LINE)
    saveCanvas(canvas, `${name.toLowerCase().replaceAll(" ", "_")}.png`)
  }
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(new XMLSerializer().serializeToString(root))}`
}

function withLook(element) {
  const copy = element.cloneNode(false)
  const style = getComputedStyle(element)
  for (const name of LOOK) copy.style.setProperty(name, style.getPropertyValue(name))
  copy.append(...[...element.childNodes].map(child => (child.nodeType === 1 ? withLook(child) : child.cloneNode())))
  return copy
}
