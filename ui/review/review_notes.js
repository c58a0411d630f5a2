// The presenter's window: note, title, position and what comes next. While it is open, the note leaves the other screen.

function line(page, tag, text, style) {
  const made = page.createElement(tag)
  made.textContent = text
  Object.assign(made.style, style)
  return made
}

export function draw(walk) {
  const { data } = walk
  const isOpen = Boolean(walk.notes && !walk.notes.closed)
  document.documentElement.toggleAttribute("data-review-notes-apart", isOpen)
  if (!isOpen) return
  const page = walk.notes.document
  page.title = "Notes · Blindspot"
  page.documentElement.lang = "en"
  page.documentElement.style.colorScheme = "light dark"
  Object.assign(page.body.style, { font: "1.1rem/1.5 system-ui, sans-serif", margin: "1.5rem", overflowWrap: "anywhere" })
  page.body.replaceChildren(
    line(page, "p", `${data.step} of ${data.steps}`, { margin: "0" }),
    line(page, "h1", data.title, { fontSize: "1.3rem", margin: "0 0 1rem" }),
    line(page, "p", data.note || "No note on this step.", { fontSize: "1.4rem", whiteSpace: "pre-wrap" }),
    line(page, "p", data.next ? `Next: ${data.next}` : "This is the last step.", { marginTop: "2rem" }),
  )
  page.onkeydown = walk.pressed
}

export function open(walk) {
  walk.notes = window.open("", "blindspot-notes", "popup,width=560,height=640") // a browser may refuse: null
  walk.notes?.addEventListener("pagehide", () => {
    walk.notes = null
    draw(walk)
  })
  draw(walk)
}
