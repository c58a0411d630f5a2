// Elements of a component; a text in them is text, never markup.

const PHONE = 640 // CSS pixels of a window in which panels are sheets
const FREE = 0.43 // the part of its height that a sheet leaves free, and a gap
const HEADER = 64

export function element(tag, className = "", ...children) {
  const made = document.createElement(tag)
  if (className) made.className = className
  made.append(...children)
  return made
}

// The same, as the last child of a parent (null: of none yet).
export function make(tag, className, parent, text = "") {
  const made = element(tag, className)
  if (text !== "") made.textContent = text
  parent?.append(made)
  return made
}

// Write only what changes: a screen reader reads again what is written anew.
export function write(part, text) {
  if (part.textContent !== text) part.textContent = text
}

// A picture that the server drew, in a list; none where the text is no SVG.
export function partsOfSvg(text) {
  const drawn = new DOMParser().parseFromString(text, "image/svg+xml").documentElement
  return drawn.tagName === "svg" ? [document.importNode(drawn, true)] : []
}

export function setColours(host, colours) {
  for (const [name, colour] of Object.entries(colours)) host.style.setProperty(`--${name}`, colour)
}

// Hand out what is drawn on a canvas as a PNG; nothing leaves the browser.
export function saveCanvas(canvas, file) {
  canvas.toBlob(blob => {
    const href = URL.createObjectURL(blob)
    Object.assign(document.createElement("a"), { href, download: file }).click()
    setTimeout(() => URL.revokeObjectURL(href), 10_000)
  })
}

// A long name breaks after its punctuation before it breaks inside a word; a number or a date does not.
export function fillName(part, text) {
  for (const piece of text.split(/(?<=[_.:/-])(?<!\d[.:-](?=\d))(?=[^\s_.:/-])/)) part.append(piece, document.createElement("wbr"))
}

// CSS pixels from the top of a part to the end of the window, as they are before the page is scrolled.
export function roomBelow(part) {
  const scrolled = document.querySelector('[data-testid="stMain"]')?.scrollTop ?? 0
  return window.innerHeight - part.getBoundingClientRect().top - scrolled
}

// On a phone a panel that opens lies over the lower 55 % of the window (panel.css): scroll what was chosen above it.
// `place` finds its box; it is asked once the panel is drawn.
export function scrollAboveSheet(place) {
  if (window.innerWidth > PHONE) return
  requestAnimationFrame(() => requestAnimationFrame(() => {
    const { top, bottom } = place()
    const under = Math.min(bottom - FREE * window.innerHeight, top - HEADER)
    if (under > 0) document.querySelector('[data-testid="stMain"]')?.scrollBy({ top: under })
  }))
}
