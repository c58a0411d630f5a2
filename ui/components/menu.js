// A page of the menu, or the first one by the logo, is gone to as the browser's Back and Forward go: the entry is made
// here, and what the server then says of the view replaces it. Streamlit's own way makes an entry without the view, and
// the view a second one. Should Streamlit one day not listen any more, its own way is still there: see test_menu.py.

const NARROW = 768 // pixels; a sidebar that is open there covers the page
const LINK = '[data-testid="stSidebarNavLink"]'

function clicked(event) {
  if (event.button || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return
  const first = event.target.closest('button[data-testid="stLogoLink"]') && document.querySelector(LINK)
  const link = first || event.target.closest(LINK)
  if (!link || link.getAttribute("aria-current")) return
  event.preventDefault()
  event.stopPropagation()
  history.pushState({}, "", link.href)
  dispatchEvent(new PopStateEvent("popstate"))
  if (innerWidth <= NARROW) document.querySelector('[data-testid="stSidebarCollapseButton"] button')?.click()
}

export default function () {
  document.addEventListener("click", clicked, true)
  return () => document.removeEventListener("click", clicked, true)
}
