// Copies the text that stands above it. Without a secure connection a browser has no clipboard to write to: then the
// text is selected in a field that nobody sees, as it was done before there was one.

function copySelection(text, place) {
  const field = document.createElement("textarea")
  field.value = text
  field.className = "unseen"
  field.setAttribute("aria-hidden", "true")
  place.append(field) // inside the dialog, which takes the focus back from whatever is outside of it
  field.select()
  try {
    return document.execCommand("copy")
  } catch {
    return false
  } finally {
    field.remove()
  }
}

async function copyText(text, place) {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return copySelection(text, place)
  }
}

export default function ({ data, parentElement }) {
  if (!data) return
  const row = parentElement.querySelector(".row")
  const button = row.querySelector("button")
  const status = row.querySelector("[role=status]")
  button.textContent = `Copy the ${data.what}`
  button.classList.toggle("primary", Boolean(data.primary))
  if (button.value !== data.text) status.textContent = ""
  button.value = data.text
  button.onclick = async () => {
    status.textContent = "" // so that the same words are read out again
    const done = await copyText(data.text, row)
    button.focus()
    status.classList.toggle("failed", !done)
    requestAnimationFrame(() => {
      status.textContent = done ? "Copied" : "Select the text and copy it"
    })
  }
}
