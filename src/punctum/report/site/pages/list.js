"use strict";
// A list that draws only the rows in view, so that its length costs nothing.

const ROW = 58; // pixels; samples.css says the same

class VirtualList {
  // row(place) gives {label, content}; pick(position) is called when a row is chosen.
  constructor(label, row, pick) {
    this.row = row;
    this.pick = pick;
    this.places = [];
    this.current = -1;
    this.drawn = new Map(); // position → element
    this.space = h("div", { class: "space" });
    this.box = h(
      "div",
      {
        class: "list",
        role: "listbox",
        tabindex: 0,
        "aria-label": label,
        onscroll: () => this.draw(),
        onclick: (event) => {
          const element = event.target.closest("[data-position]");
          if (element) this.pick(Number(element.dataset.position), true);
        },
      },
      this.space,
    );
    this.watcher = new ResizeObserver(() => this.draw());
    this.watcher.observe(this.box);
  }

  fill(places) {
    this.places = places;
    this.space.style.height = `${places.length * ROW}px`;
    this.clear();
    this.draw();
  }

  clear() {
    for (const element of this.drawn.values()) element.remove();
    this.drawn.clear();
  }

  draw() {
    const first = Math.max(0, Math.floor(this.box.scrollTop / ROW) - 4);
    const last = Math.min(this.places.length, Math.ceil((this.box.scrollTop + this.box.clientHeight) / ROW) + 4);
    for (const [position, element] of this.drawn) {
      if (position < first || position >= last) {
        element.remove();
        this.drawn.delete(position);
      }
    }
    for (let position = first; position < last; position++) {
      if (!this.drawn.has(position)) this.drawn.set(position, this.make(position));
    }
  }

  make(position) {
    const { label, content } = this.row(this.places[position]);
    const element = h(
      "div",
      {
        class: "row",
        role: "option",
        id: `row-${position}`,
        "data-position": position,
        "aria-label": label,
        "aria-selected": String(position === this.current),
        "aria-setsize": this.places.length,
        "aria-posinset": position + 1,
      },
      content,
    );
    element.style.transform = `translateY(${position * ROW}px)`;
    this.space.append(element);
    return element;
  }

  select(position) {
    this.drawn.get(this.current)?.setAttribute("aria-selected", "false");
    this.current = position;
    if (position < 0) {
      this.box.removeAttribute("aria-activedescendant");
      return;
    }
    const top = position * ROW;
    if (top < this.box.scrollTop) this.box.scrollTop = top;
    else if (top + ROW > this.box.scrollTop + this.box.clientHeight)
      this.box.scrollTop = top + ROW - this.box.clientHeight;
    this.draw();
    this.drawn.get(position)?.setAttribute("aria-selected", "true");
    this.box.setAttribute("aria-activedescendant", `row-${position}`);
  }
}
