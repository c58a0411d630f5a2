// Small ROC curves beside each other: a name opens its class in the lab; all of them are kept as one picture.

import { element, partsOfSvg } from "./elements.js"
import { pictureButton } from "./picture_of_html.js"

function cardOf(curve, open) {
  const name = element("button", "name", curve.now ? `\u2713 ${curve.name}` : curve.name)
  name.title = `${curve.whole}: ${curve.now ? "in the lab now" : "open it in the lab"}`
  name.onclick = open
  const few = curve.few ? [element("span", "few", "few: ")] : []
  const about = element("p", "about", element("b", "", curve.auc), element("br", ""), ...few, curve.note)
  return element("div", "card", name, ...partsOfSvg(curve.svg), about)
}

export default function ({ data, parentElement, setTriggerValue }) {
  const cards = data.curves.map(curve => cardOf(curve, () => setTriggerValue("opened", curve.code)))
  const shown = element("div", "shown", ...cards)
  const button = pictureButton(shown, data.title)
  parentElement.querySelector(".curves").replaceChildren(shown, button)
}
