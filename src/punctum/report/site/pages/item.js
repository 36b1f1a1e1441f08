"use strict";
// One question: its pictures, how it was asked, its options, and the answers side by side.

const Item = {
  // item: from a chunk; about: {id, slot, rotation, category}; runs: [{slug, name}] that are shown.
  draw(item, about, runs) {
    const shown = runs.filter((run) => item.answers[run.slug]);
    const of = (name) => [
      ...new Set(shown.map((run) => item.answers[run.slug][name]).filter((place) => place !== undefined)),
    ];
    const questions = of("q"),
      prompts = of("p");
    const first = questions.length ? item.questions[questions[0]] : null;
    return [
      Item.asked(first),
      h(
        "div",
        { class: "shown" },
        Item.pictures(first, about),
        h(
          "div",
          { class: "asked" },
          questions.map((place) => Item.question(item, place, shown, questions.length > 1)),
        ),
      ),
      questions.length
        ? null
        : h(
            "p",
            { class: "note" },
            "What was asked is not kept here: these runs have no samples.jsonl. Below is what predictions.jsonl says.",
          ),
      h("h3", {}, shown.length > 1 ? "Answers" : "Answer"),
      h(
        "div",
        { class: "answers" },
        shown.map((run) => Item.answer(item, run)),
      ),
      prompts.map((place) => Item.prompt(item, place, shown, prompts.length > 1)),
      first ? Item.fields(first) : null,
    ];
  },

  // The words that the question is about, where the row has them.
  asked(question) {
    const name = ["question", "utterance", "statement", "template"].find(
      (entry) => typeof question?.fields?.[entry] === "string",
    );
    return name ? h("p", { class: "about" }, words(question.fields[name])) : null;
  },

  pictures(question, about) {
    if (!question) return null;
    const names = question.pictures;
    if (!names?.length) return h("p", { class: "absent" }, "No picture: the data at hand have none.");
    const one = (name, place) => {
      const alt = `Picture ${names.length > 1 ? `${place + 1} of ${names.length} ` : ""}of ${about.id}`;
      if (name === null) return h("span", { class: "absent" }, `${alt}: not kept, or not readable`);
      const image = h("img", { src: `pictures/${encodeURIComponent(name)}`, alt, decoding: "async" });
      image.addEventListener("error", () =>
        button.replaceWith(h("span", { class: "absent" }, `${alt}: the file is missing`)),
      );
      const button = h(
        "button",
        { type: "button", class: "picture", "aria-label": `${alt}: enlarge`, onclick: () => Item.enlarge(name, alt) },
        image,
      );
      return button;
    };
    return h("div", { class: "pictures" }, names.map(one));
  },

  enlarge(name, alt) {
    openSheet(alt, h("img", { class: "large", src: `pictures/${encodeURIComponent(name)}`, alt }));
  },

  // The options with their kinds, which is right, and who chose which; or what is right where there are none.
  question(item, place, shown, several) {
    const question = item.questions[place];
    const asked = shown.filter((run) => item.answers[run.slug].q === place);
    const title = several ? h("p", { class: "quiet" }, "As shown to ", asked.map((run) => run.name).join(", ")) : null;
    if (!question.options) {
      const gold = [question.gold ?? []].flat();
      return h(
        "section",
        { class: "gold" },
        title,
        h("h3", {}, gold.length > 1 ? "References" : "Right answer"),
        h(
          "ul",
          {},
          gold.map((text) => h("li", {}, words(text))),
        ),
      );
    }
    const isLabels = question.form === "labels"; // named by words, not by letters
    const among = (found, index) => Array.isArray(found) && found.includes(isLabels ? question.options[index] : index);
    const chose = (run, index) => among(item.answers[run.slug].parsed, index);
    const isGold = question.options.map((_, index) => among(question.gold, index));
    return h(
      "section",
      {},
      title,
      h("h3", {}, question.wanted > 1 ? `Options (${question.wanted} wanted)` : "Options"),
      h(
        "table",
        { class: "options" },
        h(
          "thead",
          {},
          h(
            "tr",
            {},
            (isLabels ? ["label", "chosen by", ""] : ["option", "text, chosen by", "kind"]).map((name) =>
              name ? h("th", { scope: "col" }, name) : h("td", {}),
            ),
          ),
        ),
        h(
          "tbody",
          {},
          question.options.map((text, index) =>
            h(
              "tr",
              { class: isGold[index] ? "right" : "" },
              h("th", { scope: "row" }, isLabels ? words(text) : letter(index, question.first_number)),
              h(
                "td",
                { class: "text" },
                isLabels ? null : words(text),
                h(
                  "span",
                  { class: "who" },
                  asked
                    .filter((run) => chose(run, index))
                    .map((run) => h("span", { class: "chip" }, mark(isGold[index] ? "c" : "w"), " ", words(run.name))),
                ),
              ),
              h(
                "td",
                { class: "kind" },
                isGold[index] ? h("span", { class: "goldmark" }, "✓ right") : null,
                question.kinds?.[index] && question.kinds[index] !== "correct"
                  ? words(spaced(question.kinds[index]))
                  : null,
              ),
            ),
          ),
        ),
      ),
    );
  },

  answer(item, run) {
    const answer = item.answers[run.slug];
    const status = STATUS[answer.status];
    const question = item.questions[answer.q];
    return h(
      "article",
      { class: `answer ${status.name}`, "aria-label": run.name },
      h(
        "header",
        {},
        h("a", { href: link(["run", run.slug]) }, words(run.name)),
        h("span", { class: "status" }, mark(answer.status), " ", status.word),
      ),
      Object.entries(answer.stages || {}).map(([name, text]) =>
        h(
          "details",
          { class: "stage", open: true },
          h("summary", {}, "before: ", words(spaced(name))),
          Item.long(text),
        ),
      ),
      answer.reasoning
        ? h("details", { class: "stage" }, h("summary", {}, "reasoning"), Item.long(answer.reasoning))
        : null,
      answer.error ? h("p", { class: "error" }, h("strong", {}, "failed: "), words(answer.error)) : null,
      answer.output === undefined
        ? answer.error
          ? null
          : h("p", { class: "quiet" }, "It wrote nothing.")
        : Item.long(answer.output),
      answer.error ? null : Item.read(answer, question),
      answer.verdict
        ? h(
            "details",
            { class: "stage", open: true },
            h("summary", {}, "the judge's verdict"),
            Item.long(answer.verdict),
          )
        : null,
      answer.scores
        ? h(
            "details",
            { class: "stage" },
            h("summary", {}, "log-likelihoods"),
            h(
              "ol",
              { class: "scores" },
              answer.scores.map((score, index) => h("li", {}, `${Item.name(index, question)}  ${score}`)),
            ),
          )
        : null,
    );
  },

  // What an answer was taken for, and by which rule.
  read(answer, question) {
    const rule = answer.rule ? [h("span", { class: "quiet" }, " by the rule "), words(answer.rule)] : null;
    const parsed = answer.parsed;
    if (answer.status === "u") return h("p", { class: "read" }, h("em", {}, "unparsed, counted as wrong"), rule);
    if (question?.form === "text")
      return h("p", { class: "read" }, h("span", { class: "quiet" }, "taken as it stands"), rule);
    const list = Array.isArray(parsed) ? parsed : [parsed];
    return h(
      "p",
      { class: "read" },
      h("span", { class: "quiet" }, "read as "),
      list.length ? null : h("em", {}, "none"),
      h(
        "strong",
        {},
        list.map((entry, place) => [
          place ? ", " : "",
          typeof entry === "number" ? Item.name(entry, question) : words(entry),
        ]),
      ),
      rule,
    );
  },

  // The letter or number of an option, or the word.
  name(index, question) {
    return question?.form === "yes_no"
      ? (["yes", "no"][index] ?? String(index))
      : letter(index, question?.first_number);
  },

  prompt(item, place, shown, several) {
    const prompt = item.prompts[place];
    const asked = shown
      .filter((run) => item.answers[run.slug].p === place)
      .map((run) => run.name)
      .join(", ");
    const seen = `${prompt.pictures ? "with the picture" : "without the picture"}, setting ${prompt.setting}`;
    const tail = several ? ` (${asked})` : "";
    if (prompt.prompt === undefined)
      return h("p", { class: "quiet" }, `The prompt is not known: the answers come from a file${tail}.`);
    return h(
      "details",
      { class: "stage prompt", open: true },
      h("summary", {}, `Prompt, ${seen}${tail}`),
      prompt.system ? [h("p", { class: "quiet" }, "System"), Item.long(prompt.system)] : null,
      Item.long(prompt.prompt),
    );
  },

  fields(question) {
    const entries = Object.entries(question.fields || {});
    if (!entries.length) return null;
    return h(
      "details",
      { class: "stage" },
      h("summary", {}, "Other columns of the row"),
      pairs(entries.map(([name, value]) => [name, Array.isArray(value) ? value.join("; ") : String(value)])),
    );
  },

  // Words as they were written; a box that scrolls where there are many.
  long(text) {
    const isLong = text.length > 1500;
    return h(
      "pre",
      { class: isLong ? "words long" : "words", dir: "auto", tabindex: isLong ? 0 : null },
      text === "" ? h("em", {}, "(empty)") : text,
    );
  },
};
