"use strict";
// Mark what was searched for, without touching the words: a highlight over ranges, where the browser knows that.
function highlight(box, text) {
  const wanted = text.trim().toLowerCase();
  if (!window.CSS?.highlights) return;
  const ranges = [];
  const walker = document.createTreeWalker(box, NodeFilter.SHOW_TEXT);
  while (wanted && walker.nextNode() && ranges.length < 500) {
    const words = walker.currentNode.data.toLowerCase();
    if (words.length !== walker.currentNode.data.length) continue; // some letters change their length
    for (
      let at = words.indexOf(wanted);
      at >= 0 && ranges.length < 500;
      at = words.indexOf(wanted, at + wanted.length)
    ) {
      const range = new Range();
      range.setStart(walker.currentNode, at);
      range.setEnd(walker.currentNode, at + wanted.length);
      ranges.push(range);
    }
  }
  CSS.highlights.set("found", new Highlight(...ranges));
}
