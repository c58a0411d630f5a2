"use strict";
// Everything here works from the page itself, with the network off. Uploaded text is only ever read and set as text.
const byId = id => document.getElementById(id);
const cells = row => Array.from(row.cells);

// -- tables that sort by a click on a heading ---------------------------------------------------------
const keyOf = cell => {
  const value = cell.dataset.v;
  if (value === undefined) return cell.textContent;
  return value === "" ? NaN : Number(value);
};
const compare = (a, b) => typeof a === "number" && typeof b === "number" ? a - b
  : String(a).localeCompare(String(b), undefined, {numeric: true});
for (const table of document.querySelectorAll("table[data-sort]")) {
  const heads = cells(table.tHead.rows[0]);
  heads.forEach((head, place) => head.firstElementChild.addEventListener("click", () => {
    const first = head.classList.contains("n") ? "descending" : "ascending";
    const now = head.getAttribute("aria-sort");
    const wanted = !now ? first : now === "ascending" ? "descending" : "ascending";
    heads.forEach(other => other.removeAttribute("aria-sort"));
    head.setAttribute("aria-sort", wanted);
    const sign = wanted === "ascending" ? 1 : -1;
    const keyed = Array.from(table.tBodies[0].rows, row => [keyOf(row.cells[place]), row]);
    // what is undefined stays last, whichever way
    const empty = key => Number.isNaN(key) || key === "";
    keyed.sort(([a], [b]) => empty(a) || empty(b) ? empty(a) - empty(b) : sign * compare(a, b));
    table.tBodies[0].append(...keyed.map(([, row]) => row));
  }));
}

// -- saving -------------------------------------------------------------------------------------------
const hand = (blob, name) => {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
};
const alone = svg => {
  const copy = svg.cloneNode(true);
  const style = document.createElementNS("http://www.w3.org/2000/svg", "style");
  style.textContent = byId("chart-style").textContent;
  copy.prepend(style);
  return new Blob([new XMLSerializer().serializeToString(copy)], {type: "image/svg+xml;charset=utf-8"});
};
const asPng = svg => {
  const image = new Image(), box = svg.viewBox.baseVal;
  // no side beyond what browsers take
  const scale = Math.min(2, 8000 / Math.max(box.width, box.height));
  image.addEventListener("load", () => {
    const canvas = document.createElement("canvas");
    canvas.width = Math.round(box.width * scale);
    canvas.height = Math.round(box.height * scale);
    canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
    canvas.toBlob(blob => hand(blob, svg.id + ".png"), "image/png");
    URL.revokeObjectURL(image.src);
  });
  image.src = URL.createObjectURL(alone(svg));
};
// text that a spreadsheet would run as a formula gets an apostrophe in front, also behind a sign inside it at which
// some programs begin another cell (as `data/rows/exports.py`)
const safe = text => /^[+-]?\d+(\.\d+)?([eE][+-]?\d+)?$/.test(text) ? text
  : (/^\ufeff*[=+\-@＝＋－＠\t\r\n]/.test(text) ? "'" : "") + text.replace(/([;|\t\r\n])("*[=+\-@＝＋－＠])/g, "$1'$2");
const csvCell = cell => {
  const value = cell.dataset.v;
  const text = value === undefined ? safe(cell.textContent) : value;
  return /[",\r\n]/.test(text) ? '"' + text.replaceAll('"', '""') + '"' : text;
};
const asCsv = table => hand(
  new Blob(["\ufeff", Array.from(table.rows, row => cells(row).map(csvCell).join(",")).join("\r\n"), "\r\n"],
    {type: "text/csv;charset=utf-8"}), table.id + ".csv");
const save = {
  svg: svg => hand(alone(svg), svg.id + ".svg"),
  png: asPng,
  csv: asCsv,
  json: data => hand(new Blob([data.textContent], {type: "application/json"}), "numbers.json"),
};
for (const button of document.querySelectorAll("button[data-save]")) {
  button.addEventListener("click", () => save[button.dataset.save](byId(button.dataset.of)));
  button.parentElement.hidden = false;
}

for (const button of document.querySelectorAll("button[data-print]")) button.addEventListener("click", () => print());

// -- paper: what is folded is printed, but a long table only if the reader has opened it ---------------
const LONG = 60;
addEventListener("beforeprint", () => {
  for (const folded of document.querySelectorAll("details:not([open])")) {
    if (folded.querySelectorAll("tr").length > LONG) continue;
    folded.open = true;
    folded.dataset.opened = "";
  }
});
addEventListener("afterprint", () => {
  for (const folded of document.querySelectorAll("details[data-opened]")) {
    folded.open = false;
    delete folded.dataset.opened;
  }
});
