/* What every page's script does alike. Data are arrays; texts only ever become text nodes. */
  const data = JSON.parse(document.getElementById("data").textContent);
  const PAGE = 50;

  /* -- making elements -- */

  function el(tag, props, ...kids) {
    const made = document.createElement(tag);
    for (const [name, value] of Object.entries(props || {})) {
      if (value === null || value === undefined || value === false) continue;
      if (name === "on") for (const [type, what] of Object.entries(value)) made.addEventListener(type, what);
      else made.setAttribute(name, value === true ? "" : value);
    }
    made.append(...kids.flat(Infinity).filter((kid) => kid !== null && kid !== undefined && kid !== false));
    return made;
  }
  const code = (text, look) => el("code", { class: look }, text);
  const number = (n) => n.toLocaleString("en-US");
  const plural = (n, word) => `${number(n)} ${word}${n === 1 ? "" : "s"}`;
  const part = (text) => encodeURIComponent(text).replace(/%2F/g, "/");
  const hash = (view, ...parts) => `#${view}=${parts.map(part).join(",")}`;
  const where = (pointer) => (pointer === "" ? el("em", {}, "the whole document") : code(pointer));

  function table(label, heads, lines, look) {
    return el("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": label },
      el("table", { class: look },
        el("thead", {}, el("tr", {}, heads.map(([text, numeric]) =>
          el("th", { scope: "col", class: numeric && "n" }, text)))),
        el("tbody", {}, lines.map((cells) => el("tr", {}, cells.map((cell, place) =>
          el(place === 0 ? "th" : "td", { scope: place === 0 ? "row" : null, class: heads[place][1] && "n" },
            cell)))))));
  }

  /* Side by side where there is room. */
  const beside = (...sides) => el("div", { class: "beside" }, sides.filter((side) => side.length).map((side) => el("div", {}, side)));

  /* Long lists come a page at a time. */
  function paged(label, heads, items, line, look) {
    const box = el("div");
    const first = table(label, heads, items.slice(0, PAGE).map(line), look);
    const body = first.querySelector("tbody");
    box.append(first);
    if (items.length > PAGE) {
      let shown = PAGE;
      const more = el("button", { type: "button", on: { click: () => {
        const next = items.slice(shown, shown + PAGE);
        const extra = table(label, heads, next.map(line)).querySelectorAll("tbody tr");
        const target = extra[0].querySelector("a");
        body.append(...extra);
        shown += next.length;
        if (target) target.focus();
        if (shown >= items.length) more.remove();
        else more.textContent = `Show more (${number(items.length - shown)} left)`;
      } } }, `Show more (${number(items.length - PAGE)} left)`);
      box.append(more);
    }
    return box;
  }

  function options(select, all, values) {
    select.replaceChildren(el("option", { value: "" }, all), ...values.map((v) => el("option", { value: v }, v)));
  }

  /* -- copying -- */

  const said = document.getElementById("said");
  function copyButton(what, text) {
    return el("button", { type: "button", class: "copy", on: { click: async (event) => {
      const button = event.currentTarget;
      let done = false;
      try {
        await navigator.clipboard.writeText(text);
        done = true;
      } catch {
        const area = el("textarea", { class: "hidden-text", "aria-hidden": "true" });
        area.value = text;
        document.body.append(area);
        area.select();
        done = document.execCommand("copy");
        area.remove();
        button.focus();
      }
      said.textContent = done ? `${what} copied` : `${what} could not be copied`;
      button.textContent = done ? "copied" : "not copied";
      setTimeout(() => { button.textContent = `copy ${what}`; }, 1500);
    } } }, `copy ${what}`);
  }

  /* -- inputs: bytes to what they stand for -- */

  function bytesOf(hexText) {
    const found = [];
    for (let at = 0; at < hexText.length; at += 2) found.push(parseInt(hexText.slice(at, at + 2), 16));
    return found;
  }

  /* [code point, bytes] in order; -1 for a byte that is not UTF-8. Overlong forms and surrogates are not. */
  function pointsOf(bytes) {
    const found = [];
    for (let at = 0; at < bytes.length;) {
      const lead = bytes[at];
      const size = lead < 0x80 ? 1 : lead >= 0xc2 && lead < 0xe0 ? 2 : lead >= 0xe0 && lead < 0xf0 ? 3
        : lead >= 0xf0 && lead < 0xf5 ? 4 : 0;
      const tail = bytes.slice(at + 1, at + size);
      let point = size === 1 ? lead : lead & (0x7f >> size);
      for (const next of tail) point = (point << 6) | (next & 0x3f);
      const good = size > 0 && tail.length === size - 1 && tail.every((next) => (next & 0xc0) === 0x80)
        && !(size === 3 && (point < 0x800 || (point >= 0xd800 && point < 0xe000)))
        && !(size === 4 && (point < 0x10000 || point > 0x10ffff));
      found.push(good ? [point, size] : [-1, 1, lead]);
      at += good ? size : 1;
    }
    return found;
  }
  const hex = (n, width) => n.toString(16).toUpperCase().padStart(width, "0");
  const SHOWN = /^[\p{L}\p{N}\p{P}\p{S} ]$/u;
  function visible(points) {
    const kids = [];
    let run = "";
    const flush = () => { if (run) kids.push(run); run = ""; };
    for (const [point, , lead] of points) {
      const char = point < 0 ? "" : String.fromCodePoint(point);
      if (point >= 0 && SHOWN.test(char)) { run += char; continue; }
      flush();
      kids.push(el("span", { class: "esc" }, point < 0 ? `\\x{${hex(lead, 2)}}`
        : point === 10 ? "\\n" : point === 9 ? "\\t" : point === 13 ? "\\r" : `\\u{${hex(point, 2)}}`));
    }
    flush();
    return kids;
  }
  function inputView(c) {
    if (c.hex === null) return el("p", {}, `${plural(c.length, "byte")}, not in the ledger.`);
    const bytes = bytesOf(c.hex), whole = bytes.length === c.length;
    const points = pointsOf(bytes), good = points.every(([point]) => point >= 0);
    const text = good ? points.map(([point]) => String.fromCodePoint(point)).join("") : null;
    const spaced = bytes.map((byte) => hex(byte, 2).toLowerCase()).join(" ");
    return el("div", { class: "bytes" },
      el("pre", { class: "input", tabindex: "0", "aria-label": "input as text" }, c.length ? visible(points) : "(empty)"),
      el("p", {}, plural(c.length, "byte"), whole ? ". " : `, the first ${number(bytes.length)} shown. `,
        good ? "" : "Not UTF-8 throughout. ",
        whole && text !== null ? copyButton("text", text) : null, " ",
        whole && c.length ? [copyButton("hex", c.hex), " ", copyButton("command", `whichwins try --hex ${c.hex}`)] : null),
      el("details", {}, el("summary", {}, "hex"), el("pre", { tabindex: "0", "aria-label": "input as hex" }, spaced)),
      el("details", {}, el("summary", {}, "code points"), el("ol", { class: "points" }, points.slice(0, 256).map(([point, , lead]) =>
        el("li", {}, point < 0 ? `byte ${hex(lead, 2)}` : `U+${hex(point, 4)}`))),
      points.length > 256 ? el("p", {}, `${number(points.length - 256)} more.`) : null));
  }

  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  function textOf(c) {
    if (c.text === undefined) c.text = c.hex === null ? "" : decoder.decode(Uint8Array.from(bytesOf(c.hex))).toLowerCase();
    return c.text;
  }
  const field = (name) => document.getElementById(`f-${name}`);

  /* -- where two values part -- */

  /* As the page's texts are made printable; a name that is no text stands in its notation. */
  const ODD = /[^\x20-\x7e]|#(?=#[[A-Za-z])/gu;
  function printable(text) {
    return text.replace(ODD, (char) => {
      const point = char.codePointAt(0);
      return point >= 0xdc80 && point <= 0xdcff ? `\\x{${hex(point - 0xdc00, 1)}}` : `\\u{${hex(point, 1)}}`;
    });
  }
  const HALF = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/;
  function tokenOf(name) {
    let token = name;
    if (name[0] === '"') {
      token = JSON.parse(name);
      if (HALF.test(token)) token = name;
    }
    return printable(token.replace(/~/g, "~0").replace(/\//g, "~1"));
  }

  const ATOM = /[buX]?"(?:[^"\\]|\\.)*"|[^,:{}[\]" ]+/y;
  /* [from, to] of all that a JSON Pointer names in a notation. null where that cannot be told: the text is
     cut, or a name on the way (not the last) repeats. */
  function spansAt(text, pointer) {
    const steps = pointer.split("/").slice(1), found = [];
    let at = 0;
    const fail = () => { throw new SyntaxError("no notation"); };
    function atom() {
      ATOM.lastIndex = at;
      const match = ATOM.exec(text) || fail();
      at += match[0].length;
      return match[0];
    }
    function value(depth, on) {
      const from = at, open = text[at], close = open === "{" ? "}" : "]";
      if (open !== "{" && open !== "[") atom();
      else if (text[at += 1] === close) at += 1;
      else for (let index = 0, met = 0; ; index += 1) {
        let name = String(index);
        if (open === "{") {
          name = tokenOf(atom());
          if (text[at] !== ":") fail();
          at += 1;
        }
        const mine = on && depth < steps.length && name === steps[depth];
        if (mine && depth < steps.length - 1 && (met += 1) > 1) fail();
        value(depth + 1, mine);
        at += 1;
        if (text[at - 1] === close) break;
        if (text[at - 1] !== ",") fail();
      }
      if (on && depth === steps.length) found.push([from, at]);
    }
    try {
      if (/ \.\.\.\(\d+ more\)\.\.\. /.test(text)) fail();
      value(0, true);
      return at === text.length ? found : null;
    } catch (error) {
      if (error instanceof SyntaxError) return null;
      throw error;
    }
  }

  /* Two values with the place marked at which they first differ. Where a name repeats it is its first
     occurrence that is not the same text; numbers that may be equal all the same are not judged. */
  function marked(left, right, pointer) {
    const here = pointer ? spansAt(left, pointer) : null, there = pointer ? spansAt(right, pointer) : null;
    if (!here || !there) return [left, right];
    const said = (text, span) => span && text.slice(...span);
    let place = 0;
    if (here.length > 1 || there.length > 1) {
      const least = Math.min(here.length, there.length);
      while (place < least && said(left, here[place]) === said(right, there[place])) place += 1;
      if (place < least && Number(said(left, here[place])) === Number(said(right, there[place]))) return [left, right];
    }
    const paint = (text, span) => (span ? [text.slice(0, span[0]), el("mark", {}, text.slice(...span)), text.slice(span[1])] : text);
    return [paint(left, here[place]), paint(right, there[place])];
  }

  /* Two values side by side: [name, text] each. */
  function sides(one, other, pointer) {
    const shown = pointer === null ? [one[1], other[1]] : marked(one[1], other[1], pointer);
    const [left, right] = shown.map((text) => (text === "" ? el("em", {}, "nothing") : code(text, "value")));
    return el("div", { class: "sides" },
      el("div", {}, el("p", { class: "side" }, one[0]), left),
      el("div", {}, el("p", { class: "side" }, other[0]), right),
      pointer === null ? null : el("p", { class: "at" }, "first differ at ", where(pointer)));
  }

  /* -- what is shown -- */

  const sections = [...document.querySelectorAll("main > section")];
  const title = document.title;
  let started = false;

  /* `views`: by the word before the `=`, the tab it belongs to and what makes [title, parts], or null.
     `lists`: by section, what draws it when it is first looked at, or printed. */
  function go(views, lists) {
    const [view, rest] = location.hash.slice(1).split(/=(.*)/s);
    let target = sections.find((each) => each.id === view && each.id !== "detail") || sections[0], tab = target.id;
    let name = title;
    if (rest !== undefined && views.has(view)) {
      let parts = null, made = null;
      try { parts = rest.split(",").map(decodeURIComponent); } catch { parts = null; }
      if (parts) made = views.get(view)[1](...parts);
      target = document.getElementById("detail");
      tab = views.get(view)[0];
      const [head, body] = made || ["Not in this report", [el("p", {}, "This address names nothing that the report has: ", code(location.hash))]];
      document.getElementById("h-detail").textContent = head;
      document.getElementById("detail-body").replaceChildren(...body.flat(Infinity));
      name = `${head} - ${title}`;
    }
    draw(lists, target.id);
    document.title = name;
    document.body.classList.toggle("detail", target.id === "detail");
    for (const each of sections) each.classList.toggle("off", each !== target);
    document.getElementById("detail").hidden = target.id !== "detail";
    for (const link of document.querySelectorAll("nav a")) {
      if (link.hash === `#${tab}`) {
        link.setAttribute("aria-current", target.id === "detail" ? "true" : "page");
        // On a phone the tabs are a row to be pushed: what is current is in sight.
        const row = link.parentElement;
        row.scrollLeft = link.offsetLeft - row.offsetLeft - (row.clientWidth - link.offsetWidth) / 2;
      }
      else link.removeAttribute("aria-current");
    }
    // The browser goes to the section of that name by itself, a moment later.
    requestAnimationFrame(() => scrollTo(0, 0));
    scrollTo(0, 0);
    if (started) target.querySelector("h1, h2").focus({ preventScroll: true });
    started = true;
  }

  function draw(lists, id) {
    const list = lists.get(id);
    lists.delete(id);
    if (list) list();
  }

  function start(views, lists) {
    const all = () => { for (const id of [...lists.keys()]) draw(lists, id); };
    document.addEventListener("keydown", (event) => {
      if (event.key === "Escape" && document.body.classList.contains("detail")) history.back();
    });
    addEventListener("beforeprint", all);
    matchMedia("print").addEventListener("change", all);
    document.documentElement.classList.add("js");
    addEventListener("hashchange", () => go(views, lists));
    go(views, lists);
  }
