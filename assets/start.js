{
  // Streamlit would first ask where its server is and what this host allows. Told here, it opens its websocket at once.
  const base = new URL(".", location.href);
  window.__streamlit = {
    BACKEND_BASE_URL: base.href,
    HOST_CONFIG: { allowedOrigins: [base.origin], useExternalAuthToken: false },
  };

  // The page shows once its font and all of its first run are there; what takes long may delay it by two seconds.
  const main = '[data-testid="stMainBlockContainer"]';
  const content = `${main} :is(h1, [data-testid="stMarkdownContainer"] p, [data-testid="stText"])`;
  const incomplete = '[data-test-script-state="running"], [data-testid="stSkeleton"]';
  let hasFont = false;
  let looks = 0;
  const show = () => {
    if (document.querySelector(content)) looks += 1;
    const waits = document.querySelector(incomplete) && looks < 40;
    if (!hasFont || looks < 2 || waits) return setTimeout(show, 50);
    document.documentElement.dataset.shown = "";
    document.getElementById("later-fonts").media = "all";
  };
  show();

  // Scripts wait for no font: it comes behind the last of Streamlit's.
  const goOn = () => (hasFont = true);
  const load = () => document.fonts.load('1em "Source Sans"').then(goOn, goOn);
  const last = [...document.querySelectorAll("link[rel=modulepreload]")].at(-1);
  for (const end of ["load", "error"]) last.addEventListener(end, load);
}
