"use strict";
// What every page needs: making elements, loading data, addresses.
// Nothing here or elsewhere reads HTML from a text: all words of data and models become text nodes.

const Punctum = {
  received: new Map(),
  loading: new Map(),
  site: null,

  // Data files call this; see report/site/folder.py.
  receive(name, json) {
    Punctum.received.set(name, JSON.parse(json));
  },

  // Load data/NAME.js and give what it holds. Pages opened from disk may load scripts, and nothing else.
  load(name) {
    if (Punctum.received.has(name)) return Promise.resolve(Punctum.received.get(name));
    if (!Punctum.loading.has(name)) {
      Punctum.loading.set(
        name,
        new Promise((resolve, reject) => {
          const script = document.createElement("script");
          const fail = () => {
            Punctum.loading.delete(name);
            reject(new Error(`data/${name}.js cannot be read`));
          };
          script.src = `data/${name}.js`;
          script.onload = () => {
            script.remove();
            Punctum.received.has(name) ? resolve(Punctum.received.get(name)) : fail();
          };
          script.onerror = fail;
          document.head.append(script);
        }),
      );
    }
    return Punctum.loading.get(name);
  },
};

// An element: h("a", {href: "#", onclick: f, class: "x"}, "text", [more, elements], null)
function h(tag, attributes, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

// The same for drawings.
function svg(tag, attributes, ...children) {
  return fill(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, children);
}

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes || {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  for (const child of children.flat(Infinity)) {
    if (child !== null && child !== undefined && child !== false) element.append(child);
  }
  return element;
}

// Put children in place of what an element holds.
function put(element, ...children) {
  element.replaceChildren();
  return fill(element, {}, children);
}

// Words of data or a model: kept apart from the direction of what stands around them.
function words(text, attributes) {
  return h("bdi", { dir: "auto", ...attributes }, String(text));
}

function byId(id) {
  return document.getElementById(id);
}

// #/samples/SET?item=…&show=wrong  →  {path: ["samples", "SET"], query: URLSearchParams}
function address() {
  const hash = location.hash.startsWith("#/") ? location.hash.slice(2) : "";
  const [path, query] = hash.split(/\?(.*)/s);
  let parts = [];
  try {
    parts = path.split("/").filter(Boolean).map(decodeURIComponent);
  } catch {
    parts = ["unknown"]; // a broken %-escape leads nowhere
  }
  return { path: parts, query: new URLSearchParams(query || "") };
}

function link(path, query) {
  const entries = Object.entries(query || {}).filter(
    ([, value]) => value !== null && value !== undefined && value !== "",
  );
  const tail = entries.length ? `?${new URLSearchParams(entries)}` : "";
  return `#/${path.map(encodeURIComponent).join("/")}${tail}`;
}

// Change the address without a new entry in the history. The page has drawn the change itself. Where somebody has
// gone elsewhere meanwhile, nothing is changed. Browsers refuse many changes in a row (a key that is held down), so that
// only the last of those is made.
function rewrite(hash) {
  clearTimeout(Punctum.waiting);
  const wait = (Punctum.rewritten ?? -Infinity) + 150 - performance.now();
  if (wait > 0) {
    Punctum.waiting = setTimeout(() => rewrite(hash), wait);
    return;
  }
  const page = (text) => text.split("?")[0] || "#/";
  if (location.hash === hash || page(location.hash) !== page(hash)) return;
  Punctum.rewritten = performance.now();
  Punctum.written = hash;
  location.replace(hash);
}

function isTyping(event) {
  const element = event.target;
  return element.closest?.("input, textarea, select, [contenteditable]") !== null;
}

// A benchmark's title without what it is about.
function short(title) {
  return title.split(":")[0];
}

function option(value, text, chosen) {
  return h("option", { value, selected: value === chosen }, text);
}

// A hash as people compare them: its first characters.
function brief(text) {
  return text.replace(/@(\w{7})\w+/g, "@$1");
}

// A labelled box to search in, where the key / leads.
function searcher(label, value, placeholder, change) {
  const box = h("input", {
    type: "search",
    id: "find",
    value,
    placeholder,
    autocomplete: "off",
    spellcheck: "false",
    oninput: (event) => change(event.target.value),
  });
  return h("label", { class: "field wide" }, h("span", {}, label), box);
}

// A labelled select; values are [value, text].
function chooser(label, values, chosen, change) {
  const select = h(
    "select",
    { onchange: (event) => change(event.target.value), "data-name": label.toLowerCase() },
    values.map(([value, text]) => option(value, text, chosen)),
  );
  return h("label", { class: "field" }, h("span", {}, label), select);
}
