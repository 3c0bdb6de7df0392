/* The views of an audit: the stack, and any one request walking through it. */
  const words = data.words;
  const stack = data.stack.map(([name, role, reads, what, outcomes, executions, losses, unverified], index) =>
    ({ name, role, reads, what, outcomes, executions, losses, unverified, index }));
  const spansOf = (spans) => spans.map(([isCode, text]) => (isCode ? code(words[text]) : words[text]));
  const requests = data.requests.map(([id, expected, about, way, broken, verdicts], index) => ({
    id, expected, about, way: way.map((step) => data.steps[step]), broken, verdicts, index,
  }));
  const byId = new Map(requests.map((r) => [r.id, r]));
  const requestLink = (r, text) => el("a", { href: hash("request", r.id) }, text || r.id);
  const PASSED = 0, ENDED = 1, RUNS = 2, TELLS = 3, LOST = 4, ROWS = 5;
  const lostAt = (r) => stack.filter((b) => r.way[b.index][LOST] !== null);
  const times = (n) => (n === null ? "executions unknown" : n === 1 ? "executed once" : n ? `executed ${number(n)} times` : "never executed");

  /* Who reads whom, as nested lists; `node` makes what stands in a box, `look` says how the request ended. */
  function drawn(root, node, look) {
    const under = (parent) => {
      const inside = stack.filter((b) => b.reads === parent);
      return inside.length ? el("ol", {}, inside.map((b) => el("li", {},
        el("div", { class: "box", "data-passed": look(b), "data-lost": lossy(b, look) }, node(b)), under(b.index)))) : null;
    };
    return el("div", { class: "stack" }, el("div", { class: "box origin" }, root), under(-1));
  }
  const lossy = (b, look) => look.lost(b) && "yes";
  const head = (b) => el("p", { class: "who" }, el("b", {}, b.name), " ", el("span", { class: "role" }, b.role));
  const doubt = (b) => (b.unverified === null ? null : el("p", { class: "doubt" }, `unverified: ${b.unverified}`));
  const looks = (passed, lost) => Object.assign(passed, { lost });

  function drawTotals() {
    document.getElementById("stack").replaceChildren(el("h2", {}, "The stack"), drawn(
      [el("p", { class: "who" }, el("b", {}, "the request")), el("p", {}, plural(requests.length, "path"), " in this page")],
      (b) => [head(b), b.what && el("p", {}, code(b.what)),
        el("p", {}, b.outcomes.map(([name, count], n) => `${n ? ", " : ""}${name} ${number(count)}`)),
        el("p", {}, `executions: ${b.executions}`),
        b.losses.length ? el("p", { class: "lost" }, "first lost here: ", b.losses.map(([name, count], n) =>
          `${n ? ", " : ""}${name} ${number(count)}`)) : null, doubt(b)],
      looks(() => null, () => false)));
  }

  function requestView(id) {
    const r = byId.get(id);
    if (!r) return null;
    const shown = requests_shown.includes(r) ? requests_shown : requests, at = shown.indexOf(r);
    const step = (to, text) => (to ? requestLink(to, text) : el("span", { class: "none" }, text));
    const lost = lostAt(r);
    const facts = (lines) => el("dl", { class: "facts" }, lines.map(([name, spans]) =>
      [el("dt", {}, words[name]), el("dd", {}, spansOf(spans))]));
    const body = [
      el("p", { class: "steps" }, step(shown[at - 1], "previous"), " ", step(shown[at + 1], "next"), ` ${number(at + 1)} of ${number(shown.length)}`),
      el("p", {}, lost.length ? ["First lost at ", lost.map((b, n) => [n ? ", " : "", el("b", {}, b.name)]),
        ": ", [...new Set(lost.map((b) => words[r.way[b.index][LOST]]))].join(", "), "."] : "Nothing is seen to be lost on its way."),
      beside([drawn([el("p", { class: "who" }, el("b", {}, "the request")),
        r.about.every(([name]) => words[name] === "") ? r.about.map(([, spans]) => el("p", {}, spansOf(spans))) : facts(r.about)],
      (b) => {
        const s = r.way[b.index];
        return [head(b), el("p", {}, el("span", { class: "out" }, words[s[ENDED]]), s[TELLS] ? [" ", el("span", {
          class: "runs", "data-n": s[RUNS] === null ? "unknown" : Math.min(s[RUNS], 2) }, times(s[RUNS]))] : null),
        s[LOST] === null ? null : el("p", { class: "lost" }, `first lossy: ${words[s[LOST]]} is lost here`),
        facts(s[ROWS]), doubt(b)];
      }, looks((b) => r.way[b.index][PASSED], (b) => r.way[b.index][LOST] !== null))], [el("h2", {}, "What it breaks"),
        r.broken.length ? el("ul", { class: "plain" }, r.broken.map((line) => el("li", {}, spansOf(line)))) : el("p", {}, "Nothing that no exception covers.")]),
    ];
    return [r.id, body];
  }

  let requests_shown = requests;
  const filters = document.getElementById("filters");
  function drawRequests() {
    const text = field("text").value.trim().toLowerCase(), verdict = field("verdict").value;
    const lost = field("lost").value, expected = field("expected").value;
    const found = requests.filter((r) => (!text || r.id.toLowerCase().includes(text))
      && (!verdict || (verdict === "any" ? r.verdicts.length : verdict === "none" ? !r.verdicts.length : r.verdicts.includes(Number(verdict))))
      && (!lost || r.way[Number(lost)][LOST] !== null) && (!expected || r.expected === expected));
    requests_shown = found;
    document.getElementById("f-count").textContent = `${plural(found.length, "request")} of ${number(requests.length)}`;
    document.getElementById("request-list").replaceChildren(found.length ? paged("List of requests",
      [["request"], ["policy says"], ...stack.map((b) => [b.name]), ["first lost at"], ["breaks verdict"]], found,
      (r) => [requestLink(r), r.expected || "unknown", ...r.way.map((s) => [
        el("span", { class: "out", "data-o": s[PASSED] === "failed" ? "fault" : s[PASSED] }, s[PASSED]),
        s[TELLS] ? el("small", {}, s[RUNS] === null ? " runs unknown" : ` ran ${number(s[RUNS])}`) : null]),
      lostAt(r).map((b) => b.name).join(", "), r.verdicts.join(", ")]) : "");
  }

  function linkCases() {
    for (const each of document.querySelectorAll("main > section:not(#detail) code")) {
      const r = byId.get(each.textContent);
      if (r && !each.closest("a")) { const link = requestLink(r, " "); each.replaceWith(link); link.replaceChildren(each); }
    }
  }

  options(field("expected"), "anything", [...new Set(requests.map((r) => r.expected).filter(Boolean))].sort());
  field("lost").replaceChildren(el("option", { value: "" }, "anywhere or nowhere"),
    ...stack.map((b) => el("option", { value: b.index }, b.name)));
  filters.addEventListener("input", drawRequests);
  filters.addEventListener("submit", (event) => event.preventDefault());
  filters.addEventListener("reset", () => setTimeout(drawRequests));
  linkCases();
  drawTotals();
  start(new Map([["request", ["path", requestView]]]), new Map([["path", drawRequests]]));
