// A field that finds a class by its name, also inside "other" or a collapsed group, and a list to choose from.

const FOUND_AT_ONCE = 8

function buildSearch(parent, chart) {
  const box = make("div", "search", parent)
  const input = make("input", "", box)
  const list = make("ul", "found", box)
  input.type = "text"
  input.placeholder = "Find a class"
  input.autocomplete = "off"
  input.spellcheck = false
  list.id = "found"
  list.hidden = true
  input.setAttribute("role", "combobox")
  input.setAttribute("aria-label", "Find a class")
  input.setAttribute("aria-autocomplete", "list")
  input.setAttribute("aria-controls", "found")
  input.setAttribute("aria-expanded", "false")
  list.setAttribute("role", "listbox")
  list.setAttribute("aria-label", "Classes found")
  const search = { box, input, list, hits: [], at: 0 }
  input.oninput = () => offer(chart, search)
  input.onfocus = () => input.value && offer(chart, search)
  input.onblur = () => close(search)
  input.onkeydown = event => searchKey(chart, search, event)
  return search
}

// [name, position, is inside another row] of the classes whose name holds the text: those that begin with it first.
function matches(matrix, text) {
  const wanted = text.trim().toLowerCase()
  const all = []
  matrix.names.forEach((name, at) => {
    if (!matrix.special.has(at) || matrix.groupAt.has(at)) all.push([name, at, false])
  })
  for (const [name, at] of matrix.inside) all.push([name, at, true])
  const hits = all.filter(([name]) => name.toLowerCase().includes(wanted))
  const rank = ([name]) => (name.toLowerCase() === wanted ? 0 : name.toLowerCase().startsWith(wanted) ? 1 : 2)
  return hits.sort((a, b) => rank(a) - rank(b) || a[2] - b[2] || a[1] - b[1])
}

function offer(chart, search) {
  const { input, list } = search
  list.replaceChildren()
  if (!input.value.trim()) {
    find(chart, -1)
    return close(search)
  }
  search.hits = matches(chart.scene.matrix, input.value)
  search.at = 0
  search.hits.slice(0, FOUND_AT_ONCE).forEach(([name, at, inside], k) => {
    const item = make("li", "", list)
    item.id = `found-${k}`
    item.setAttribute("role", "option")
    make("span", "name", item, name)
    if (inside) make("span", "where", item, `in ${chart.scene.matrix.names[at]}`)
    item.onpointerdown = event => {
      event.preventDefault() // the field keeps the focus until the class is chosen
      choose(chart, search, k)
    }
  })
  const more = search.hits.length - FOUND_AT_ONCE
  const note = text => make("li", "more", list, text).setAttribute("role", "presentation")
  if (more > 0) note(`and ${WHOLE.format(more)} more: type on`)
  if (!search.hits.length) note("No class has this in its name.")
  list.hidden = false
  input.setAttribute("aria-expanded", "true")
  mark(search)
  say(chart, `${WHOLE.format(search.hits.length)} class${search.hits.length === 1 ? "" : "es"} found`)
}

function mark({ input, list, at, hits }) {
  list.querySelectorAll('[role="option"]').forEach((item, k) => item.setAttribute("aria-selected", String(k === at)))
  if (hits.length) input.setAttribute("aria-activedescendant", `found-${at}`)
  else input.removeAttribute("aria-activedescendant")
}

function close({ input, list }) {
  list.hidden = true
  input.setAttribute("aria-expanded", "false")
  input.removeAttribute("aria-activedescendant")
}

function choose(chart, search, k) {
  const hit = search.hits[k]
  if (!hit) return
  search.input.value = hit[0]
  close(search)
  jump(chart, hit)
}

function searchKey(chart, search, event) {
  const shown = Math.min(FOUND_AT_ONCE, search.hits.length)
  const steps = { ArrowDown: 1, ArrowUp: -1 }
  if (event.key in steps && shown) {
    event.preventDefault()
    if (search.list.hidden) return offer(chart, search)
    search.at = (search.at + steps[event.key] + shown) % shown
    mark(search)
  } else if (event.key === "Enter") {
    if (search.list.hidden && search.input.value) search.hits = matches(chart.scene.matrix, search.input.value)
    choose(chart, search, search.list.hidden ? 0 : search.at)
  } else if (event.key === "Escape") {
    event.preventDefault()
    search.input.value = ""
    close(search)
    find(chart, -1)
    chart.plane.focus()
  }
}

// Show a class: its row and column are marked, and enlarged if they are too small to be told apart.
function jump(chart, [name, at, inside]) {
  const { scene } = chart
  const { matrix, frame } = scene
  const readable = 14 * frame.ratio
  if (scene.view.cell < readable) {
    const cell = allowed(frame, readable)
    scene.view = { ...scene.view, cell, wish: cell }
  }
  scene.view = centredOn(matrix, frame, scene.view, Math.min(at, matrix.n_rows - 1), at)
  scene.cursor = { i: Math.min(at, matrix.n_rows - 1), j: at }
  scene.anchor = null
  find(chart, at)
  const where = inside ? `${name} is in ${matrix.names[at]}` : `${name}: row and column ${WHOLE.format(at + 1)}`
  chart.plane.focus({ preventScroll: true })
  say(chart, `${where}. ${at < matrix.n_rows ? boxInWords(matrix, boxOf(matrix, scene.cursor, scene.cursor)) : ""}`)
}

function find(chart, at) {
  chart.scene.found = at
  redraw(chart)
}
