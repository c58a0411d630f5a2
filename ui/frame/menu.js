// A page of the menu, or the first one by the logo, is gone to as the browser's Back and Forward go: the entry is made
// here with the whole view, so that any server opens it, and what the server then says replaces it. Streamlit's own way
// makes an entry without the view, and the view a second one. Should Streamlit one day not listen any more, its own way
// is still there: see test_menu.py.

const NARROW = 768 // pixels; a sidebar that is open there covers the page
const LINK = '[data-testid="stSidebarNavLink"]'
const FIRST = "open" // the page without a path of its own
let view = null // what the server said last: `view` and `pages`, as ui/frame/menu.py makes them
let watched = null // the page whose scheme the body has, too
let search = "" // of the address bar when it said so

function name(pathname) {
  const last = pathname.slice(pathname.lastIndexOf("/") + 1)
  return last in view.pages ? last : FIRST
}

// The view as the address of a page; what the page on screen has written since then is in the address bar only.
function query(page) {
  const values = { ...view.view }
  if (location.search !== search) {
    const now = new URLSearchParams(location.search)
    for (const parameter of view.pages[name(location.pathname)]) values[parameter] = now.get(parameter) ?? ""
  }
  const parameters = new URLSearchParams()
  for (const parameter of view.pages[page]) if (values[parameter]) parameters.set(parameter, values[parameter])
  return parameters.size ? `?${parameters}` : ""
}

function clicked(event) {
  if (event.button || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return
  const first = event.target.closest('button[data-testid="stLogoLink"]') && document.querySelector(LINK)
  const link = first || event.target.closest(LINK)
  if (!link || !view || link.getAttribute("aria-current")) return
  event.preventDefault()
  event.stopPropagation()
  history.pushState({}, "", link.pathname + query(name(link.pathname)))
  dispatchEvent(new PopStateEvent("popstate"))
  if (innerWidth <= NARROW) document.querySelector('[data-testid="stSidebarCollapseButton"] button')?.click()
}

// Streamlit says light or dark for the page alone; dialogs and open lists hang below the body, and would be drawn light.
function shareScheme() {
  const app = document.querySelector('[data-testid="stApp"]')
  if (!app || app === watched) return
  watched = app
  const share = () => { document.body.style.colorScheme = getComputedStyle(app).colorScheme }
  new MutationObserver(share).observe(app, { attributes: true, attributeFilter: ["class"] })
  share()
}

export default function ({ data }) {
  if (!data) return
  view = data
  shareScheme()
  search = location.search
  document.addEventListener("click", clicked, true)
  return () => document.removeEventListener("click", clicked, true)
}
