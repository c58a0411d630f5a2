{
  // Streamlit would first ask where its server is and what this host allows. Told here, it opens its websocket at once.
  const base = new URL(".", location.href);
  window.__streamlit = {
    BACKEND_BASE_URL: base.href,
    HOST_CONFIG: { allowedOrigins: [base.origin], useExternalAuthToken: false },
  };

  // The page shows once its font, its title and all of its first run are there, and nothing grows any more. No time is
  // part of this rule: a busy computer is as slow as a slow line. What takes long says so below the title, and shows.
  // Behind the page come the scripts of what is further down, or has its place already: a chart of Plotly, 1.4 MB.
  const has = (...tests) => document.querySelector(tests.map(test => `[data-testid="${test}"]`).join());
  const moves = skeleton => {
    const { top, height } = skeleton.getBoundingClientRect();
    return top < innerHeight && !(skeleton.closest('[data-testid="stElementContainer"]')?.clientHeight > height);
  };
  const isReady = page => {
    if (document.querySelector('[role="dialog"]')) return true; // such as: the server does not answer
    const title = page.querySelector("h1");
    if (document.querySelector('[data-test-script-state="running"]')) return title && has("stSpinner", "stProgress");
    return (title || has("stAlert", "stException"))
      && ![...document.querySelectorAll('[data-testid="stSkeleton"]')].some(moves);
  };
  let hasFont = false;
  let height = 0;
  let calm = 0; // looks in a row at a ready page: a component draws once more when its numbers have come
  let looks = 0;
  const look = () => {
    const page = has("stMainBlockContainer");
    const before = height;
    height = page?.scrollHeight;
    const ready = page && isReady(page);
    calm = ready && hasFont && height === before ? calm + 1 : 0;
    looks += ready ? 1 : 0;
    if (calm < 4 && looks < 400) return later();
    document.documentElement.dataset.shown = "";
    document.getElementById("later-fonts").media = "all";
  };
  const whenIdle = window.requestIdleCallback ?? setTimeout; // Safari has none
  const later = () => setTimeout(() => whenIdle(look, { timeout: 1000 }), 50);
  later();

  // Scripts wait for no font: it comes behind the last of Streamlit's, its Latin letters alone. (By the name of the
  // family, fonts.load() fetches the whole font, too.)
  const goOn = () => (hasFont = true);
  const load = () => {
    const latin = [...document.fonts].findLast(face => face.family.includes("Source Sans") && face.style === "normal");
    (latin ? latin.load() : document.fonts.ready).then(goOn, goOn);
  };
  const last = [...document.querySelectorAll("link[rel=modulepreload]")].at(-1);
  for (const end of ["load", "error"]) last.addEventListener(end, load);

  // A page is printed in the light theme: style sheets and what scripts have drawn change to it first.
  addEventListener("beforeprint", () => (document.documentElement.dataset.paper = ""));
  addEventListener("afterprint", () => delete document.documentElement.dataset.paper);

  // A share link shows its static page until its session has started, if the address is that of its own view.
  const run = new URLSearchParams(location.search).get("run");
  const showLink = html => {
    const page = new DOMParser().parseFromString(html, "text/html");
    if (page.querySelector("a.live")?.href !== location.href) return;
    for (const part of page.querySelectorAll(".top, .more-live")) part.remove();
    const frame = document.createElement("iframe");
    Object.assign(frame, { title: "Static page of this link", inert: true, sandbox: "allow-same-origin" }); // no script
    frame.srcdoc = `<!doctype html>${page.documentElement.outerHTML}`;
    document.getElementById("splash").append(frame);
  };
  if (/^[\w-]{32}$/.test(run)) {
    fetch(`${base.href}shared/${run}/start`).then(answer => answer.text()).then(showLink, () => {});
  }
}
