// A picture to keep.

// At least twice as fine as on the screen, so that a cell is never less than a pixel; with the page's background.
function save(chart) {
  const { scene } = chart
  const times = Math.max(2, Math.ceil(1 / scene.view.cell))
  const larger = {
    ...scene,
    frame: multiplied(scene.frame, times),
    view: multiplied(scene.view, times),
    image: null,
    hover: null,
    drag: null,
    focused: false,
  }
  const canvas = document.createElement("canvas")
  canvas.width = Math.min(chart.base.width * times, widthOf(larger))
  canvas.height = chart.base.height * times
  const layer = document.createElement("canvas")
  layer.width = canvas.width
  layer.height = canvas.height
  const ctx = canvas.getContext("2d")
  ctx.fillStyle = scene.theme.page
  ctx.fillRect(0, 0, canvas.width, canvas.height)
  for (const paint of [paintMatrix, paintOver]) {
    paint(layer.getContext("2d"), larger)
    ctx.drawImage(layer, 0, 0)
  }
  canvas.toBlob(blob => {
    const link = make("a", "", chart.host)
    link.href = URL.createObjectURL(blob)
    link.download = "confusion_matrix.png"
    link.click()
    link.remove()
    setTimeout(() => URL.revokeObjectURL(link.href), 10_000)
    say(chart, "The picture was saved")
  })
}

// Up to where something is drawn: the last slanted name, or the end of the legend.
function widthOf(scene) {
  const { w } = visible(scene.matrix, scene.frame, scene.view)
  return scene.frame.left + Math.max(w + scene.frame.over + pixels(scene, EDGE), pixels(scene, LEGEND_WIDTH))
}

function multiplied(lengths, times) {
  const entries = Object.entries(lengths)
  return Object.fromEntries(entries.map(([name, value]) => [name, typeof value === "number" ? value * times : value]))
}
