"use strict";
// The list of runs, and a page a run: scores, breakdowns, letter bias, and its signature taken apart.

const Runs = {
  list(main) {
    const { runs } = Punctum.site;
    put(
      main,
      h(
        "div",
        { class: "head" },
        h("h1", {}, "Runs"),
        h("p", { class: "lead" }, "A run is one model on one benchmark, asked in one way."),
      ),
      h(
        "ul",
        { class: "runs" },
        runs.map((run) =>
          h(
            "li",
            {},
            h("a", { href: link(["run", run.slug]) }, words(run.name)),
            h("span", { class: "quiet" }, run.title, " · ", run.tasks.map(spaced).join(", ")),
            h(
              "span",
              { class: "chips" },
              run.marks.map((text) => h("span", { class: "chip warn" }, text)),
              run.settings
                .filter((setting) => setting !== "vlm")
                .map((setting) => h("span", { class: "chip" }, `setting ${setting}`)),
            ),
          ),
        ),
      ),
    );
  },

  async show(main, slug) {
    const run = Punctum.site.runs.find((entry) => entry.slug === slug);
    if (!run) return missing(main, "run", slug);
    const here = location.hash;
    const more = await Punctum.load(`runs/${slug}`);
    if (location.hash !== here) return; // somebody went elsewhere meanwhile
    put(
      main,
      h(
        "div",
        { class: "head" },
        h("p", { class: "over" }, run.title),
        h("h1", {}, words(run.name)),
        h(
          "p",
          { class: "chips" },
          run.marks.map((text) => h("span", { class: "chip warn" }, text)),
          Object.entries(run.model)
            .filter(([name]) => name !== "id")
            .map(([name, value]) => h("span", { class: "chip", title: SIGNATURE[name] }, `${name} `, words(value))),
        ),
      ),
      more.tasks.length > 1
        ? h(
            "nav",
            { class: "jump", "aria-label": "Tasks" },
            more.tasks.map((task) =>
              h(
                "button",
                { type: "button", onclick: () => byId(`task-${task.name}`).scrollIntoView() },
                spaced(task.name),
              ),
            ),
          )
        : null,
      more.tasks.map((task) => Runs.task(run, more, task)),
      Runs.wide(run),
      h("details", { class: "plain" }, h("summary", {}, "Versions"), pairs(Object.entries(more.environment))),
    );
  },

  task(run, more, task) {
    const set = Punctum.site.sets.find((entry) => more.sets.includes(entry.slug) && entry.name === task.name);
    const figures = Punctum.site.figures.filter((entry) => entry.task === `${run.benchmark}/${task.name}`);
    const letters = task.breakdowns.filter((entry) => entry.shape === "letters");
    const others = task.breakdowns.filter((entry) => entry.shape !== "letters");
    const browse = (text, query) =>
      h("a", { class: "go", href: link(["samples", set.slug], { runs: run.slug, ...query }) }, text);
    return h(
      "section",
      { class: "task", id: `task-${task.name}` },
      h("h2", {}, spaced(task.name)),
      h(
        "p",
        { class: "counts" },
        plural(task.n, "answer"),
        ", ",
        h("span", { class: task.unparsed ? "some" : "" }, `${WHOLE.format(task.unparsed)} unparsed (counted as wrong)`),
        ", ",
        h("span", { class: task.failed ? "some" : "" }, `${WHOLE.format(task.failed)} failed`),
      ),
      task.marks.length
        ? h(
            "ul",
            { class: "noted" },
            task.marks.map((text) => h("li", {}, words(text))),
          )
        : null,
      set
        ? h(
            "p",
            { class: "links" },
            browse("Browse its samples", {}),
            browse("the wrong ones", { show: "wrong" }),
            task.unparsed ? browse("the unparsed ones", { show: "unparsed" }) : null,
          )
        : null,
      Runs.metrics(task),
      figures.length ? h("div", { class: "figures" }, figures.map(figure)) : null,
      letters.length ? h("h3", {}, "Letter bias") : null,
      letters.length
        ? h(
            "p",
            { class: "quiet" },
            "How often each letter was chosen beside how often it was right; points are the difference of their " +
              "shares. Without a preference for a place both are alike.",
          )
        : null,
      h("div", { class: "breakdowns" }, letters.map(breakdown)),
      others.length ? h("h3", {}, "Breakdowns") : null,
      h("div", { class: "breakdowns" }, others.map(breakdown)),
      h(
        "details",
        { class: "plain" },
        h("summary", {}, "Signature: everything that changes this score"),
        pairs(Object.entries(task.signature), SIGNATURE),
      ),
    );
  },

  wide(run) {
    const found = Punctum.site.figures.filter((entry) => entry.task === run.benchmark);
    return found.length
      ? h("section", { class: "task" }, h("h2", {}, "Figures"), h("div", { class: "figures" }, found.map(figure)))
      : null;
  },

  metrics(task) {
    const known = Object.entries(task.metrics).filter(([name]) => !name.endsWith("_answered"));
    const first = task.headline.filter((name) => name in task.metrics).map((name) => [name, task.metrics[name]]);
    const rest = known.filter(([name]) => !task.headline.includes(name));
    const row = ([name, value]) => {
      const interval = task.intervals[name] || [];
      const answered = task.metrics[`${name}_answered`];
      return h(
        "tr",
        {},
        h("th", { scope: "row" }, words(spaced(name))),
        h("td", { class: "number" }, number(name, value)),
        h(
          "td",
          { class: "number" },
          interval.length ? `${number(name, interval[0])} – ${number(name, interval[1])}` : "",
        ),
        h("td", { class: "drawn" }, isShare(name) && value >= 0 && value <= 1 ? intervalBar(value, ...interval) : ""),
        h("td", { class: "number" }, answered === undefined ? "" : number(name, answered)),
      );
    };
    return h(
      "div",
      { class: "scroll", tabindex: 0, role: "region", "aria-label": `${spaced(task.name)}: scores` },
      h(
        "table",
        { class: "scores" },
        h(
          "thead",
          {},
          h(
            "tr",
            {},
            h("th", { scope: "col" }, "measure"),
            h("th", { scope: "col", class: "number" }, "×100"),
            h("th", { scope: "col", class: "number" }, "95 % interval"),
            h("td", { class: "drawn" }),
            h("th", { scope: "col", class: "number" }, "of the answered"),
          ),
        ),
        h("tbody", {}, first.map(row), rest.map(row)),
      ),
    );
  },
};

function breakdown(entry) {
  const label = spaced(entry.name);
  if (entry.shape === "letters") return letterBias(entry.value, label);
  if (entry.shape === "counts" || entry.shape === "shares") {
    const text = (value) => (value === null ? "–" : entry.shape === "counts" ? WHOLE.format(value) : percent(value));
    return bars(Object.entries(entry.value), text, label);
  }
  if (entry.shape === "table") {
    const text = (column, value) =>
      value === null ? "–" : entry.counts.includes(column) ? WHOLE.format(value) : percent(value);
    return h(
      "table",
      { class: "groups" },
      h("caption", {}, label),
      h(
        "thead",
        {},
        h(
          "tr",
          {},
          h("th", { scope: "col" }, "group"),
          entry.columns.map((name) => h("th", { scope: "col", class: "number" }, words(spaced(name)))),
        ),
      ),
      h(
        "tbody",
        {},
        entry.rows.map(([group, ...values]) =>
          h(
            "tr",
            {},
            h("th", { scope: "row" }, words(spaced(group))),
            values.map((value, place) => h("td", { class: "number" }, text(entry.columns[place], value))),
          ),
        ),
      ),
    );
  }
  const text = typeof entry.value === "object" ? JSON.stringify(entry.value, null, 1) : String(entry.value);
  return h(
    "div",
    { class: "single" },
    h("span", { class: "quiet" }, label),
    text.includes("\n") ? h("pre", { tabindex: 0 }, text) : words(text),
  );
}

// Names and values, with what each name means where that is known.
function pairs(entries, meanings) {
  return h(
    "dl",
    { class: "pairs" },
    entries.map(([name, value]) => [
      h("dt", {}, words(spaced(name))),
      h(
        "dd",
        {},
        words(name === "prompts" ? value.split("+").join(" + ") : value),
        meanings?.[name] ? h("span", { class: "quiet" }, meanings[name]) : null,
      ),
    ]),
  );
}

function missing(main, what, name) {
  put(
    main,
    h("h1", {}, `No such ${what}`),
    h("p", { class: "note" }, words(name), ` is not in this site. `, h("a", { href: "#/" }, "To the leaderboard")),
  );
}
