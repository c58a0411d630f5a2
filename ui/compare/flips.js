// How many rows changed, as one bar with its legend.

import { element } from "./elements.js"
import { pictureButton } from "./picture_of_html.js"

function colourElement(tag, colour) {
  const made = element(tag, "")
  made.style.background = colour
  return made
}

export default function ({ data, parentElement }) {
  const parts = data.parts.map(([share, rows, word, colour]) => {
    const part = colourElement("div", colour)
    part.style.width = `${share}%`
    return [part, element("span", "", colourElement("i", colour), element("b", "", rows), ` ${word}`)]
  })
  const bar = element("div", "bar", ...parts.map(([part]) => part))
  const shown = element("div", "shown", bar, element("div", "legend", ...parts.map(([, said]) => said)))
  parentElement.querySelector(".flips").replaceChildren(shown, pictureButton(shown, "Rows that changed from A to B"))
}
