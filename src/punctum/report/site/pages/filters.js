"use strict";
// Which questions of a set the list shows. The state is what stands in the address, so that every view has a link.

const SHOWN = [
  ["", "all"],
  ["wrong", "some answer wrong"],
  ["right", "all right"],
  ["unparsed", "some unparsed"],
  ["failed", "some failed"],
  ["disagree", "models disagree"],
];

// One of the shown runs did so.
const DOES = {
  wrong: (statuses) => statuses.some((status) => status === "w" || status === "u"),
  right: (statuses) => statuses.every((status) => status === "c" || status === "-") && statuses.includes("c"),
  unparsed: (statuses) => statuses.includes("u"),
  failed: (statuses) => statuses.includes("f"),
};

const Filters = {
  // What the address says, checked against the set.
  read(query, set, index) {
    const known = set.runs;
    const asked = (query.get("runs") || "").split(",").filter((slug) => known.includes(slug));
    return {
      runs: asked.length ? asked : known,
      show: SHOWN.some(([name]) => name === query.get("show")) ? query.get("show") : "",
      kind: index.kinds.includes(query.get("kind")) ? query.get("kind") : "",
      category: index.categories.includes(query.get("category")) ? query.get("category") : "",
      q: query.get("q") || "",
    };
  },

  // What goes back into the address.
  query(state, set) {
    return { ...state, runs: state.runs.length === set.runs.length ? "" : state.runs.join(",") };
  },

  // The places of the questions that fit, without the text, which takes loading.
  places(state, index) {
    const category = state.category ? index.categories.indexOf(state.category) : null;
    const kind = state.kind ? index.kinds.indexOf(state.kind) : null;
    const found = [];
    for (let place = 0; place < index.ids.length; place++) {
      if (category !== null && index.category[place] !== category) continue;
      const statuses = state.runs.map((slug) => index.status[slug][place]);
      if (statuses.every((status) => status === "-")) continue;
      if (DOES[state.show] && !DOES[state.show](statuses)) continue;
      if (state.show === "disagree" && !Filters.disagree(state.runs, index, place)) continue;
      if (kind !== null && !state.runs.some((slug) => index.chosen[slug][place].includes(kind))) continue;
      found.push(place);
    }
    return found;
  },

  disagree(runs, index, place) {
    const given = new Set(runs.map((slug) => index.same[slug][place]));
    given.delete(0);
    return given.size > 1;
  },

  // All words of a question and of everybody's answers to it, small.
  haystack(item) {
    if (item.haystack === undefined) {
      const texts = [];
      const collect = (value) => {
        if (typeof value === "string") texts.push(value);
        else if (value && typeof value === "object") Object.values(value).forEach(collect);
      };
      collect([
        item.questions.map(({ pictures, form, ...rest }) => rest),
        item.prompts,
        Object.values(item.answers).map(({ status, ...rest }) => rest),
      ]);
      item.haystack = texts.join("\n").toLowerCase();
    }
    return item.haystack;
  },

  form(state, set, index, change) {
    const runs = new Map(Punctum.site.runs.map((run) => [run.slug, run]));
    const toggle = (slug, only) => {
      if (only) return change({ runs: [slug] });
      const on = state.runs.includes(slug);
      const next = set.runs.filter((entry) => (entry === slug ? !on : state.runs.includes(entry)));
      change({ runs: next.length ? next : set.runs });
    };
    return h(
      "form",
      { class: "filters", "aria-label": "Filter the samples", onsubmit: (event) => event.preventDefault() },
      set.runs.length > 1
        ? h(
            "fieldset",
            { class: "toggles" },
            h("legend", {}, "Runs"),
            set.runs.map((slug) =>
              h(
                "button",
                {
                  type: "button",
                  "aria-pressed": String(state.runs.includes(slug)),
                  "data-run": slug,
                  title: "With Shift: only this run",
                  onclick: (event) => toggle(slug, event.shiftKey),
                },
                words(runs.get(slug).name),
              ),
            ),
          )
        : null,
      chooser(
        "Show",
        SHOWN.filter(([name]) => name !== "disagree" || set.runs.length > 1),
        state.show,
        (show) => change({ show }),
      ),
      index.kinds.length
        ? chooser(
            "Chosen",
            [["", "any option"], ...index.kinds.map((kind) => [kind, spaced(kind)])],
            state.kind,
            (kind) => change({ kind }),
          )
        : null,
      index.categories.length
        ? chooser(
            "Category",
            [["", "all"], ...index.categories.map((name) => [name, name])],
            state.category,
            (category) => change({ category }),
          )
        : null,
      searcher("Search", state.q, "in questions and answers …", (q) => change({ q })),
    );
  },
};
