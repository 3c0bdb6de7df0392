/* The map of pairs: cells with numbers; of many subjects colours alone, and one cell that follows the pointer. */

  const heat = document.getElementById("heat");
  const picked = (name) => document.querySelector(`input[name="${name}"]:checked`).value;
  const MEASURES = new Map([
    ["value", (cell) => cell[1]], ["executor", (cell) => cell[3]], ["verdict", (cell) => cell[2] + cell[3]],
  ]);
  const STEPS = [0, 0.005, 0.02, 0.05, 0.1, 0.2];
  function shownPairs() {
    const language = document.getElementById("pair-language").value;
    return data.order.filter((s) => !language || subjects[s].language === language);
  }
  const NUMBERED = 40;
  function drawPairs() {
    const shown = shownPairs(), measure = MEASURES.get(picked("measure"));
    const dense = shown.length > NUMBERED, map = picked("picture") === "map";
    document.getElementById("heat-many").hidden = !(map && dense);
    document.getElementById("heat-said").hidden = !map;
    document.getElementById("heat-said").textContent = "\u00a0";
    if (!map) drawPairTable(shown, measure);
    else if (dense) drawDense(shown, measure);
    else drawNumbers(shown, measure);
  }
  const roles = (row, column) => `${subjects[row].key} as preview, ${subjects[column].key} as executor`;
  function stepOf(cell, measure) {
    const count = measure(cell);
    return count === 0 ? 0 : STEPS.filter((least) => count / cell[0] > least).length;
  }
  function pairSaid(row, column, measure) {
    const cell = data.pairs[row][column];
    if (cell === null) return `${subjects[row].key}: itself`;
    if (cell[0] === 0) return `${roles(row, column)}: nothing was put to both`;
    return `${roles(row, column)}: ${number(measure(cell))} of ${plural(cell[0], "case")}`;
  }
  const pairHash = (row, column) => hash("pair", subjects[row].key, subjects[column].key);
  function framed(shown, look, bodies) {
    return el("table", { class: look },
      el("caption", {}, "Cases, by preview (rows) and executor (columns). Stronger colour: a larger share of the cases put to both."),
      el("thead", {}, el("tr", {}, el("th", { scope: "col" }, "preview \\ executor"),
        shown.map((s) => el("th", { scope: "col", title: subjects[s].key }, el("span", { class: "up" }, subjects[s].key))))),
      el("tbody", {}, shown.map((row) => el("tr", {}, el("th", { scope: "row", title: subjects[row].key },
        subjectLink(subjects[row].key)), bodies(row)))));
  }
  function put(grid) {
    heat.replaceChildren(el("div", { class: "scroll tall", tabindex: "0", role: "region", "aria-label": "Heat map" }, grid));
  }
  /* The names of the cell that is looked at stand out, and its count stands above the map. */
  function pointTo(grid, row, column, shown, measure) {
    for (const each of grid.querySelectorAll("th.on")) each.classList.remove("on");
    grid.tHead.rows[0].cells[column + 1].classList.add("on");
    grid.tBodies[0].rows[row].cells[0].classList.add("on");
    document.getElementById("heat-said").textContent = pairSaid(shown[row], shown[column], measure);
  }

  function drawNumbers(shown, measure) {
    const cellOf = (row, column) => {
      const cell = data.pairs[row][column];
      if (cell === null) return el("td", { class: "self" }, el("span", { "aria-label": "itself" }, "\u00b7"));
      if (cell[0] === 0) return el("td", { class: "none", title: pairSaid(row, column, measure) }, "n/a");
      const name = pairSaid(row, column, measure);
      return el("td", {}, el("a", { class: `cell h${stepOf(cell, measure)}`, href: pairHash(row, column), tabindex: "-1",
        title: name, "aria-label": name }, number(measure(cell))));
    };
    const grid = framed(shown, "heat", (row) => shown.map((column) => cellOf(row, column)));
    const first = grid.querySelector("a.cell");
    if (first) first.tabIndex = 0;
    grid.addEventListener("keydown", moveInGrid);
    const look = (event) => {
      const cell = event.target.closest("a.cell");
      if (cell) pointTo(grid, cell.closest("tr").rowIndex - 1, cell.parentElement.cellIndex - 1, shown, measure);
    };
    grid.addEventListener("mouseover", look);
    grid.addEventListener("focusin", (event) => {
      look(event);
      if (!event.target.matches("a.cell")) return;
      for (const each of grid.querySelectorAll('a.cell[tabindex="0"]')) each.tabIndex = -1;
      event.target.tabIndex = 0;
    });
    put(grid);
  }

  /* A row is one picture: colours from left to right, equal ones in one piece. */
  function drawDense(shown, measure) {
    const width = 100 / shown.length;
    const colour = (row, column) => {
      const cell = data.pairs[row][column];
      if (cell === null || cell[0] === 0) return "var(--line)";
      const step = stepOf(cell, measure);
      return step ? `var(--h${step})` : "transparent";
    };
    const grid = framed(shown, "heat dense", (row) => {
      const parts = [];
      let from = 0;
      shown.forEach((column, place) => {
        const mine = colour(row, column);
        if (place + 1 < shown.length && colour(row, shown[place + 1]) === mine) return;
        parts.push(`${mine} ${from * width}% ${(place + 1) * width}%`);
        from = place + 1;
      });
      const strip = el("td", { colspan: shown.length });
      strip.style.backgroundImage = `linear-gradient(to right, ${parts.join(", ")})`;
      return strip;
    });
    const lines = grid.tBodies[0].rows, cell = el("a", { class: "cell" });
    let row = 0, column = 1;
    function go(toRow, toColumn) {
      [row, column] = [toRow, toColumn];
      const strip = lines[row].cells[1];
      if (cell.parentElement !== strip) {
        const had = document.activeElement === cell;
        strip.append(cell);
        if (had) cell.focus({ preventScroll: true });
      }
      cell.style.left = `${column * width}%`;
      cell.style.width = `${width}%`;
      const one = shown[row], other = shown[column], there = data.pairs[one][other];
      if (there && there[0]) cell.setAttribute("href", pairHash(one, other));
      else cell.removeAttribute("href");
      cell.tabIndex = 0;
      cell.setAttribute("aria-label", pairSaid(one, other, measure));
      pointTo(grid, row, column, shown, measure);
    }
    grid.addEventListener("pointermove", (event) => {
      const strip = event.target.closest("td");
      if (!strip) return;
      const box = strip.getBoundingClientRect();
      const place = Math.floor((event.clientX - box.left) / box.width * shown.length);
      go(strip.parentElement.rowIndex - 1, Math.max(0, Math.min(shown.length - 1, place)));
    });
    grid.addEventListener("keydown", (event) => {
      const step = ARROWS.get(event.key);
      if (!step || event.target !== cell) return;
      event.preventDefault();
      const [toRow, toColumn] = [row + step[0], column + step[1]];
      if (!lines[toRow] || toColumn < 0 || toColumn >= shown.length) return;
      go(toRow, toColumn);
      cell.scrollIntoView({ block: "nearest", inline: "nearest" });
    });
    go(0, 1);
    put(grid);
  }

  const ARROWS = new Map([["ArrowRight", [0, 1]], ["ArrowLeft", [0, -1]], ["ArrowDown", [1, 0]], ["ArrowUp", [-1, 0]]]);
  function moveInGrid(event) {
    const cell = event.target.closest("a.cell");
    const step = ARROWS.get(event.key);
    if (!cell || !step) return;
    const lines = [...event.currentTarget.tBodies[0].rows];
    let row = lines.indexOf(cell.closest("tr")), column = cell.parentElement.cellIndex;
    for (;;) {
      row += step[0];
      column += step[1];
      const there = lines[row] && column > 0 && lines[row].cells[column];
      if (!there) break;
      const target = there.querySelector("a.cell");
      if (target) { target.focus(); break; }
    }
    event.preventDefault();
  }
  function drawPairTable(shown, measure) {
    const lines = [];
    for (const row of shown) for (const column of shown) {
      const cell = data.pairs[row][column];
      if (cell && measure(cell) > 0) lines.push([row, column, cell]);
    }
    const all = (cell) => cell[1] + cell[2] + cell[3];
    lines.sort((a, b) => measure(b[2]) - measure(a[2]) || all(b[2]) - all(a[2]));
    heat.replaceChildren(lines.length ? paged("Pairs",
      [["preview"], ["executor"], ["compared", 1], ["value", 1], ["only preview accepts", 1],
        ["only executor accepts", 1], ["cases"]],
      lines, ([row, column, cell]) => [subjectLink(subjects[row].key), subjectLink(subjects[column].key),
        ...cell.map(number), el("a", { href: hash("pair", subjects[row].key, subjects[column].key),
          "aria-label": `cases of ${subjects[row].key} and ${subjects[column].key}` }, "cases")])
      : el("p", {}, "None of these part here."));
  }

