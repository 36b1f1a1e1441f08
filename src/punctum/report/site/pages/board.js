"use strict";
// The leaderboard: a table a task. Runs that answered other questions, or were asked or read in another way, stand in
// a set of their own and have ranks of their own.

const Board = {
  sorts: new Map(), // task → {by, down}
  opened: new Set(), // tasks whose published rows are all shown

  show(main, query) {
    const chosen = Object.fromEntries(["benchmark", "task", "setting", "text"].map((name) => [name, query.get(name) || ""]));
    Board.chosen = chosen;
    Board.body = h("div", { class: "boards" });
    put(main,
      h("div", { class: "head" }, h("h1", {}, "Leaderboard"), h("p", { class: "lead" }, Board.lead())),
      Board.filters(chosen),
      Board.body,
    );
    Board.draw();
  },

  lead() {
    const { runs, boards } = Punctum.site;
    return `${plural(runs.length, "run")} on ${plural(boards.length, "task")}. Shares are in percent, with 95 % ` +
      "intervals by bootstrap over pictures. Ranks hold within a set: runs on the same questions, asked and read alike.";
  },

  filters(chosen) {
    const { boards } = Punctum.site;
    const titles = new Map(boards.map((board) => [board.benchmark, short(board.title)]));
    const settings = [...new Set(boards.flatMap((board) => board.sets.map((set) => set.setting)))];
    const change = (name) => (value) => {
      chosen[name] = value;
      if (name === "benchmark" && chosen.task && !chosen.task.startsWith(`${value}/`)) chosen.task = "";
      rewrite(link([], chosen));
      if (name === "benchmark") box.replaceWith(box = make());
      if (name === "benchmark") box.querySelector("select").focus();
      Board.draw();
    };
    const make = () => {
      const tasks = boards.filter((board) => !chosen.benchmark || board.benchmark === chosen.benchmark);
      return h("form", { class: "filters", "aria-label": "Filter the leaderboard", onsubmit: (event) => event.preventDefault() },
        chooser("Benchmark", [["", "all"], ...titles], chosen.benchmark, change("benchmark")),
        chooser("Task", [["", "all"], ...tasks.map((board) => [board.task, spaced(board.name)])], chosen.task, change("task")),
        chooser("Setting", [["", "all"], ...settings.map((setting) => [setting, setting])], chosen.setting, change("setting")),
        h("label", { class: "field wide" }, h("span", {}, "Text"), h("input", {
          type: "search", id: "find", value: chosen.text, placeholder: "model, condition …", autocomplete: "off",
          oninput: (event) => change("text")(event.target.value),
        })));
    };
    let box = make();
    return box;
  },

  draw() {
    const { benchmark, task, setting, text } = Board.chosen;
    const wanted = text.trim().toLowerCase();
    const shown = Punctum.site.boards
      .filter((board) => (!benchmark || board.benchmark === benchmark) && (!task || board.task === task))
      .map((board) => Board.table(board, setting, wanted))
      .filter(Boolean);
    put(Board.body, shown.length ? shown : h("p", { class: "note" }, "Nothing matches these filters."), Board.wide());
  },

  // The board's table with what the filters leave of it; null where that is nothing.
  table(board, setting, wanted) {
    const runs = new Map(Punctum.site.runs.map((run) => [run.slug, run]));
    const fits = (text) => !wanted || text.toLowerCase().includes(wanted);
    const about = (set) => Object.values(set.conditions).join(" ");
    const sets = board.sets
      .map((set, place) => ({ ...set, letter: letter(place),
        rows: set.rows.filter((row) => fits(`${runs.get(row.run).name} ${row.marks.join(" ")} ${row.notes.join(" ")} ${about(set)}`)) }))
      .filter((set) => set.rows.length && (!setting || set.setting === setting));
    const published = setting && setting !== "vlm" ? [] : board.published.filter((row) =>
      fits(`${row.model} ${Object.values(row.conditions).join(" ")} published table ${row.table}`));
    if (!sets.length && (!published.length || setting)) return null;
    const sort = Board.sorts.get(board.task) || { by: board.metrics[0], down: true };
    const columns = [...board.metrics, "n", "unparsed", "failed"];
    const section = h("section", { class: "board", "aria-labelledby": `t-${board.task}` });
    const redraw = (by, down) => {
      Board.sorts.set(board.task, { by, down });
      section.replaceWith(Board.table(board, setting, wanted));
    };
    section.append(
      h("h2", { id: `t-${board.task}` }, h("span", { class: "over" }, board.title), " ", spaced(board.name)),
      chooser("Measure", board.metrics.map((name) => [name, spaced(name)]), sort.by, (by) => redraw(by, true)),
      h("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": `${board.title}, ${spaced(board.name)}: table` },
        h("table", { class: "ranking" },
          h("thead", {}, h("tr", {}, h("th", { scope: "col", class: "rank" }, h("span", { class: "hidden" }, "Rank")),
            Board.heading("model", sort, redraw), columns.map((name) => Board.heading(name, sort, redraw)))),
          sets.map((set) => Board.set(set, board, sort, columns, runs, board.sets.length > 1)),
          published.length ? Board.published(board, published, sort, columns, () => redraw(sort.by, sort.down)) : null)),
      Board.figures(board) || "");
    return section;
  },

  heading(name, sort, redraw) {
    const isSorted = sort.by === name;
    const direction = isSorted ? (sort.down ? "descending" : "ascending") : null;
    const down = isSorted ? !sort.down : name !== "model";
    return h("th", { scope: "col", class: `${Board.kind(name)} ${isSorted ? "sorted" : ""}`, "aria-sort": direction },
      h("button", { type: "button", "data-by": name, onclick: (event) => {
        const table = event.currentTarget.closest("section").getAttribute("aria-labelledby");
        redraw(name, down);
        byId(table).parentElement.querySelector(`[data-by="${CSS.escape(name)}"]`).focus();
      } }, h("span", { class: "arrow", "aria-hidden": "true" }, isSorted ? (sort.down ? "↓ " : "↑ ") : ""), spaced(name)));
  },

  kind(name) {
    if (name === "model") return "model";
    return ["n", "unparsed", "failed"].includes(name) ? "count" : "metric";
  },

  // Rows in the order of the column; those without a value come last, equal ones keep their order.
  sorted(rows, sort, value) {
    const sign = sort.down ? -1 : 1;
    return rows.map((row) => [value(row), row]).sort(([one], [other]) => {
      if (one === undefined || other === undefined) return (one === undefined) - (other === undefined);
      return typeof one === "string" ? sign * one.localeCompare(other) : sign * (one - other);
    }).map(([, row]) => row);
  },

  set(set, board, sort, columns, runs, several) {
    const value = (row) => {
      if (sort.by === "model") return runs.get(row.run).name;
      return Board.kind(sort.by) === "count" ? row[sort.by] : row.values[sort.by]?.[0];
    };
    const rows = Board.sorted(set.rows, sort, value);
    const ranked = Board.kind(sort.by) === "metric" && sort.down && !isCount(sort.by);
    const rank = (row) => {
      const mine = value(row);
      return !ranked || rows.length < 2 || mine === undefined ? "" : 1 + rows.filter((other) => value(other) > mine).length;
    };
    return h("tbody", {},
      several ? h("tr", { class: "setline" }, h("th", { colspan: columns.length + 2, scope: "rowgroup" }, Board.about(set))) : null,
      rows.map((row) => {
        const run = runs.get(row.run);
        return h("tr", {},
          h("td", { class: "rank" }, rank(row)),
          h("th", { scope: "row", class: "model" },
            several ? h("span", { class: "setmark", title: `set ${set.letter}` }, set.letter) : null,
            h("a", { href: link(["run", run.slug]) }, words(run.name)),
            row.notes.length ? h("abbr", { class: "doubt", title: row.notes.join("; ") }, "†", h("span", { class: "hidden" }, ` ${row.notes.join("; ")}`)) : null,
            h("span", { class: "chips" }, Board.chips(run, row, set)),
            h("span", { class: "narrow" }, `n ${WHOLE.format(row.n)} · ${WHOLE.format(row.unparsed)} unparsed · ${WHOLE.format(row.failed)} failed`)),
          columns.map((name) => h("td", { class: `${Board.kind(name)} ${name === sort.by ? "sorted" : ""}` },
            Board.kind(name) === "count" ? Board.count(name, row) : measured(name, row.values[name]))));
      }));
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
    if (!set.differs.length) return [name, h("span", {}, `${Board.conditions(set)}.${more}`)];
    return [name, h("span", {}, "Not comparable with set A: "),
      set.differs.map((entry, place) => [place ? "; " : "", Board.difference(...entry)]), `.${more}`];
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
      prompts: names(mine) === names(theirs) ? "prompts in other words" : `prompts ${names(mine)} (A: ${names(theirs)})`,
      system: "another system prompt",
    }[field];
    return h("span", { title }, text ? words(text) : [spaced(field), " ", words(plain(mine)), " (A: ", words(plain(theirs)), ")"]);
  },

  published(board, rows, sort, columns, redraw) {
    const value = (row) => (sort.by === "model" ? row.model : row.cells[sort.by]?.value);
    const sorted = Board.sorted(rows, sort, value);
    const shown = Board.opened.has(board.task) ? sorted : sorted.slice(0, 8);
    const more = h("button", { type: "button", class: "more", onclick: () => { Board.opened.add(board.task); redraw(); } },
      `all ${rows.length} published rows`);
    return h("tbody", { class: "published" },
      h("tr", { class: "setline" }, h("th", { colspan: columns.length + 2, scope: "rowgroup" },
        h("span", { class: "setname" }, "Published"), h("span", {}, "As the papers print it; asked and read in the authors' way, and not ranked."))),
      shown.map((row) => h("tr", {},
        h("td", { class: "rank" }),
        h("th", { scope: "row", class: "model" }, words(row.model),
          h("span", { class: "chips" },
            h("span", { class: "chip", title: row.paper }, row.table === "outputs" ? "published · from outputs" : `published · table ${row.table}`),
            Object.entries(row.conditions).map(([name, text]) => h("span", { class: "chip", title: spaced(name) }, words(text))))),
        columns.map((name) => h("td", { class: `${Board.kind(name)} ${name === sort.by ? "sorted" : ""}` },
          Board.kind(name) === "count" ? "" : Board.cell(name, row.cells[name]))))),
      shown.length < rows.length ? h("tr", {}, h("td", { class: "rank" }), h("td", { colspan: columns.length + 1 }, more)) : null);
  },

  cell(metric, cell) {
    if (!cell) return h("span", { class: "none" }, "–");
    const doubt = cell.doubts.length ? h("abbr", { class: "doubt", title: cell.doubts.join(" ") }, "‡",
      h("span", { class: "hidden" }, ` doubtful: ${cell.doubts.join(" ")}`)) : null;
    return h("span", { class: "measured" }, h("span", { class: "value" }, cell.printed, doubt),
      isShare(metric) && cell.value <= 1 ? intervalBar(cell.value) : null);
  },

  // Figures of a task, drawn when they are asked for.
  figures(board) {
    const found = Punctum.site.figures.filter((entry) => entry.task === board.task);
    return found.length ? h("details", { class: "plain" }, h("summary", {}, plural(found.length, "figure")),
      h("div", { class: "figures" }, found.map(figure))) : null;
  },

  // Figures of a whole benchmark, or of everything.
  wide() {
    const { benchmark, task } = Board.chosen;
    const isWide = (entry) => entry.task === null || (!entry.task.includes("/") && (!benchmark || benchmark === entry.task) && (!task || task.startsWith(`${entry.task}/`)));
    const found = Punctum.site.figures.filter(isWide);
    return found.length ? h("section", { class: "board" }, h("h2", {}, "Figures"), h("div", { class: "figures" }, found.map(figure))) : null;
  },
};

function figure(entry) {
  return h("figure", {}, h("button", { type: "button", "aria-label": `${entry.title}: enlarge`, onclick: () =>
    openSheet(entry.title, h("img", { class: "large paper", src: entry.file, alt: entry.alt })) },
  h("img", { src: entry.file, alt: entry.alt, loading: "lazy" })), h("figcaption", {}, entry.title));
}
