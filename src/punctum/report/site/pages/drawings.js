"use strict";
// Small drawings. Each says in words what it shows, or stands beside the number that it repeats.

// A value between 0 and 1 with its interval, on a track from 0 to 1.
function intervalBar(value, low, high) {
  const width = 100,
    y = 6;
  const parts = [
    svg("line", { class: "track", x1: 0, y1: y, x2: width, y2: y }),
    svg("line", { class: "tick", x1: width / 2, y1: y - 2.5, x2: width / 2, y2: y + 2.5 }),
  ];
  if (low !== undefined) {
    parts.push(
      svg("rect", {
        class: "range",
        x: width * low,
        y: y - 3,
        width: Math.max(width * (high - low), 0.8),
        height: 6,
        rx: 3,
      }),
    );
  }
  parts.push(svg("circle", { class: "point", cx: width * value, cy: y, r: 2.4 }));
  return svg("svg", { class: "interval", viewBox: `-3 0 ${width + 6} 12`, "aria-hidden": "true" }, parts);
}

// A number with its interval in words and as a bar.
function measured(metric, values) {
  if (!values) return h("span", { class: "none" }, "–");
  const [value, low, high] = values;
  const parts = [h("span", { class: "value" }, number(metric, value))];
  if (low !== undefined) {
    parts.push(h("span", { class: "between" }, `${number(metric, low)} – ${number(metric, high)}`));
  }
  if (isShare(metric) && value >= 0 && value <= 1) parts.push(intervalBar(value, low, high));
  return h("span", { class: "measured" }, parts);
}

// Bars of counts or shares, a row a name, with the number written beside. Values below zero are hollow.
function bars(entries, text, label) {
  const most = Math.max(...entries.map(([, value]) => Math.abs(value))) || 1;
  return h(
    "table",
    { class: "bars" },
    h("caption", {}, label),
    h(
      "tbody",
      {},
      entries.map(([name, value]) =>
        h(
          "tr",
          {},
          h("th", { scope: "row" }, words(spaced(name))),
          h(
            "td",
            { class: "drawn" },
            svg(
              "svg",
              { viewBox: "0 0 100 10", preserveAspectRatio: "none", "aria-hidden": "true" },
              svg("rect", {
                class: value < 0 ? "bar below" : "bar",
                x: 0,
                y: 1,
                width: (100 * Math.abs(value)) / most,
                height: 8,
              }),
            ),
          ),
          h("td", { class: "number" }, text(value)),
        ),
      ),
    ),
  );
}

// How often each letter was chosen beside how often it was right: with no bias, both are alike.
function letterBias(letters, label) {
  const entries = Object.entries(letters);
  const all = (what) => entries.reduce((sum, [, counts]) => sum + counts[what], 0) || 1;
  const chosen = all("chosen"),
    gold = all("gold");
  const most = Math.max(...entries.flatMap(([, c]) => [c.chosen / chosen, c.gold / gold])) || 1;
  const row = ([name, counts]) => {
    const [share, right] = [counts.chosen / chosen, counts.gold / gold];
    const off = 100 * (share - right);
    return h(
      "tr",
      {},
      h("th", { scope: "row" }, words(name)),
      h(
        "td",
        { class: "drawn" },
        svg(
          "svg",
          { viewBox: "0 0 100 14", preserveAspectRatio: "none", "aria-hidden": "true" },
          svg("rect", { class: "bar", x: 0, y: 1, width: (100 * share) / most, height: 7 }),
          svg("rect", { class: "bar gold", x: 0, y: 9, width: (100 * right) / most, height: 4 }),
        ),
      ),
      h("td", { class: "number" }, WHOLE.format(counts.chosen)),
      h("td", { class: "number" }, WHOLE.format(counts.gold)),
      h("td", { class: "number" }, `${off > 0 ? "+" : off < 0 ? "−" : "±"}${Math.abs(off).toFixed(1)}`),
    );
  };
  return h(
    "table",
    { class: "bars letters" },
    h("caption", {}, label),
    h(
      "thead",
      {},
      h(
        "tr",
        {},
        ["letter", "", "chosen", "right", "points"].map((name) =>
          name ? h("th", { scope: "col" }, name) : h("td", { class: "drawn" }),
        ),
      ),
    ),
    h("tbody", {}, entries.map(row)),
  );
}
