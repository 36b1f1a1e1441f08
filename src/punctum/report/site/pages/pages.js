"use strict";
// Which page an address means, keys, colours, and the sheet that lies over the page.

const Pages = {
  async show() {
    const main = byId("main");
    const { path, query } = address();
    const [page, name] = path;
    if (location.hash === Punctum.written) return; // the page wrote it and has drawn it
    clearTimeout(Punctum.waiting);
    Punctum.written = null;
    const before = document.body.dataset.page;
    Pages.mark(page === "run" ? "runs" : page || "board");
    // those who hear pages read begin with the new one
    if (before && before !== document.body.dataset.page) main.focus({ preventScroll: true });
    byId("sheet").close();
    if (page !== "samples") window.scrollTo(0, 0);
    try {
      if (!page) Board.show(main, query);
      else if (page === "runs") Runs.list(main);
      else if (page === "run") await Runs.show(main, name);
      else if (page === "tables" && Punctum.site.tables) await Tables.show(main, name, query);
      else if (page === "samples") await Samples.show(main, name, query);
      else missing(main, "page", path.join("/"));
      if (page !== "samples") Pages.name(main);
    } catch (error) {
      put(main, h("h1", {}, "This cannot be shown"), h("p", { class: "note" }, String(error.message || error)));
    }
  },

  mark(page) {
    document.body.dataset.page = page;
    for (const entry of document.querySelectorAll("nav [data-page]")) {
      entry.dataset.page === page ? entry.setAttribute("aria-current", "page") : entry.removeAttribute("aria-current");
    }
  },

  name(main) {
    const { title } = Punctum.site;
    const heading = main.querySelector("h1")?.textContent;
    document.title = heading ? `${heading} – ${title}` : title;
  },

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || byId("sheet").open) return;
    if (isTyping(event)) {
      if (event.key === "Escape") event.target.blur();
      return;
    }
    const isSamples = document.body.dataset.page === "samples" && Samples.view;
    const done = (isSamples && Samples.key(event)) || Pages.keys[event.key]?.();
    if (done) event.preventDefault();
  },

  keys: {
    "/": () => {
      const box = byId("find");
      box?.focus();
      box?.select();
      return true;
    },
    "?": () => {
      Pages.help();
      return true;
    },
    l: () => {
      location.hash = "#/";
      return true;
    },
    s: () => {
      if (document.body.dataset.page !== "samples") location.hash = "#/samples";
      return true;
    },
    Enter: () => {
      if (document.activeElement !== Samples.view?.list.box) return false;
      document.querySelector(".picture")?.click();
      return true;
    },
  },

  help() {
    const key = (names, what) => [
      h(
        "dt",
        {},
        names.map((name) => h("kbd", {}, name)),
      ),
      h("dd", {}, what),
    ];
    const word = (status, what) => [h("dt", {}, mark(status), " ", STATUS[status].word), h("dd", {}, what)];
    openSheet(
      "Keyboard and words",
      h(
        "dl",
        { class: "pairs keys" },
        key(["j", "↓"], "next sample"),
        key(["k", "↑"], "previous sample"),
        key(["PgDn", "PgUp"], "ten further, ten back"),
        key(["Home", "End"], "first, last sample"),
        key(["Enter"], "enlarge the picture (in the list)"),
        key(["/"], "search or filter"),
        key(["Esc"], "leave the search, close this"),
        key(["Shift"], "with a click on a run: only this one"),
        key(["l"], "leaderboard"),
        key(["s"], "samples"),
        key(["?"], "this help"),
      ),
      h(
        "dl",
        { class: "pairs" },
        word("c", "read, and right as a whole"),
        word("w", "read, and not right"),
        word("u", "could not be read as an answer; counts as wrong"),
        word("f", "no answer: the call failed or the line is missing"),
        word("r", "read, and measured by how near it comes, so neither right nor wrong"),
        word("-", "this run was not asked this"),
      ),
    );
  },

  // The switch goes round: as the system, light, dark.
  theme(next) {
    const themes = ["auto", "light", "dark"];
    let now = "auto";
    try {
      now = localStorage.getItem("punctum-theme") || "auto";
    } catch {
      /* some browsers keep nothing for files */
    }
    if (next) {
      now = themes[(themes.indexOf(document.documentElement.dataset.theme || now) + 1) % 3];
      try {
        localStorage.setItem("punctum-theme", now);
      } catch {
        /* it holds for this page then */
      }
    }
    document.documentElement.dataset.theme = themes.includes(now) ? now : "auto";
    byId("theme").setAttribute("aria-label", `Colours: ${now === "auto" ? "as the system" : now}`);
    byId("theme").setAttribute("title", `Colours: ${now === "auto" ? "as the system" : now}`);
    put(byId("theme"), { auto: "◐", light: "☀", dark: "☾" }[now] || "◐");
  },
};

function openSheet(title, ...content) {
  const sheet = byId("sheet");
  put(
    sheet,
    h(
      "header",
      {},
      h("h2", { id: "sheet-title" }, title),
      h("button", { type: "button", "aria-label": "Close", onclick: () => sheet.close() }, "✕"),
    ),
    content,
  );
  sheet.showModal();
}
