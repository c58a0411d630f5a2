// Reads and writes the browser's storage for ui/person/browser_storage.py. Each entry is one item, so that two tabs that
// add different entries never write over each other; what another tab changes is sent on at once.

const PREFIX = "blindspot."
const tab = (globalThis[Symbol.for("blindspot.storage")] ??= {
  known: new Map(), // name -> the text that was read or written last
  written: new Map(), // name -> the number of the change that was written last
})

function isWatched(name, watched) {
  return watched.some(pattern => name === pattern || (pattern.endsWith(".") && name.startsWith(pattern)))
}

function write(changes) {
  for (const [name, [number, text]] of Object.entries(changes)) {
    if (number <= (tab.written.get(name) ?? 0)) continue
    if (text === null) localStorage.removeItem(PREFIX + name)
    else localStorage.setItem(PREFIX + name, text)
    tab.written.set(name, number)
    tab.known.set(name, text)
  }
}

function forget(when) {
  if (!when || tab.forgotten === when) return
  tab.forgotten = when
  tab.known.clear()
  for (const key of Object.keys(localStorage)) if (key.startsWith(PREFIX)) localStorage.removeItem(key)
}

// What is watched and not as it was read or written last; null stands for what is gone.
function changed(watched) {
  const entries = {}
  for (const name of tab.known.keys()) if (isWatched(name, watched)) entries[name] = null
  const all = Object.keys(localStorage).filter(key => key.startsWith(PREFIX))
  for (const key of all) {
    const name = key.slice(PREFIX.length)
    if (isWatched(name, watched)) entries[name] = localStorage.getItem(key)
  }
  if (watched.includes("kept")) entries.kept = String(all.length)
  const isNew = Object.entries(entries).some(([name, text]) => (tab.known.get(name) ?? null) !== text)
  for (const [name, text] of Object.entries(entries)) tab.known.set(name, text)
  return isNew ? entries : null
}

// Streamlit calls this again with every change of the data, and says nothing to the call before: one listener is enough.
export default function ({ data, setTriggerValue }) {
  if (!data) return
  if (tab.session !== data.session) {
    tab.known.clear() // a new session has to be told everything
    tab.written.clear()
  }
  tab.session = data.session
  const look = () => {
    let refused = false
    try {
      forget(data.forgotten)
      write(data.write)
    } catch {
      refused = true // full, or off
    }
    try {
      const entries = changed(data.watch)
      if (entries || data.ask) setTriggerValue("found", entries ?? {})
    } catch {
      refused = true
    }
    if (refused !== data.refused) setTriggerValue("refused", refused)
  }
  if (data.watch.length) tab.look = look
  if (!tab.listens) {
    tab.listens = true
    addEventListener("storage", event => event.key?.startsWith(PREFIX) && tab.look?.())
  }
  look()
}
