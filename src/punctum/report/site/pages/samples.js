"use strict";
// The browser of samples: filters, the list, and the question that is open.

const Samples = {
  view: null, // {set, index, state, places, current, list, …} of the set that is shown

  async show(main, slug, query) {
    const set = Punctum.site.sets.find((entry) => entry.slug === slug) || (slug ? null : Punctum.site.sets[0]);
    if (!set) return slug ? missing(main, "set of samples", slug) : Samples.none(main);
    if (!slug) return location.replace(link(["samples", set.slug]));
    const index = await Punctum.load(`sets/${set.slug}/index`);
    if (address().path[1] !== slug) return; // somebody went elsewhere meanwhile
    const state = Filters.read(query, set, index);
    const before = Samples.view;
    if (before?.set === set && before.layout.isConnected) {
      if (JSON.stringify(state) === JSON.stringify(before.state)) return Samples.go(Samples.wanted(query));
      before.list.watcher.disconnect();
    }
    const view = { set, index, state, search: 0, places: [] };
    Samples.view = view;
    view.runs = Punctum.site.runs.filter((run) => set.runs.includes(run.slug));
    view.list = new VirtualList("Samples", Samples.row, (position, isClick) => Samples.open(position, isClick));
    view.count = h("p", { class: "count", role: "status" });
    view.detail = h("article", { class: "detail", tabindex: 0, "aria-label": "The sample" });
    view.form = Filters.form(view.state, set, index, Samples.change);
    view.clear = h("button", { type: "button", class: "more", onclick: () => Samples.clear() }, "clear filters");
    view.left = h(
      "div",
      { class: "left" },
      Samples.chooser(set),
      view.form,
      h("div", { class: "found" }, view.count, view.clear),
      view.list.box,
    );
    view.layout = h("div", { class: "browser" }, view.left, view.detail);
    put(main, h("h1", { class: "hidden" }, "Samples"), view.layout);
    Samples.fill(Samples.wanted(query));
  },

  // Only the question changed: back from one, or a link to another.
  go(place) {
    const { layout, places, list } = Samples.view;
    if (place < 0) {
      layout.classList.remove("open");
      list.select(list.current); // a list that was not shown has lost its place
    } else if (places.includes(place)) Samples.open(places.indexOf(place), false);
  },

  none(main) {
    put(
      main,
      h("h1", {}, "Samples"),
      h("p", { class: "note" }, "These runs kept no answers (no predictions.jsonl), so there is nothing to browse."),
    );
  },

  chooser(set) {
    return chooser(
      "Questions",
      Punctum.site.sets.map((entry) => [
        entry.slug,
        `${short(entry.title)} · ${spaced(entry.name)} (${brief(entry.data || "data")}, ${WHOLE.format(entry.n)})`,
      ]),
      set.slug,
      (slug) => {
        location.hash = link(["samples", slug]);
      },
    );
  },

  // The place of the question that the address names; -1 where it names none.
  wanted(query) {
    const { index } = Samples.view;
    if (!query.has("item")) return -1;
    const id = query.get("item"),
      slot = Number(query.get("slot") || 1);
    const rotation = query.has("rotation") ? Number(query.get("rotation")) : null;
    return index.ids.findIndex(
      (other, place) => other === id && index.slots[place] === slot && index.rotations[place] === rotation,
    );
  },

  change(changes) {
    const view = Samples.view;
    const current = view.places[view.list.current];
    Object.assign(view.state, changes);
    if (Object.keys(changes).join() !== "q") {
      // typing leaves the box in which it is typed alone
      const focused = document.activeElement;
      const form = Filters.form(view.state, view.set, view.index, Samples.change);
      const name = focused?.dataset?.name,
        run = focused?.dataset?.run;
      view.form.replaceWith(form);
      view.form = form;
      (name
        ? form.querySelector(`[data-name="${name}"]`)
        : run
          ? form.querySelector(`[data-run="${run}"]`)
          : null
      )?.focus();
    }
    Samples.fill(current ?? -1);
  },

  // Fill the list, keep the question that is open where it still fits.
  fill(place) {
    const view = Samples.view;
    const ticket = ++view.search;
    const found = Filters.places(view.state, view.index);
    const wanted = view.state.q.trim().toLowerCase();
    view.isOpen = place >= 0;
    if (!wanted) return Samples.settle(found, place);
    Samples.find(found, wanted, ticket).then((hits) => {
      if (hits && ticket === view.search) Samples.settle(hits, place);
    }, Samples.failed);
  },

  // Look through everything, a chunk at a time; null when something else is looked for meanwhile.
  async find(places, wanted, ticket) {
    const view = Samples.view;
    const hits = [];
    let chunk = -1;
    for (const place of places) {
      const of = Samples.chunkOf(view.index, place);
      if (of !== chunk) {
        chunk = of;
        await Punctum.load(`sets/${view.set.slug}/${of}`);
        await new Promise((resolve) => setTimeout(resolve));
        if (!view.layout.isConnected || ticket !== view.search) return null;
        const [found, done] = [WHOLE.format(hits.length), WHOLE.format(place)];
        view.count.textContent = `searching … ${found} found in ${done} of ${WHOLE.format(view.index.ids.length)}`;
      }
      const item = Punctum.received.get(`sets/${view.set.slug}/${of}`)[place - view.index.starts[of]];
      const about = `${view.index.ids[place]} ${view.index.categories[view.index.category[place]] || ""}`.toLowerCase();
      if (about.includes(wanted) || Filters.haystack(item).includes(wanted)) hits.push(place);
    }
    return hits;
  },

  chunkOf(index, place) {
    let low = 0,
      high = index.starts.length - 1;
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if (index.starts[middle] <= place) low = middle;
      else high = middle - 1;
    }
    return low;
  },

  settle(places, place) {
    const view = Samples.view;
    view.places = places;
    view.list.current = -1;
    view.list.fill(places);
    view.count.textContent =
      places.length === view.index.ids.length
        ? plural(places.length, "sample")
        : `${WHOLE.format(places.length)} of ${plural(view.index.ids.length, "sample")}`;
    view.clear.hidden = !Object.values(Filters.query(view.state, view.set)).some(Boolean);
    const position = places.indexOf(place);
    if (places.length) Samples.open(Math.max(position, 0), false, position >= 0 && view.isOpen);
    else Samples.empty();
  },

  clear() {
    Samples.change({ runs: Samples.view.set.runs, show: "", kind: "", category: "", q: "" });
    Samples.view.list.box.focus();
  },

  empty() {
    const view = Samples.view;
    view.layout.classList.remove("open");
    put(
      view.detail,
      h(
        "p",
        { class: "note" },
        "No sample fits these filters. ",
        h("button", { type: "button", class: "more", onclick: () => Samples.clear() }, "Clear them"),
      ),
    );
    rewrite(link(["samples", view.set.slug], Filters.query(view.state, view.set)));
  },

  // Open the question at a position of the list. `isShown` is false for the first one: phones do not open it unasked.
  async open(position, isClick, isShown = true) {
    const view = Samples.view;
    if (position < 0 || position >= view.places.length) return;
    const place = view.places[position];
    view.list.select(position);
    const hash = Samples.link(isShown ? place : null);
    if (isClick && getComputedStyle(view.layout).getPropertyValue("--pages").trim() === "one") {
      Punctum.written = hash;
      location.hash = hash; // on a phone the back button leads to the list
    } else {
      rewrite(hash);
    }
    view.layout.classList.toggle("open", isShown);
    const of = Samples.chunkOf(view.index, place);
    const chunk = await Punctum.load(`sets/${view.set.slug}/${of}`).catch(Samples.failed);
    if (!chunk || !view.layout.isConnected || view.places[view.list.current] !== place) return;
    const about = Samples.about(place);
    const runs = view.runs.filter((run) => view.state.runs.includes(run.slug));
    put(view.detail, Samples.header(position, about), Item.draw(chunk[place - view.index.starts[of]], about, runs));
    view.detail.scrollTop = 0;
    highlight(view.detail, view.state.q);
    document.title = `${about.id} – ${Punctum.site.title}`;
    if (isClick) window.scrollTo(0, 0);
  },

  // A file of the folder is missing.
  failed(error) {
    put(Samples.view.detail, h("p", { class: "note", role: "alert" }, `${error.message}: copy the whole folder.`));
  },

  about(place) {
    const { index } = Samples.view;
    return {
      id: index.ids[place],
      slot: index.slots[place],
      rotation: index.rotations[place],
      category: index.categories[index.category[place]],
    };
  },

  link(place) {
    const view = Samples.view;
    const query = Filters.query(view.state, view.set);
    if (place === null) return link(["samples", view.set.slug], query);
    const { id, slot, rotation } = Samples.about(place);
    return link(["samples", view.set.slug], {
      item: id,
      slot: slot === 1 ? "" : slot,
      rotation: rotation === null ? "" : rotation,
      ...query,
    });
  },

  header(position, about) {
    const view = Samples.view;
    const go = (by, label, sign) =>
      h(
        "button",
        { type: "button", "aria-label": label, title: label, "data-go": by, onclick: () => Samples.step(by) },
        sign,
      );
    return h(
      "header",
      { class: "detailhead" },
      h("a", { class: "up", href: Samples.link(null) }, "← list"),
      h("div", {}, h("h2", {}, words(about.id)), h("p", { class: "quiet" }, Samples.tail(about))),
      h(
        "div",
        { class: "steps" },
        go(-1, "Previous sample (k)", "↑"),
        h("span", {}, `${WHOLE.format(position + 1)} / ${WHOLE.format(view.places.length)}`),
        go(1, "Next sample (j)", "↓"),
      ),
    );
  },

  tail({ slot, rotation, category }) {
    const parts = [
      category,
      slot > 1 || new Set(Samples.view.index.slots).size > 1 ? `prompt ${slot}` : "",
      rotation === null ? "" : `rotation ${rotation}`,
    ];
    return parts.filter(Boolean).join(" · ");
  },

  step(by) {
    const { list, places } = Samples.view;
    Samples.open(Math.min(Math.max(list.current + by, 0), places.length - 1), false);
  },

  row(place) {
    const { index, runs, state } = Samples.view;
    const about = Samples.about(place);
    const shown = runs.filter((run) => state.runs.includes(run.slug));
    const tail = Samples.tail(about);
    const said = shown.map((run) => `${run.name} ${STATUS[index.status[run.slug][place]].word}`).join(", ");
    return {
      label: `${about.id}${tail ? `, ${tail}` : ""}: ${said}`,
      content: [
        h("span", { class: "rowhead" }, words(about.id, { class: "rowid" }), h("span", { class: "quiet" }, tail)),
        h(
          "span",
          { class: "marks", "aria-hidden": "true" },
          shown.slice(0, 8).map((run) => mark(index.status[run.slug][place])),
          shown.length > 8 ? `+${shown.length - 8}` : null,
        ),
        h("span", { class: "snippet" }, words(index.snippets[place])),
      ],
    };
  },

  // j/k and arrows step, also from within the list; / goes to the search.
  key(event) {
    const by = { j: 1, ArrowDown: 1, k: -1, ArrowUp: -1, PageDown: 10, PageUp: -10, Home: -Infinity, End: Infinity }[
      event.key
    ];
    if (by === undefined) return false;
    const inList =
      event.target === Samples.view.list.box || event.target === document.body || event.target.id === "main";
    if (event.key.length > 1 && !inList) return false; // arrows keep their meaning in boxes that scroll
    Samples.step(by);
    return true;
  },
};
