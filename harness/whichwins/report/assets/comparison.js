/* The views of a comparison that are made on demand. */
  const words = data.words, rows = data.rows;

  const subjects = data.subjects.map(([key, language, told, outcomes, unstable], index) =>
    ({ key, language, told, outcomes, unstable, index }));
  const cases = data.cases.map((c) => ({
    id: c[0], family: words[c[1]], length: c[2], hex: c[3], why: c[4], refs: c[5], twinOf: c[6], twin: c[7],
    reading: c[8], problems: c[9].map((n) => words[n]),
    expects: c[10].map((line) => line.map((n) => words[n])),
    texts: c[11], classes: rows[c[12]], answers: rows[c[13]], outcomes: rows[c[14]], notes: rows[c[15]],
    partings: c[16], value: (c[17] & 1) > 0, verdict: (c[17] & 2) > 0,
    cause: c[18] && c[18].map((n) => words[n]), winners: c[19] === null ? null : rows[c[19]],
  }));
  const bySubject = new Map(subjects.map((s) => [s.key, s]));
  const byCase = new Map(cases.map((c) => [c.id, c]));
  const asked = cases.filter((c) => c.twinOf === null);
  const SILENT = new Set(["unsupported", "absent"]);
  const caseLink = (id) => el("a", { href: hash("case", id) }, id);
  const subjectLink = (key) => el("a", { href: hash("subject", key) }, key);
  function snippet(c) {
    if (c.hex === null) return el("em", {}, "not in the ledger");
    if (c.length === 0) return el("em", {}, "empty");
    const points = pointsOf(bytesOf(c.hex.slice(0, 240)));
    return el("code", { class: "input" }, visible(points.slice(0, 60)), c.length > 60 ? "\u2026" : null);
  }

  /* -- what subjects saw -- */

  const outcome = (c, s) => data.outcomes[c.outcomes[s]];
  const klass = (c, s) => (c.answers[s] < 0 ? -1 : c.classes[c.answers[s]]);
  function kindOf(c, row, column) {
    const one = klass(c, row), other = klass(c, column);
    if (SILENT.has(outcome(c, row)) || SILENT.has(outcome(c, column))) return null;
    if (one === other) return null;
    if (one >= 0 && other >= 0) return "value";
    return one >= 0 ? "row" : "column";
  }
  function pointerOf(c, one, other) {
    const [low, high] = one < other ? [one, other] : [other, one];
    const found = c.partings.find(([a, b]) => a === low && b === high);
    return found ? found[2] : null;
  }
  const textSeen = (c, s) => c.texts[c.answers[s]];
  function sees(c, s) {
    if (c.answers[s] >= 0) return code(textSeen(c, s), "value");
    return el("span", { class: "out", "data-o": outcome(c, s) }, outcome(c, s),
      words[c.notes[s]] ? el("small", {}, " ", words[c.notes[s]]) : null);
  }
  function splitAmong(c, chosen) {
    if (chosen === null) return { value: c.value, verdict: c.verdict };
    const seen = new Set();
    let not = false;
    for (const s of chosen) {
      if (c.answers[s] >= 0) seen.add(klass(c, s));
      else if (!SILENT.has(outcome(c, s))) not = true;
    }
    return { value: seen.size > 1, verdict: seen.size > 0 && not };
  }
  const tags = (value, verdict) => [
    value ? el("span", { class: "tag value" }, "value") : null, value && verdict ? " " : null,
    verdict ? el("span", { class: "tag" }, "verdict") : null,
  ];

  /* -- the list of cases -- */

  const filters = document.getElementById("filters");
  function drawCases() {
    const text = field("text").value.trim().toLowerCase();
    const family = field("family").value, cause = field("cause").value, split = field("split").value;
    const language = field("language").value, layer = field("layer").value;
    const chosen = language ? subjects.filter((s) => s.language === language).map((s) => s.index) : null;
    const found = [];
    for (const c of asked) {
      if (family && c.family !== family) continue;
      if (cause && (!c.cause || c.cause[0] !== cause)) continue;
      if (layer && !c.expects.some(([name, expects]) => `${name} ${expects}` === layer)) continue;
      if (text && !c.id.toLowerCase().includes(text) && !textOf(c).includes(text)) continue;
      const parts = splitAmong(c, chosen);
      if (split === "split" ? !(parts.value || parts.verdict) : split && !parts[split]) continue;
      found.push([c, parts]);
    }
    document.getElementById("f-count").textContent = `${plural(found.length, "case")} of ${number(asked.length)}`;
    document.getElementById("case-list").replaceChildren(found.length ? paged("List of cases",
      [["case"], ["input"], ["bytes", 1], ["split"], ["cause"]], found, ([c, parts]) => [
        caseLink(c.id), snippet(c), number(c.length), tags(parts.value, parts.verdict),
        c.cause ? c.cause[0] + (c.cause[1] ? `: ${c.cause[1]}` : "") : ""], "cases") : "");
  }

  /* -- details -- */

  function facts(lines) {
    return el("dl", { class: "facts" }, lines.filter(([, value]) => value !== null && value !== "").map(([name, value]) =>
      [el("dt", {}, name), el("dd", {}, value)]));
  }

  function caseView(id) {
    const c = byCase.get(id);
    if (!c) return null;
    const body = [el("p", {}, c.why, c.refs.length ? ` (${c.refs.join(", ")})` : ""),
      el("p", {}, tags(c.value, c.verdict), c.value || c.verdict ? " " : el("em", {}, "No split: all who make a statement agree."),
        c.cause ? `${c.cause[0]}${c.cause[1] ? ` (${c.cause[1]})` : ""}: ${c.cause[2]}` : "")];
    if (c.twinOf) body.push(el("p", {}, "A control: the twin of ", caseLink(c.twinOf), ", its repeated names renamed apart."));
    body.push(beside([el("h2", {}, "Input"), inputView(c), el("h2", {}, "Who sees what"), groupsView(c)], caseRest(c)));
    return [c.id, body];
  }

  function caseRest(c) {
    const body = [];
    if (c.partings.length) {
      const name = (n) => String.fromCodePoint(65 + n), first = (n) => c.texts[c.classes.indexOf(n)];
      body.push(el("h2", {}, "Where values part"), el("div", { class: "partings" }, c.partings.map(([one, other, pointer]) =>
        sides([name(one), first(one)], [name(other), first(other)], pointer))));
    }
    body.push(el("h2", {}, "What the reference reads"));
    if (c.reading !== null) body.push(el("p", {}, code(c.reading, "value")));
    else if (c.hex === null) body.push(el("p", {}, "The ledger holds no input."));
    else if (c.length > data.readAtMost) body.push(el("p", {}, "Too long for this page: ", code(`whichwins explain LEDGER ${c.id}`)));
    else body.push(el("p", {}, "No JSON text."));
    if (c.problems.length) body.push(el("ul", { class: "plain" }, c.problems.map((line) => el("li", {}, line))));
    if (c.expects.length) body.push(el("h2", {}, "What the layers expect"), table("Expectations",
      [["layer"], ["expects"], ["clause"]], c.expects.map(([layer, expects, clause]) =>
        [layer, el("span", { class: "out", "data-o": expects }, expects), clause])));
    body.push(facts([["family", c.family], ["twin", c.twin && caseLink(c.twin)],
      ["explain", [code(`whichwins explain LEDGER ${c.id}`), " ", copyButton("command", `whichwins explain LEDGER ${c.id}`)]]]));
    return body;
  }

  function groupsView(c) {
    const groups = new Map();
    for (const s of subjects) {
      const kind = klass(c, s.index), key = kind >= 0 ? kind : outcome(c, s.index);
      if (!groups.has(key)) groups.set(key, []);
      groups.get(key).push(s.index);
    }
    const keys = [...groups.keys()].sort((a, b) => (typeof a === "number" ? a : 1e6 + data.outcomes.indexOf(a))
      - (typeof b === "number" ? b : 1e6 + data.outcomes.indexOf(b)));
    return el("ul", { class: "groups" }, keys.map((key) => {
      const inside = groups.get(key), told = typeof key === "number";
      const spelled = told ? [...new Set(inside.map((s) => c.texts[c.answers[s]]))] : [];
      return el("li", { "data-o": told ? "accept" : key },
        el("p", { class: "sees" }, told && c.classes[c.classes.length - 1] > 0 ? el("b", {}, `${String.fromCodePoint(65 + key)} `) : null,
          told ? code(spelled[0], "value") : el("span", { class: "out", "data-o": key }, key),
          el("span", { class: "many" }, ` ${plural(inside.length, "subject")}`)),
        spelled.length > 1 ? el("p", {}, "equal under the lens, also spelled ", spelled.slice(1).map((text) => [code(text, "value"), " "])) : null,
        el("ul", { class: "members" }, inside.map((s) => {
          const winner = c.winners && data.winners[c.winners[s]];
          return el("li", {}, subjectLink(subjects[s].key),
            winner && winner !== "n/a" ? el("span", { class: "w small", "data-w": winner }, winner) : null,
            words[c.notes[s]] ? el("small", {}, ` ${words[c.notes[s]]}`) : null);
        })));
    }));
  }

  function pairView(rowKey, columnKey) {
    const row = bySubject.get(rowKey), column = bySubject.get(columnKey);
    if (!row || !column || row === column) return null;
    const found = asked.map((c) => [c, kindOf(c, row.index, column.index)]).filter(([, kind]) => kind);
    const order = ["value", "column", "row"];
    found.sort((a, b) => order.indexOf(a[1]) - order.indexOf(b[1]) || a[0].length - b[0].length
      || (a[0].id < b[0].id ? -1 : 1));
    const counts = new Map(order.map((kind) => [kind, found.filter(([, k]) => k === kind).length]));
    const names = new Map([["value", "values differ"], ["column", "only executor accepts"], ["row", "only preview accepts"]]);
    const lines = (kind) => found.filter(([, k]) => k === kind);
    const command = `whichwins pair ${row.key} ${column.key}`;
    const body = [
      el("p", {}, "Preview: ", subjectLink(row.key), ". Executor: ", subjectLink(column.key), ". ",
        el("a", { href: hash("pair", column.key, row.key) }, "Exchange them"), "."),
      el("p", {}, `${plural(data.pairs[row.index][column.index][0], "case")} put to both: `,
        order.map((kind, n) => [n ? ", " : "", `${names.get(kind)} ${number(counts.get(kind))}`]), "."),
      el("p", {}, code(command), " ", copyButton("command", command)),
    ];
    for (const kind of order) if (counts.get(kind)) {
      body.push(el("h2", {}, `${names.get(kind)[0].toUpperCase()}${names.get(kind).slice(1)}: ${number(counts.get(kind))}`));
      body.push(paged(names.get(kind), [["case"], ["preview sees"], ["executor sees"], ...(kind === "value" ? [["first differ at"]] : []),
        ["cause of the case"]], lines(kind), ([c]) => {
        const pointer = kind === "value" ? pointerOf(c, klass(c, row.index), klass(c, column.index)) : null;
        const both = pointer === null ? [sees(c, row.index), sees(c, column.index)]
          : marked(textSeen(c, row.index), textSeen(c, column.index), pointer).map((text) => code(text, "value"));
        return [caseLink(c.id), ...both,
          ...(kind === "value" ? [pointer === null ? "" : where(pointer)] : []), c.cause ? c.cause[0] : ""];
      }, "cases"));
    }
    return [`${row.key} and ${column.key}`, body];
  }

  function namesView(key, family) {
    const s = bySubject.get(key);
    if (!s) return null;
    const found = asked.filter((c) => c.winners && (!family || c.family === family));
    if (!found.length) return null;
    const groups = data.winners.map((winner, place) => [winner, found.filter((c) => c.winners[s.index] === place)])
      .filter(([, inside]) => inside.length);
    const body = [el("p", {}, subjectLink(key), family ? ` in the family ${family}: ` : ": ", `${plural(found.length, "case")} with a repeated name.`)];
    for (const [winner, inside] of groups) {
      inside.sort((a, b) => a.length - b.length || (a.id < b.id ? -1 : 1));
      body.push(el("h2", {}, el("span", { class: "w", "data-w": winner }, winner), ` ${plural(inside.length, "case")}`),
        paged(winner, [["case"], ["input"], [`${key} sees`]], inside, (c) => [caseLink(c.id), snippet(c), sees(c, s.index)], "cases"));
    }
    return [`Repeated names: ${key}`, body];
  }

  function subjectView(key) {
    const s = bySubject.get(key);
    if (!s) return null;
    const body = [facts([...s.told.map(([name, value]) => [name, name === "entry point" || name === "files" ? code(value) : value]),
      ["outcomes", s.outcomes.map(([name, count]) => `${name} ${number(count)}`).join(", ")],
      ["answers that did not repeat", s.unstable ? number(s.unstable) : ""]])];
    if (asked.some((c) => c.winners)) body.push(el("p", {}, el("a", { href: hash("names", key) }, "What it does with repeated names")));
    const near = subjects.filter((o) => o !== s && data.pairs[s.index][o.index][0] > 0).map((o) => {
      const [compared, value, mine, its] = data.pairs[s.index][o.index];
      return { o, compared, value, verdict: mine + its, share: (value + mine + its) / compared };
    }).sort((a, b) => a.share - b.share || (a.o.key < b.o.key ? -1 : 1));
    const left = [], right = [];
    if (near.length) left.push(el("h2", {}, "Neighbours, nearest first"), table("Neighbours",
      [["subject"], ["parts on", 1], ["value", 1], ["verdict", 1], ["of cases", 1], ["cases"]], near.map((n) => [subjectLink(n.o.key),
        `${(100 * n.share).toFixed(1)} %`, number(n.value), number(n.verdict), number(n.compared),
        el("a", { href: hash("pair", key, n.o.key), "aria-label": `cases of ${key} and ${n.o.key}` }, "cases")])));
    const layers = data.layers.map(([layer, lines]) => [layer, lines.find((line) => line[0] === key)]).filter(([, line]) => line && line[1] > 0);
    if (layers.length) right.push(el("h2", {}, "Beside the expectation layers"), table("Expectation layers",
      [["layer"], ["judged", 1], ["accepts what it rejects", 1], ["rejects what it accepts", 1], ["permitted limits", 1], ["fails", 1]],
      layers.map(([layer, line]) => [layer, ...line.slice(1).map(number)])));
    for (const [layer, , clauses] of data.layers) {
      const mine = clauses.filter((line) => line[0] === key);
      if (mine.length) right.push(el("details", {}, el("summary", {}, `${layer}: ${plural(mine.length, "clause")}`), table(`Clauses of ${layer}`,
        [["breach"], ["clause"], ["cases", 1], ["smallest witness"]], mine.map(([, breach, clause, count, witness]) =>
          [breach, clause, number(count), caseLink(witness)]))));
    }
    body.push(beside(left, right));
    return [key, body];
  }

  function group() {
    const body = document.querySelector("table.winners");
    if (!body) return;
    const by = picked("group") === "language" ? "language" : "group";
    const lines = [...body.querySelectorAll("tbody tr")];
    const place = (line) => Number(line.dataset.place);
    const key = (line) => (by === "group" ? Number(line.dataset.group) : line.dataset.language);
    lines.sort((a, b) => (key(a) < key(b) ? -1 : key(a) > key(b) ? 1 : place(a) - place(b)));
    for (const each of [...body.tBodies]) each.remove();
    let last = null, part = null;
    for (const line of lines) {
      if (key(line) !== last) { part = el("tbody"); body.append(part); last = key(line); }
      part.append(line);
    }
  }

  const languages = [...new Set(subjects.map((s) => s.language))].sort();
  options(document.getElementById("pair-language"), "all", languages);
  options(field("language"), "all subjects", languages);
  const EXPECTED = ["accept", "free", "reject"];
  const layers = [...new Set(asked.flatMap((c) => c.expects.map(([name]) => name)))];
  options(field("layer"), "any", layers.flatMap((name) => EXPECTED.map((each) => `${name} ${each}`)));
  options(field("family"), "all", [...new Set(asked.map((c) => c.family))].sort());
  options(field("cause"), "all", [...new Set(asked.filter((c) => c.cause).map((c) => c.cause[0]))].sort());
  document.getElementById("pairs").addEventListener("change", drawPairs);
  document.getElementById("names")?.addEventListener("change", group);
  document.getElementById("alike").addEventListener("change", () => {
    for (const each of document.querySelectorAll("#alike .scroll")) each.classList.toggle("off", each.id !== `tree-${picked("tree")}`);
  });
  filters.addEventListener("input", drawCases);
  filters.addEventListener("submit", (event) => event.preventDefault());
  filters.addEventListener("reset", () => setTimeout(drawCases));
  document.addEventListener("click", (event) => {
    const link = event.target.closest("a.to-cause");
    if (!link) return;
    filters.reset();
    field("cause").value = link.dataset.cause;
    drawCases();
  });
  start(new Map([["case", ["cases", caseView]], ["pair", ["pairs", pairView]], ["names", ["names", namesView]],
    ["subject", ["subjects", subjectView]]]), new Map([["pairs", drawPairs], ["cases", drawCases]]));
