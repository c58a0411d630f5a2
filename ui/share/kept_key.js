// The token and the owner key of a link just made, kept in this tab's storage until Done: the key is shown once, and a
// reload (F5) is a new session that knows nothing of it.

const KEPT = "blindspot.made_link"

export default function ({ data, setTriggerValue }) {
  if (!data) return
  try {
    if (data.shown) {
      sessionStorage.setItem(KEPT, JSON.stringify(data.shown))
    } else if (data.done) {
      sessionStorage.removeItem(KEPT)
    } else {
      const kept = sessionStorage.getItem(KEPT)
      if (kept) setTriggerValue("kept", kept)
    }
  } catch {
    // a browser without storage keeps nothing
  }
}
