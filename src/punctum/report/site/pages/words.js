"use strict";
// How numbers and names are written, and what words mean.

const PERCENT = new Intl.NumberFormat("en", { minimumFractionDigits: 2, maximumFractionDigits: 2 });
// A share as the tables write it.
function percent(value) {
  return PERCENT.format(100 * value).replace("-", "−");
}

const WHOLE = new Intl.NumberFormat("en");

// As the tables of the command line: shares ×100, variances ×10,000, counts as they are.
function number(metric, value) {
  if (value === null || value === undefined) return "–";
  if (isCount(metric)) return WHOLE.format(value);
  if (metric.startsWith("variance")) return PERCENT.format(1e4 * value);
  return percent(value);
}

function isCount(metric) {
  return metric === "n" || metric.startsWith("n_");
}

// Whether a value lies between 0 and 1 and can be drawn on that scale.
function isShare(metric) {
  return !isCount(metric) && !metric.startsWith("variance") && !metric.startsWith("std");
}

function spaced(name) {
  return name.replaceAll("_", " ");
}

function plural(n, one) {
  return `${WHOLE.format(n)} ${n === 1 ? one : `${one}s`}`;
}

// Letters beyond Z as the package writes them: A … Z, AA, AB, …
function letter(index, firstNumber) {
  if (firstNumber !== null && firstNumber !== undefined) return String(firstNumber + index);
  const last = String.fromCharCode(65 + (index % 26));
  return index < 26 ? last : letter(Math.floor(index / 26) - 1) + last;
}

const STATUS = {
  c: { word: "right", sign: "✓", name: "correct" },
  w: { word: "wrong", sign: "✗", name: "wrong" },
  u: { word: "unparsed", sign: "?", name: "unparsed" },
  f: { word: "failed", sign: "!", name: "failed" },
  r: { word: "read", sign: "≈", name: "read" },
  "-": { word: "not asked", sign: "–", name: "absent" },
};

// A sign, never by its colour alone.
function mark(status) {
  const known = STATUS[status] || STATUS["-"];
  return h(
    "span",
    { class: `mark ${known.name}`, role: "img", "aria-label": known.word, title: known.word },
    known.sign,
  );
}

const SIGNATURE = {
  task: "what was asked",
  data: "which data: the package's sample, the published revision, or a folder of one's own (local)",
  rows: "hash of the questions as shown: ids, options, right answers",
  n: "number of answers asked for",
  subset: "part of the data",
  limit: "only so many rows from the start",
  split: "split of the data",
  negatives: "which wrong options",
  context: "what the model was told of the picture",
  similarity: "who compares sentences",
  setting: "vlm: the picture; sm: a caption instead; lm: neither",
  describe: "whose description stood in the prompt",
  caption: "whose caption stood in the prompt",
  cot: "zero-shot chain of thought",
  prompts: "templates, each with a hash of its text",
  system: "hash of the system prompt",
  order: "order of the options",
  circular: "every rotation of the options was asked",
  model: "who answered",
  revision: "commit or content hash of the model",
  backend: "how the model was run",
  dtype: "numbers it was run in",
  quantization: "how its weights were shortened",
  scoring: "generate: the model wrote; likelihood: options were compared",
  generation: "how the model wrote",
  parser: "how answers were read: robust, or as the task's authors published it",
  made_by: "who wrote what stood in the prompt",
  verdicts: "hash of a judge's verdicts on unreadable answers",
  server: "the server's address",
  punctum: "version of this package",
};
