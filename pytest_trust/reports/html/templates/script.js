"use strict";
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const total = data.check.length;
  if (!total) return;

  const PAGE = 50;
  const CHIPS = 6;
  const OUTCOMES = ["fails", "holds", "open"];
  const find = (id) => document.getElementById(id);
  const list = find("list");
  let shown = [];
  let page = 0;

  // Elements are made from texts alone: nothing of the data is ever read as markup.
  function make(name, attributes, ...children) {
    const node = document.createElement(name);
    for (const [key, value] of Object.entries(attributes || {})) node.setAttribute(key, value);
    node.append(...children);
    return node;
  }

  const text = (row) => data.texts_table[data.text[row]];
  const label = (number) => (number < 0 ? "" : data.labels_table[number]);
  const check = (row) => data.checks[data.check[row]];
  const change = (row) => data.changed[row] || null;
  const fixed = (value, digits = 3) => value.toFixed(digits);
  const signed = (value, digits = 3) => (value < 0 ? "\u2212" : "+") + Math.abs(value).toFixed(digits);

  // Filtering

  let folded = null;

  function foldAll() {
    folded = {
      texts: data.texts_table.map((item) => item.toLowerCase()),
      notes: data.notes_table.map((item) => item.toLowerCase()),
    };
  }

  function searched(wanted) {
    if (!wanted) return null;
    if (!folded) foldAll();
    return {
      texts: folded.texts.map((item) => item.includes(wanted)),
      notes: folded.notes.map((item) => item.includes(wanted)),
    };
  }

  function matches() {
    const found = searched(find("search").value.trim().toLowerCase());
    const [ofCheck, ofClass, ofOutcome] = ["by-check", "by-class", "by-outcome"].map((id) => find(id).value);
    const rightOnly = find("right-only").checked;
    const rows = [];
    for (let row = 0; row < total; row++) {
      if (ofCheck !== "" && data.check[row] !== +ofCheck) continue;
      if (ofClass !== "" && data.label[row] !== +ofClass) continue;
      if (ofOutcome !== "" && data.holds[row] !== +ofOutcome) continue;
      if (rightOnly && data.right[row] !== 1) continue;
      if (found && !found.texts[data.text[row]] && !found.notes[data.note[row]]) {
        const changed = data.changed[row];
        if (!changed || !found.texts[changed[0]]) continue;
      }
      rows.push(row);
    }
    return rows;
  }

  const RANK = [0, 2, 1];

  function compare(key) {
    if (key === "outcome") return (a, b) => RANK[data.holds[a]] - RANK[data.holds[b]] || lowest(data.value, 1)(a, b);
    if (key === "order") return null;
    return key.startsWith("-") ? lowest(data[key.slice(1)], -1) : lowest(data[key], 1);
  }

  function lowest(column, sign) {
    return (a, b) => {
      const [x, y] = [column[a], column[b]];
      if (x === null || y === null) return (x === null) - (y === null) || a - b;
      return sign * (x - y) || a - b;
    };
  }

  function update() {
    shown = matches();
    const order = compare(find("sort").value);
    if (order) shown.sort(order);
    page = 0;
    render();
  }

  // Rendering

  function render() {
    const first = page * PAGE;
    const rows = shown.slice(first, first + PAGE);
    list.replaceChildren(...rows.map(item));
    list.hidden = !rows.length;
    const range = rows.length ? `${first + 1} to ${first + rows.length} of ` : "";
    const all = shown.length === total ? "" : `, of ${total.toLocaleString("en")} in all`;
    find("count").textContent = shown.length
      ? `${range}${shown.length.toLocaleString("en")} predictions${all}`
      : `No prediction matches${all}`;
    const pages = Math.max(1, Math.ceil(shown.length / PAGE));
    find("page").textContent = `Page ${page + 1} of ${pages}`;
    find("back").disabled = page === 0;
    find("next").disabled = page >= pages - 1;
  }

  function turn(step) {
    page += step;
    render();
    const first = list.querySelector("summary");
    if (first) first.focus({ preventScroll: true });
    find("predictions").scrollIntoView();
  }

  function item(row) {
    const outcome = data.holds[row];
    const head = make("span", { class: "head" },
      make("span", { class: "badge " + OUTCOMES[outcome] }, check(row).verdicts[outcome]),
      make("bdi", {}, label(data.label[row])),
      make("bdi", { class: "muted" }, check(row).name));
    const summary = make("summary", {}, head, numbers(row), preview(row));
    const words = scored(row);
    if (words.length) summary.append(chips(words));
    const details = make("details", { class: "details" }, summary);
    details.addEventListener("toggle", () => {
      if (details.open && details.children.length === 1) details.append(body(row));
    });
    return make("li", {}, details);
  }

  function numbers(row) {
    const changed = change(row);
    const parts = ["probability ", make("b", {}, fixed(data.probability[row]))];
    if (changed && changed[2] !== null) parts.push(" \u2192 ", make("b", {}, fixed(changed[2])));
    const box = make("span", { class: "numbers" }, make("span", {}, ...parts));
    const value = data.value[row];
    if (value !== null && check(row).kind === "trustworthy") {
      box.append(make("span", {}, "related ", make("b", {}, percent(value))));
    }
    return box;
  }

  const percent = (share) => Math.round(share * 100) + " %";

  function preview(row) {
    const changed = change(row);
    const box = make("span", { class: "preview", dir: "auto" });
    if (changed) box.append(...hunks(difference(text(row), data.texts_table[changed[0]])));
    else box.append(...marked(row));
    return box;
  }

  function chips(words) {
    const box = make("span", { class: "chips" });
    for (const word of words.slice(0, CHIPS)) box.append(make("span", {}, mark(word, word.word), " " + signed(word.score)));
    if (words.length > CHIPS) box.append(make("span", {}, `${words.length - CHIPS} more`));
    return box;
  }

  // Words and their scores

  function scored(row) {
    const flat = data.words[row];
    const words = [];
    let most = 0;
    for (let i = 0; i < flat.length; i += 2) {
      const [word, related, nearest, keyword] = data.words_table[flat[i]];
      const score = flat[i + 1];
      most = Math.max(most, Math.abs(score));
      words.push({ word, related, nearest, keyword, score });
    }
    for (const word of words) {
      word.level = word.score && most ? Math.max(1, Math.ceil((Math.abs(word.score) / most) * 5)) : 0;
    }
    return words;
  }

  function relation(word) {
    if (word.related === 2) return "";
    return word.related === 1 ? "related" : "unrelated";
  }

  function told(word) {
    const parts = [`${signed(word.score, 4)} ${word.score < 0 ? "against" : "for"} the class`];
    if (relation(word)) parts.push(relation(word));
    if (word.keyword) parts.push(`nearest keyword: ${word.keyword}`);
    if (word.nearest && word.nearest !== word.keyword) parts.push(`nearest word: ${word.nearest}`);
    return parts.join("; ");
  }

  function mark(word, shownText) {
    const classes = [word.score < 0 ? "against" : "for", "s" + word.level, relation(word)].filter(Boolean);
    return make("mark", { class: classes.join(" "), title: told(word) }, shownText);
  }

  function marked(row) {
    const whole = text(row);
    const places = data.places[row];
    const words = places.length ? scored(row) : [];
    const parts = [];
    let end = 0;
    for (let i = 0; i < places.length; i += 3) {
      const start = end + places[i];
      if (start > end) parts.push(whole.slice(end, start));
      end = start + places[i + 1];
      parts.push(mark(words[places[i + 2]], whole.slice(start, end)));
    }
    parts.push(whole.slice(end));
    return parts;
  }

  // An opened prediction

  function body(row) {
    const words = scored(row);
    const changed = change(row);
    const box = make("div", { class: words.length ? "body" : "body single" });
    const full = make("div", { class: "full", dir: "auto", tabindex: "0", role: "group", "aria-label": "Text" });
    if (changed) full.append(...edits(difference(text(row), data.texts_table[changed[0]])));
    else full.append(...marked(row));
    box.append(make("div", { class: "why" }, ...reasons(row)));
    box.append(make("div", {}, make("h4", {}, changed ? "Text, with what was changed" : "Text"), full));
    if (words.length) box.append(make("div", {}, make("h4", {}, "Words by weight"), table(words)));
    return box;
  }

  function reasons(row) {
    const outcome = data.holds[row];
    const changed = change(row);
    const name = label(data.label[row]);
    const lines = [make("p", {}, make("strong", {}, check(row).verdicts[outcome]), ...note(row))];
    const after = changed && changed[2] !== null ? ` before, ${fixed(changed[2])} after` : "";
    const answer = changed && changed[1] >= 0 ? ["; predicted after the change: ", make("bdi", {}, label(changed[1]))] : [];
    lines.push(make("p", { class: "muted" }, "Probability of ", make("bdi", {}, name),
      `: ${fixed(data.probability[row])}${after}`, ...answer, ...value(row)));
    lines.push(make("p", { class: "nodeid" }, make("bdi", {}, check(row).nodeid)));
    return lines;
  }

  function note(row) {
    const words = data.notes_table[data.note[row]];
    return words ? [": ", make("bdi", {}, words)] : [];
  }

  function value(row) {
    const { kind, value: name } = check(row);
    const number = data.value[row];
    if (number === null || !name || kind === "functional") return [];
    // That of invariance is less, the larger the shift.
    const told = { trustworthy: percent, invariant: (size) => fixed(Math.abs(size)) }[kind] || signed;
    return [`; ${name}: ${told(number)}`];
  }

  function table(words) {
    const head = ["word", "score", "", "nearest keyword", "nearest word"];
    const rows = words.map((word) => make("tr", {},
      make("th", { scope: "row", dir: "auto" }, mark(word, word.word)),
      make("td", { class: "number" }, signed(word.score, 4)),
      make("td", {}, relation(word)),
      make("td", { dir: "auto" }, word.keyword || (word.related === 2 ? "" : "none")),
      make("td", { dir: "auto" }, word.nearest || (word.related === 2 ? "" : "known to no embedding"))));
    return make("table", {},
      make("thead", {}, make("tr", {}, ...head.map((name) => make("th", { scope: "col" }, name)))),
      make("tbody", {}, ...rows));
  }

  // Differences, by words: Myers, "An O(ND) difference algorithm and its variations" (1986)

  const WORDS = /[\p{L}\p{N}\p{M}'\u2019]+|\s|[^\p{L}\p{N}\p{M}\s]/gu;
  const MOST_EDITS = 400;
  const CONTEXT = 60;

  function difference(before, after) {
    const a = before.match(WORDS) || [];
    const b = after.match(WORDS) || [];
    let start = 0;
    while (start < a.length && start < b.length && a[start] === b[start]) start++;
    let tail = 0;
    while (tail < a.length - start && tail < b.length - start && a[a.length - 1 - tail] === b[b.length - 1 - tail]) tail++;
    const middle = myers(a.slice(start, a.length - tail), b.slice(start, b.length - tail));
    return joined([["=", a.slice(0, start).join("")], ...middle, ["=", a.slice(a.length - tail).join("")]]);
  }

  function myers(a, b) {
    const whole = () => [["-", a.join("")], ["+", b.join("")]];
    if (!a.length || !b.length) return whole();
    const most = Math.min(a.length + b.length, MOST_EDITS);
    const trace = [];
    let reach = new Map([[1, 0]]);
    for (let d = 0; d <= most; d++) {
      trace.push(new Map(reach));
      for (let k = -d; k <= d; k += 2) {
        let x = k === -d || (k !== d && reach.get(k - 1) < reach.get(k + 1)) ? reach.get(k + 1) : reach.get(k - 1) + 1;
        while (x < a.length && x - k < b.length && a[x] === b[x - k]) x++;
        reach.set(k, x);
        if (x >= a.length && x - k >= b.length) return traced(trace, a, b);
      }
    }
    return whole();
  }

  function traced(trace, a, b) {
    const steps = [];
    let [x, y] = [a.length, b.length];
    for (let d = trace.length - 1; d >= 0; d--) {
      const reach = trace[d];
      const k = x - y;
      const from = k === -d || (k !== d && reach.get(k - 1) < reach.get(k + 1)) ? k + 1 : k - 1;
      const [fromX, fromY] = [reach.get(from), reach.get(from) - from];
      while (x > fromX && y > fromY && x > 0 && y > 0) steps.push(["=", a[(y--, --x)]]);
      if (d > 0) steps.push(x === fromX ? ["+", b[--y]] : ["-", a[--x]]);
    }
    return steps.reverse();
  }

  // Runs of one kind put together; a lone space between two changes belongs to them.
  function joined(steps) {
    const runs = [];
    let [removed, added] = ["", ""];
    const flush = () => {
      if (removed) runs.push(["-", removed]);
      if (added) runs.push(["+", added]);
      [removed, added] = ["", ""];
    };
    steps.forEach(([kind, piece], i) => {
      if (kind === "-") removed += piece;
      else if (kind === "+") added += piece;
      else if (piece) {
        const between = (removed || added) && /^\s+$/.test(piece) && i + 1 < steps.length && steps[i + 1][0] !== "=";
        if (between && removed && added) {
          removed += piece;
          added += piece;
        } else {
          flush();
          const last = runs[runs.length - 1];
          if (last && last[0] === "=") last[1] += piece;
          else runs.push(["=", piece]);
        }
      }
    });
    flush();
    return runs;
  }

  const ELEMENTS = { "-": "del", "+": "ins" };

  function edits(runs) {
    return runs.map(([kind, piece]) => (kind === "=" ? piece : make(ELEMENTS[kind], {}, piece)));
  }

  // The changes with a little of what stands around them.
  function hunks(runs) {
    return edits(runs.map(([kind, piece], i) => [kind, kind === "=" ? around(piece, i === 0, i === runs.length - 1) : piece]));
  }

  function around(piece, first, last) {
    if (piece.length <= 2 * CONTEXT) return piece;
    const head = first ? "" : piece.slice(0, CONTEXT).replace(/\S*$/, "");
    const end = last ? "" : piece.slice(-CONTEXT).replace(/^\S*/, "");
    return first && last ? piece : `${head}\u2026${end}`;
  }

  // Controls

  function options(select, all, entries) {
    select.append(make("option", { value: "" }, all));
    for (const [value, name] of entries) select.append(make("option", { value }, name));
  }

  function counted(column) {
    const counts = new Map();
    for (const value of column) counts.set(value, (counts.get(value) || 0) + 1);
    return counts;
  }

  const ofChecks = counted(data.check);
  const ofLabels = counted(data.label);
  options(find("by-check"), "all", data.checks.map((one, i) => [i, one]).filter(([i]) => ofChecks.has(i))
    .map(([i, one]) => [i, `${one.name} (${ofChecks.get(i)})`]));
  options(find("by-class"), "all", data.labels_table.map((name, i) => [i, name]).filter(([i]) => ofLabels.has(i))
    .map(([i, name]) => [i, `${name} (${ofLabels.get(i)})`]));

  const filters = find("filters");
  filters.addEventListener("input", update);
  filters.addEventListener("submit", (event) => event.preventDefault());
  filters.addEventListener("reset", () => setTimeout(update));
  find("back").addEventListener("click", () => turn(-1));
  find("next").addEventListener("click", () => turn(1));
  for (const link of document.querySelectorAll("a[data-check]")) {
    link.addEventListener("click", () => {
      filters.reset();
      find("by-check").value = link.dataset.check;
      setTimeout(update);
    });
  }
  find("browser").hidden = false;
  update();
})();
