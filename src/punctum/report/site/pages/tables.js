"use strict";
// A report's tables: ours beside the published, and paired comparisons.

const Tables = {
  async show(main, name, query) {
    const here = location.hash;
    const all = await Punctum.load("tables");
    if (location.hash !== here) return;
    const text = query.get("text") || "";
    const body = h("div", { class: "folds" });
    const draw = (wanted) => {
      const shown = all.filter((table) => table.title.toLowerCase().includes(wanted.trim().toLowerCase()));
      put(
        body,
        shown.length
          ? shown.map((table) => Tables.fold(table, table.name === name || shown.length < 4))
          : h("p", { class: "note" }, "No table has this in its title."),
      );
    };
    put(
      main,
      h(
        "div",
        { class: "head" },
        h("h1", {}, "Tables"),
        h(
          "p",
          { class: "lead" },
          "The papers' tables with these runs beside the published rows, and runs compared on the same items.",
        ),
      ),
      h(
        "form",
        { class: "filters", "aria-label": "Find a table", onsubmit: (event) => event.preventDefault() },
        searcher("Title", text, "task, metric, paired …", (wanted) => {
          rewrite(link(["tables"], { text: wanted }));
          draw(wanted);
        }),
      ),
      body,
    );
    draw(text);
    if (name) body.querySelector("details[open]")?.scrollIntoView();
  },

  // The table is drawn when it is opened.
  fold(table, open) {
    const draw = () => {
      if (box.children.length === 1) box.append(...Tables.table(table));
    };
    const box = h(
      "details",
      { class: "fold", id: `table-${table.name}`, open, ontoggle: draw },
      h("summary", {}, words(table.title)),
    );
    if (open) draw();
    return box;
  },

  table(table) {
    const notes = (numbers) => (numbers.length ? h("sup", {}, numbers.join(", ")) : null);
    const cell = (entry) =>
      h(
        "td",
        { class: "number" },
        entry === null
          ? "–"
          : [
              words(entry.text),
              notes(entry.notes),
              entry.interval ? h("span", { class: "between" }, `${entry.interval[0]} – ${entry.interval[1]}`) : null,
            ],
      );
    return [
      h(
        "div",
        { class: "scroll", tabindex: 0, role: "region", "aria-label": table.title },
        h(
          "table",
          { class: "sheet" },
          h(
            "thead",
            {},
            h(
              "tr",
              {},
              table.keys.map((name) => h("th", { scope: "col" }, words(spaced(name)))),
              table.columns.map((name) => h("th", { scope: "col", class: "number" }, words(name))),
            ),
          ),
          h(
            "tbody",
            {},
            table.lines.map((line) =>
              h(
                "tr",
                { class: `${line.kind} ${line.begins ? "begins" : ""}` },
                line.labels.map((label, place) =>
                  h(place ? "td" : "th", place ? {} : { scope: "row" }, words(label), place ? null : notes(line.notes)),
                ),
                line.cells.map(cell),
              ),
            ),
          ),
        ),
      ),
      table.notes.map((text) => h("p", { class: "quiet" }, words(text))),
      table.footnotes.length
        ? h(
            "ol",
            { class: "footnotes" },
            table.footnotes.map((text) => h("li", {}, words(text))),
          )
        : null,
    ]
      .flat()
      .filter(Boolean);
  },
};
