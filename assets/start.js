{
  // Streamlit would first ask where its server is and what this host allows. Told here, it opens its websocket at once.
  const base = new URL(".", location.href);
  window.__streamlit = {
    BACKEND_BASE_URL: base.href,
    HOST_CONFIG: { allowedOrigins: [base.origin], useExternalAuthToken: false },
  };

  // The page shows once its font and all of its first run are there; what takes long may delay it by two seconds, a font
  // that never comes by twenty. Behind it come the scripts of what is further down, or has its place already: a chart of
  // Plotly, 1.4 MB.
  const main = '[data-testid="stMainBlockContainer"]';
  const content = `${main} :is(h1, [data-testid="stMarkdownContainer"] p, [data-testid="stText"])`;
  const container = '[data-testid="stElementContainer"]';
  const moves = skeleton => {
    const { top, height } = skeleton.getBoundingClientRect();
    return top < innerHeight && !(skeleton.closest(container)?.clientHeight > height);
  };
  const incomplete = () =>
    document.querySelector('[data-test-script-state="running"]')
    || [...document.querySelectorAll('[data-testid="stSkeleton"]')].some(moves);
  let hasFont = false;
  let looks = 0;
  let calm = 0; // looks in a row at a complete page: a component draws once more when its numbers have come
  const show = () => {
    if (document.querySelector(content)) looks += 1;
    calm = looks && hasFont && !incomplete() ? calm + 1 : 0;
    if (calm < 4 && looks < (hasFont ? 40 : 400)) return setTimeout(show, 50);
    document.documentElement.dataset.shown = "";
    document.getElementById("later-fonts").media = "all";
  };
  show();

  // Scripts wait for no font: it comes behind the last of Streamlit's, its Latin letters alone. (By the name of the
  // family, fonts.load() fetches the whole font, too.)
  const goOn = () => (hasFont = true);
  const load = () => {
    const latin = [...document.fonts].findLast(face => face.family.includes("Source Sans") && face.style === "normal");
    (latin ? latin.load() : document.fonts.ready).then(goOn, goOn);
  };
  const last = [...document.querySelectorAll("link[rel=modulepreload]")].at(-1);
  for (const end of ["load", "error"]) last.addEventListener(end, load);
}
