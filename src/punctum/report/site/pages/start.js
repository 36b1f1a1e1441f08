"use strict";
// Begin, when everything is there.

Punctum.site = Punctum.received.get("site") || null;
Pages.theme(false);
byId("theme").addEventListener("click", () => Pages.theme(true));
byId("help").addEventListener("click", () => Pages.help());
byId("sheet").addEventListener("click", (event) => {
  if (event.target === event.currentTarget) event.currentTarget.close();
});
if (Punctum.site === null) {
  put(byId("main"), h("p", { class: "note" }, "data/site.js is missing: copy the whole folder, not only this page."));
} else {
  document.querySelector("[data-page=tables]").hidden = !Punctum.site.tables;
  byId("title").textContent = Punctum.site.title;
  put(byId("foot"), `Made by punctum ${Punctum.site.punctum}. Everything on these pages lies in this folder.`);
  window.addEventListener("hashchange", () => Pages.show());
  document.addEventListener("keydown", (event) => Pages.key(event));
  document.querySelector(".skip").addEventListener("click", (event) => {
    event.preventDefault();
    byId("main").focus();
  });
  Pages.show();
}
