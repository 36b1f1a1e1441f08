"use strict";
// A table of the leaderboard. Runs that answered other questions, or were asked or read in another way, stand in a set
// of their own and have ranks of their own; published rows have none.

const Ranking = {
  heading(name, sort, redraw) {
    const isSorted = sort.by === name;
    const direction = isSorted ? (sort.down ? "descending" : "ascending") : null;
    const down = isSorted ? !sort.down : name !== "model";
    return h(
      "th",
      { scope: "col", class: `${Ranking.kind(name)} ${isSorted ? "sorted" : ""}`, "aria-sort": direction },
      h(
        "button",
        {
          type: "button",
          "data-by": name,
          onclick: (event) => {
            const table = event.currentTarget.closest("section").getAttribute("aria-labelledby");
            redraw(name, down);
            byId(table)
              .parentElement.querySelector(`[data-by="${CSS.escape(name)}"]`)
              .focus();
          },
        },
        h("span", { class: "arrow", "aria-hidden": "true" }, isSorted ? (sort.down ? "↓ " : "↑ ") : ""),
        spaced(name),
      ),
    );
  },

  kind(name) {
    if (name === "model") return "model";
    return ["n", "unparsed", "failed"].includes(name) ? "count" : "metric";
  },

  // Rows in the order of the column; those without a value come last, equal ones keep their order.
  sorted(rows, sort, value) {
    const sign = sort.down ? -1 : 1;
    return rows
      .map((row) => [value(row), row])
      .sort(([one], [other]) => {
        if (one === undefined || other === undefined) return (one === undefined) - (other === undefined);
        return typeof one === "string" ? sign * one.localeCompare(other) : sign * (one - other);
      })
      .map(([, row]) => row);
  },

  set(set, board, sort, columns, runs, several) {
    const value = (row) => {
      if (sort.by === "model") return runs.get(row.run).name;
      return Ranking.kind(sort.by) === "count" ? row[sort.by] : row.values[sort.by]?.[0];
    };
    const rows = Ranking.sorted(set.rows, sort, value);
    const ranked = Ranking.kind(sort.by) === "metric" && sort.down && !isCount(sort.by);
    const rank = (row) => {
      const mine = value(row);
      return !ranked || rows.length < 2 || mine === undefined
        ? ""
        : 1 + rows.filter((other) => value(other) > mine).length;
    };
    return h(
      "tbody",
      {},
      several
        ? h("tr", { class: "setline" }, h("th", { colspan: columns.length + 2, scope: "rowgroup" }, Ranking.about(set)))
        : null,
      rows.map((row) => {
        const run = runs.get(row.run);
        return h(
          "tr",
          {},
          h("td", { class: "rank" }, rank(row)),
          h(
            "th",
            { scope: "row", class: "model" },
            several ? h("span", { class: "setmark", title: `set ${set.letter}` }, set.letter) : null,
            h("a", { href: link(["run", run.slug]) }, words(run.name)),
            row.notes.length
              ? h(
                  "abbr",
                  { class: "doubt", title: row.notes.join("; ") },
                  "†",
                  h("span", { class: "hidden" }, ` ${row.notes.join("; ")}`),
                )
              : null,
            h("span", { class: "chips" }, Ranking.chips(run, row, set)),
            h(
              "span",
              { class: "narrow" },
              ["n", "unparsed", "failed"].map((name) => `${name} ${WHOLE.format(row[name])}`).join(" · "),
            ),
          ),
          columns.map((name) =>
            h(
              "td",
              { class: `${Ranking.kind(name)} ${name === sort.by ? "sorted" : ""}` },
              Ranking.kind(name) === "count" ? Ranking.count(name, row) : measured(name, row.values[name]),
            ),
          ),
        );
      }),
    );
  },

  count(name, row) {
    const value = row[name];
    return h("span", { class: name !== "n" && value ? "some" : "" }, WHOLE.format(value));
  },

  chips(run, row, set) {
    const found = row.marks.map((text) => h("span", { class: "chip warn" }, text));
    if (set.setting !== "vlm") found.push(h("span", { class: "chip" }, `setting ${set.setting}`));
    if (set.conditions.context) found.push(h("span", { class: "chip" }, `context ${set.conditions.context}`));
    if (run.model.backend === "baseline") found.push(h("span", { class: "chip" }, "baseline"));
    if (run.model.backend === "file") found.push(h("span", { class: "chip" }, "answers from a file"));
    return found;
  },

  // What a set has in common, or why it is apart.
  about(set) {
    const name = h("span", { class: "setname" }, `Set ${set.letter}`);
    const more = set.asides.length ? ` Within it differ: ${set.asides.map(spaced).join(", ")}.` : "";
    if (!set.differs.length) return [name, h("span", {}, `${Ranking.conditions(set)}.${more}`)];
    return [
      name,
      h("span", {}, "Not comparable with set A: "),
      set.differs.map((entry, place) => [place ? "; " : "", Ranking.difference(...entry)]),
      `.${more}`,
    ];
  },

  conditions(set) {
    const told = ["data", "setting", "scoring", "parser", "context"].filter((name) => set.conditions[name]);
    return told.map((name) => `${spaced(name)} ${brief(set.conditions[name])}`).join(" · ");
  },

  // A condition in which a set differs from the first; hashes only on demand.
  difference(field, mine, theirs) {
    const title = `${SIGNATURE[field] || spaced(field)}: ${mine ?? "none"}; set A: ${theirs ?? "none"}`;
    const plain = (value) => brief(value ?? "none");
    const names = (value) => (value ?? "none").replace(/@\w+/g, "").replace(/\w+\//g, "").split("+").join(", ");
    const text = {
      rows: "other questions, or shown otherwise",
      prompts:
        names(mine) === names(theirs) ? "prompts in other words" : `prompts ${names(mine)} (A: ${names(theirs)})`,
      system: "another system prompt",
    }[field];
    return h(
      "span",
      { title },
      text ? words(text) : [spaced(field), " ", words(plain(mine)), " (A: ", words(plain(theirs)), ")"],
    );
  },

  published(board, rows, sort, columns, redraw) {
    const value = (row) => (sort.by === "model" ? row.model : row.cells[sort.by]?.value);
    const sorted = Ranking.sorted(rows, sort, value);
    const shown = Board.opened.has(board.task) ? sorted : sorted.slice(0, 8);
    const more = h(
      "button",
      {
        type: "button",
        class: "more",
        onclick: () => {
          Board.opened.add(board.task);
          redraw();
        },
      },
      `all ${rows.length} published rows`,
    );
    return h(
      "tbody",
      { class: "published" },
      h(
        "tr",
        { class: "setline" },
        h(
          "th",
          { colspan: columns.length + 2, scope: "rowgroup" },
          h("span", { class: "setname" }, "Published"),
          h("span", {}, "As the papers print it; asked and read in the authors' way, and not ranked."),
        ),
      ),
      shown.map((row) =>
        h(
          "tr",
          {},
          h("td", { class: "rank" }),
          h(
            "th",
            { scope: "row", class: "model" },
            words(row.model),
            h(
              "span",
              { class: "chips" },
              h(
                "span",
                { class: "chip", title: row.paper },
                row.table === "outputs" ? "published · from outputs" : `published · table ${row.table}`,
              ),
              Object.entries(row.conditions).map(([name, text]) =>
                h("span", { class: "chip", title: spaced(name) }, words(text)),
              ),
            ),
          ),
          columns.map((name) =>
            h(
              "td",
              { class: `${Ranking.kind(name)} ${name === sort.by ? "sorted" : ""}` },
              Ranking.kind(name) === "count" ? "" : Ranking.cell(name, row.cells[name]),
            ),
          ),
        ),
      ),
      shown.length < rows.length
        ? h("tr", {}, h("td", { class: "rank" }), h("td", { colspan: columns.length + 1 }, more))
        : null,
    );
  },

  cell(metric, cell) {
    if (!cell) return h("span", { class: "none" }, "–");
    const doubt = cell.doubts.length
      ? h(
          "abbr",
          { class: "doubt", title: cell.doubts.join(" ") },
          "‡",
          h("span", { class: "hidden" }, ` doubtful: ${cell.doubts.join(" ")}`),
        )
      : null;
    return h(
      "span",
      { class: "measured" },
      h("span", { class: "value" }, cell.printed, doubt),
      isShare(metric) && cell.value <= 1 ? intervalBar(cell.value) : null,
    );
  },
};
