"use strict";
// Everything that comes from data is set as text, never as markup.
(() => {
  const quiz = window.QUIZ;
  const $ = (id) => document.getElementById(id);
  const memory = `punctum-quiz:${quiz.key}`;
  const state = { at: 0, rater: "", answers: {}, saved: true };
  let remembers = true;

  const make = (tag, attributes = {}, ...children) => {
    const element = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) {
      if (value === false || value === null) continue;
      element.setAttribute(name, value === true ? "" : value);
    }
    element.append(...children);
    return element;
  };
  const keyOf = (question) => JSON.stringify([question.id, question.prompt_slot]);
  const answerOf = (question) => state.answers[keyOf(question)];
  const isPicked = (question) => question.options !== undefined;

  function isDone(question) {
    const answer = answerOf(question);
    if (answer === undefined) return false;
    if (isPicked(question)) return question.wanted ? answer.length === Math.min(question.wanted, question.options.length) : answer.length > 0;
    return question.template ? answer.every((text) => text.trim()) : Boolean(answer.trim());
  }

  function remember() {
    try {
      localStorage.setItem(memory, JSON.stringify(state));
    } catch {
      if (remembers) say("This browser keeps nothing for pages from disk: save before you close the page.");
      remembers = false;
    }
  }

  function recall() {
    try {
      const kept = JSON.parse(localStorage.getItem(memory) || "null");
      if (kept && typeof kept.answers === "object") Object.assign(state, kept);
    } catch {
      remembers = false;
    }
    state.at = Math.min(Math.max(Number(state.at) || 0, 0), quiz.questions.length - 1);
  }

  const say = (text) => { $("message").textContent = text; };

  function set(question, answer) {
    state.answers[keyOf(question)] = answer;
    state.saved = false;
    remember();
    count();
  }

  // One option wanted: it is the answer. Several: each click adds or takes away, and the order is kept.
  function pick(question, place) {
    const before = answerOf(question) || [];
    let after;
    if (question.wanted === 1) after = [place];
    else if (before.includes(place)) after = before.filter((other) => other !== place);
    else if (question.wanted && before.length >= question.wanted) {
      say(`Only ${question.wanted} are wanted: take one away first.`);
      after = before;
    } else after = [...before, place];
    set(question, after);
    mark(question);
  }

  function mark(question) {
    const answer = answerOf(question) || [];
    document.querySelectorAll(".option").forEach((option, place) => {
      option.querySelector("input").checked = answer.includes(place);
      const rank = answer.indexOf(place);
      option.querySelector(".place").textContent = question.wanted > 1 && rank >= 0 ? `${rank + 1}.` : "";
    });
  }

  const shownLetter = (place) => (place < 26 ? String.fromCharCode(65 + place) : String(place + 1));

  function options(question) {
    const field = make("fieldset", {}, make("legend", { class: "ask" }, question.ask));
    question.options.forEach((text, place) => {
      const input = make("input", { type: question.wanted === 1 ? "radio" : "checkbox", name: "option", value: place });
      input.addEventListener("click", () => pick(question, place));
      field.append(make("label", { class: "option" }, input, make("span", { class: "letter" }, shownLetter(place)),
        make("span", {}, text), make("span", { class: "place" })));
    });
    return field;
  }

  function textField(label, value, onInput) {
    const input = make("input", { type: "text", maxlength: 500, autocomplete: "off" });
    input.value = value;
    input.addEventListener("input", () => onInput(input.value));
    return make("label", { class: "field" }, label, input);
  }

  function objects(question) {
    const box = make("div", {}, make("p", { class: "ask" }, question.ask), make("p", {}, question.template));
    ["<object1>", "<object2>"].forEach((name, place) => {
      const now = answerOf(question) || ["", ""];
      box.append(textField(name, now[place], (text) => {
        const answer = [...(answerOf(question) || ["", ""])];
        answer[place] = text;
        set(question, answer);
      }));
    });
    return box;
  }

  function draw(focus = true) {
    const question = quiz.questions[state.at];
    const main = $("question");
    main.replaceChildren(make("p", { class: "place" }, `Question ${state.at + 1} of ${quiz.questions.length}`));
    const pictures = make("div", { class: "pictures" });
    question.pictures.forEach(({ name, width, height }, place) => {
      const alt = question.pictures.length > 1 ? `Image ${place + 1}` : "Image";
      const caption = question.pictures.length > 1 ? [make("figcaption", {}, alt)] : [];
      pictures.append(make("figure", {}, ...caption, make("img", { src: `pictures/${name}`, alt, width, height })));
    });
    main.append(pictures);
    if (question.caption) main.append(make("p", { class: "caption" }, question.caption));
    if (isPicked(question)) main.append(options(question));
    else if (question.template) main.append(objects(question));
    else main.append(textField(question.ask, answerOf(question) || "", (text) => set(question, text)));
    if (isPicked(question)) mark(question);
    $("back").disabled = state.at === 0;
    $("next").disabled = state.at === quiz.questions.length - 1;
    count();
    remember();
    if (focus) { main.focus(); window.scrollTo(0, 0); }
  }

  function count() {
    const n = quiz.questions.length;
    const done = quiz.questions.filter(isDone).length;
    $("count").textContent = `${done} of ${n} answered${done === n ? ": save your answers below" : ""}`;
    $("filled").style.setProperty("width", `${(100 * done) / n}%`);
    $("bar").setAttribute("aria-valuemax", n);
    $("bar").setAttribute("aria-valuenow", done);
    $("open").disabled = done === n;
  }

  const go = (at) => {
    if (at < 0 || at >= quiz.questions.length) return;
    state.at = at;
    say("");
    draw();
  };
  const firstOpen = () => go(quiz.questions.findIndex((question) => !isDone(question)));

  function output(question) {
    const answer = answerOf(question);
    if (isPicked(question)) return answer.map((place) => question.values[place]).join(", ");
    return question.template ? `<object1>: ${answer[0]}\n<object2>: ${answer[1]}` : answer;
  }

  function line(question) {
    const found = { id: question.id, task: question.task, setting: question.setting, prompt_slot: question.prompt_slot,
      rotation: null, output: output(question), model: state.rater };
    if (question.permutation && question.permutation.length) found.permutation = question.permutation;
    return JSON.stringify(found);
  }

  function save() {
    state.rater = $("rater").value.trim();
    if (!state.rater) {
      say("Please give a name or number first: it names the row of your answers.");
      $("rater").focus();
      return;
    }
    const done = quiz.questions.filter(isDone);
    if (!done.length) { say("Nothing is answered yet."); return; }
    const text = done.map((question) => `${line(question)}\n`).join("");
    const url = URL.createObjectURL(new Blob([text], { type: "application/x-ndjson" }));
    const name = `${quiz.benchmark}-${quiz.task}-${state.rater.replace(/[^\p{L}\p{N}-]+/gu, "_")}.jsonl`;
    const link = make("a", { href: url, download: name });
    document.body.append(link);
    link.click();
    link.remove();
    setTimeout(() => URL.revokeObjectURL(url), 10000);
    state.saved = true;
    remember();
    const left = quiz.questions.length - done.length;
    say(`Saved ${done.length} answers as ${name}.${left ? ` ${left} are still open.` : " Thank you!"}`);
  }

  // The answer of a saved line, as places of the options shown here; null where it does not fit.
  function fromLine(question, text) {
    if (isPicked(question)) {
      const places = text.split(", ").map((value) => question.values.indexOf(value));
      return places.includes(-1) ? null : places;
    }
    if (!question.template) return text;
    const match = /^<object1>: ([\s\S]*)\n<object2>: ([\s\S]*)$/.exec(text);
    return match ? [match[1], match[2]] : null;
  }

  function load(text) {
    const byKey = new Map(quiz.questions.map((question) => [keyOf(question), question]));
    let read = 0;
    let strange = 0;
    for (const raw of text.split("\n").filter((l) => l.trim())) {
      let value = null;
      try { value = JSON.parse(raw); } catch { /* counted below */ }
      const question = value && byKey.get(JSON.stringify([value.id, value.prompt_slot]));
      const answer = question && typeof value.output === "string" ? fromLine(question, value.output) : null;
      if (answer === null) { strange += 1; continue; }
      state.answers[keyOf(question)] = answer;
      if (value.model) $("rater").value = state.rater = String(value.model);
      read += 1;
    }
    remember();
    draw(false);
    say(`${read} answers read.${strange ? ` ${strange} lines do not belong to this quiz.` : ""}`);
  }

  function onKey(event) {
    if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "s") {
      event.preventDefault();
      save();
      return;
    }
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const target = event.target;
    const typing = target.matches("input:not([type=radio]):not([type=checkbox])");
    if (typing && !(event.key === "Enter" && target.closest("main"))) return;
    const question = quiz.questions[state.at];
    if (event.key === "ArrowRight" || event.key === "ArrowLeft") {
      event.preventDefault(); // a radio group would take the arrows for itself
      go(state.at + (event.key === "ArrowRight" ? 1 : -1));
    } else if (event.key === "Enter" && !target.matches("button, summary, a")) {
      event.preventDefault();
      go(state.at + 1);
    } else if (event.key === ".") firstOpen();
    else if (isPicked(question) && /^[a-z1-9]$/i.test(event.key)) {
      const place = /\d/.test(event.key) ? Number(event.key) - 1 : event.key.toLowerCase().charCodeAt(0) - 97;
      const named = question.form === "yes_no" ? "yn".indexOf(event.key.toLowerCase()) : -1;
      const chosen = named >= 0 ? named : place;
      if (chosen < question.options.length) pick(question, chosen);
    }
  }

  history.scrollRestoration = "manual"; // a reload shows the question from its top
  recall();
  document.title = `${quiz.title} · quiz`;
  $("title").textContent = quiz.title;
  $("command").textContent = quiz.command;
  if (quiz.intro) {
    $("intro").textContent = quiz.intro;
    $("guide").hidden = false;
    $("guide").open = true;
  }
  $("rater").value = state.rater;
  $("rater").addEventListener("input", () => { state.rater = $("rater").value.trim(); remember(); });
  $("back").addEventListener("click", () => go(state.at - 1));
  $("next").addEventListener("click", () => go(state.at + 1));
  $("open").addEventListener("click", firstOpen);
  $("save").addEventListener("click", save);
  $("load").addEventListener("change", async () => {
    const [file] = $("load").files;
    if (file) load(await file.text());
    $("load").value = "";
  });
  $("clear").addEventListener("click", () => {
    if (!window.confirm("Forget all answers on this page?")) return;
    state.answers = {};
    state.saved = true;
    go(0);
  });
  document.addEventListener("keydown", onKey);
  window.addEventListener("beforeunload", (event) => {
    if (!state.saved && !remembers) event.preventDefault();
  });
  draw(false);
})();
