"use strict";
// "/" leads to the field of the page; j and k lead from hit to hit. Nothing else needs a script of ours.
document.addEventListener("keydown", (event) => {
  const at = event.target;
  if (event.ctrlKey || event.metaKey || event.altKey || at.matches("input, textarea, select")) return;
  if (event.key === "/") {
    const field = document.querySelector("[data-key='/']");
    if (field) { event.preventDefault(); field.focus(); field.select(); }
  }
  if (event.key === "j" || event.key === "k") {
    const rows = [...document.querySelectorAll(".hit")];
    const current = rows.indexOf(at.closest(".hit"));
    const next = rows[current < 0 ? 0 : current + (event.key === "j" ? 1 : -1)];
    if (next) { event.preventDefault(); next.focus(); next.scrollIntoView({ block: "nearest" }); }
  }
});
const here = document.querySelector("nav [aria-current]");
if (here && here.parentElement.parentElement.scrollWidth > window.innerWidth) here.scrollIntoView({ inline: "center", block: "nearest" });
