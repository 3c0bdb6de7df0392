/* The views of a judged change. */
  const words = data.words;
  const changes = data.changes.map((c) => ({
    who: words[c[0]], id: c[1], family: words[c[2]], length: c[3], kind: words[c[4]],
    sides: c[5].map(([name, text]) => [words[name], words[text]]), pointer: c[6],
    winners: c[7] && c[7].map((n) => words[n]), cause: words[c[8]], why: words[c[9]], hex: c[10],
  }));
  const several = new Set(changes.map((c) => c.who)).size > 1;
  const changeLink = (c) => el("a", { href: hash("change", c.who, c.id) }, c.id);

  const filters = document.getElementById("filters");
  const FIELDS = [["subject", "who"], ["kind", "kind"], ["cause", "cause"], ["family", "family"]];
  const pairOf = (c) => (c.pointer === null ? c.sides.map(([, text]) => text) : marked(c.sides[0][1], c.sides[1][1], c.pointer))
    .map((text) => (text === "" ? el("em", {}, "nothing") : code(text, "value")));

  function drawChanges() {
    const text = field("text").value.trim().toLowerCase();
    const wanted = FIELDS.map(([name, key]) => [key, field(name).value]).filter(([, value]) => value);
    const found = changes.filter((c) => wanted.every(([key, value]) => c[key] === value)
      && (!text || c.id.toLowerCase().includes(text) || textOf(c).includes(text)
        || c.sides.some(([, said]) => said.toLowerCase().includes(text))));
    document.getElementById("f-count").textContent = `${plural(found.length, "change")} of ${number(changes.length)}`;
    document.getElementById("change-list").replaceChildren(found.length ? paged("List of changes",
      [["case"], ...(several ? [["subject"]] : []), ["change"], ["before"], ["after"], ["first differ at"], ["cause"]], found,
      (c) => [changeLink(c), ...(several ? [c.who] : []), c.kind, ...pairOf(c), c.pointer === null ? "" : where(c.pointer), c.cause],
      "cases") : "");
  }

  function changeView(subject, id) {
    const c = changes.find((each) => each.who === subject && each.id === id);
    if (!c) return null;
    return [c.id, [
      el("p", {}, c.who ? `${c.who}: ` : "", c.kind, ", ", c.cause, c.why ? ` (${c.why})` : "", "."),
      beside([sides(c.sides[0], c.sides[1], c.pointer), c.winners && el("p", {}, "Winner: ", el("span", { class: "w", "data-w": c.winners[0] }, c.winners[0]), " before, ",
        el("span", { class: "w", "data-w": c.winners[1] }, c.winners[1]), " after.")].filter(Boolean), [el("h2", {}, "Input"), inputView(c)]),
    ]];
  }

  const distinct = (key) => [...new Set(changes.map((c) => c[key]))].sort();
  for (const [name, key] of FIELDS) options(field(name), "all", distinct(key));
  filters.addEventListener("input", drawChanges);
  filters.addEventListener("submit", (event) => event.preventDefault());
  filters.addEventListener("reset", () => setTimeout(drawChanges));
  document.addEventListener("click", (event) => {
    const link = event.target.closest("a.to-changes");
    if (!link) return;
    filters.reset();
    for (const name of ["kind", "cause", "subject"]) field(name).value = link.dataset[name];
    drawChanges();
  });
  for (const box of document.querySelectorAll("article .sides[data-pointer]")) {
    const values = [...box.querySelectorAll("code.value")];
    if (values.length !== 2) continue;
    const texts = marked(values[0].textContent, values[1].textContent, box.dataset.pointer);
    values.forEach((each, place) => each.replaceChildren(...[texts[place]].flat()));
  }
  start(new Map([["change", ["changes", changeView]]]), new Map([["changes", drawChanges]]));
