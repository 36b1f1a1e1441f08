"use strict";
// The leaderboard: a table a task. Its rows are drawn in ranking.js.

const Board = {
  sorts: new Map(), // task → {by, down}
  opened: new Set(), // tasks whose published rows are all shown

  show(main, query) {
    const chosen = Object.fromEntries(
      ["benchmark", "task", "setting", "text"].map((name) => [name, query.get(name) || ""]),
    );
    Board.chosen = chosen;
    Board.body = h("div", { class: "boards" });
    put(
      main,
      h("div", { class: "head" }, h("h1", {}, "Leaderboard"), h("p", { class: "lead" }, Board.lead())),
      Board.filters(chosen),
      Board.body,
    );
    Board.draw();
  },

  lead() {
    const { runs, boards } = Punctum.site;
    return (
      `${plural(runs.length, "run")} on ${plural(boards.length, "task")}. Shares are in percent, with 95 % ` +
      "intervals by bootstrap over pictures. Ranks hold within a set: runs on the same questions, asked and read alike."
    );
  },

  filters(chosen) {
    const { boards } = Punctum.site;
    const titles = new Map(boards.map((board) => [board.benchmark, short(board.title)]));
    const settings = [...new Set(boards.flatMap((board) => board.sets.map((set) => set.setting)))];
    const change = (name) => (value) => {
      chosen[name] = value;
      if (name === "benchmark" && chosen.task && !chosen.task.startsWith(`${value}/`)) chosen.task = "";
      rewrite(link([], chosen));
      if (name === "benchmark") box.replaceWith((box = make()));
      if (name === "benchmark") box.querySelector("select").focus();
      Board.draw();
    };
    const make = () => {
      const tasks = boards.filter((board) => !chosen.benchmark || board.benchmark === chosen.benchmark);
      return h(
        "form",
        { class: "filters", "aria-label": "Filter the leaderboard", onsubmit: (event) => event.preventDefault() },
        chooser("Benchmark", [["", "all"], ...titles], chosen.benchmark, change("benchmark")),
        chooser(
          "Task",
          [["", "all"], ...tasks.map((board) => [board.task, spaced(board.name)])],
          chosen.task,
          change("task"),
        ),
        chooser(
          "Setting",
          [["", "all"], ...settings.map((setting) => [setting, setting])],
          chosen.setting,
          change("setting"),
        ),
        searcher("Text", chosen.text, "model, condition …", change("text")),
      );
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
      .map((set, place) => ({
        ...set,
        letter: letter(place),
        rows: set.rows.filter((row) =>
          fits(`${runs.get(row.run).name} ${row.marks.join(" ")} ${row.notes.join(" ")} ${about(set)}`),
        ),
      }))
      .filter((set) => set.rows.length && (!setting || set.setting === setting));
    const published = board.published.filter(
      (row) =>
        (!setting || setting === (row.conditions.setting || "vlm")) &&
        fits(`${row.model} ${Object.values(row.conditions).join(" ")} published table ${row.table}`),
    );
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
      chooser(
        "Measure",
        board.metrics.map((name) => [name, spaced(name)]),
        sort.by,
        (by) => redraw(by, true),
      ),
      h(
        "div",
        { class: "scroll", tabindex: 0, role: "region", "aria-label": `${board.title}, ${spaced(board.name)}: table` },
        h(
          "table",
          { class: "ranking" },
          h(
            "thead",
            {},
            h(
              "tr",
              {},
              h("th", { scope: "col", class: "rank" }, h("span", { class: "hidden" }, "Rank")),
              Ranking.heading("model", sort, redraw),
              columns.map((name) => Ranking.heading(name, sort, redraw)),
            ),
          ),
          sets.map((set) => Ranking.set(set, board, sort, columns, runs, board.sets.length > 1)),
          published.length
            ? Ranking.published(board, published, sort, columns, () => redraw(sort.by, sort.down))
            : null,
        ),
      ),
      Board.figures(board) || "",
    );
    return section;
  },

  // Figures of a task, drawn when they are asked for.
  figures(board) {
    const found = Punctum.site.figures.filter((entry) => entry.task === board.task);
    return found.length
      ? h(
          "details",
          { class: "plain" },
          h("summary", {}, plural(found.length, "figure")),
          h("div", { class: "figures" }, found.map(figure)),
        )
      : null;
  },

  // Figures of a whole benchmark, or of everything.
  wide() {
    const { benchmark, task } = Board.chosen;
    const isWide = (entry) =>
      entry.task === null ||
      (!entry.task.includes("/") &&
        (!benchmark || benchmark === entry.task) &&
        (!task || task.startsWith(`${entry.task}/`)));
    const found = Punctum.site.figures.filter(isWide);
    return found.length
      ? h("section", { class: "board" }, h("h2", {}, "Figures"), h("div", { class: "figures" }, found.map(figure)))
      : null;
  },
};

function figure(entry) {
  return h(
    "figure",
    {},
    h(
      "button",
      {
        type: "button",
        "aria-label": `${entry.title}: enlarge`,
        onclick: () => openSheet(entry.title, h("img", { class: "large paper", src: entry.file, alt: entry.alt })),
      },
      h("img", { src: entry.file, alt: entry.alt, loading: "lazy" }),
    ),
    h("figcaption", {}, entry.title),
  );
}
