"use strict";
const data = JSON.parse(document.getElementById("data").textContent);
const $ = id => document.getElementById(id);

// make returns an element with attributes and children; texts never become markup.
function make(name, attributes, ...children) {
	const e = document.createElement(name);
	for (const [k, v] of Object.entries(attributes || {})) {
		if (k.startsWith("on")) e.addEventListener(k.slice(2), v);
		else if (k === "style") e.style.cssText = v;
		else if (v !== undefined && v !== false) e.setAttribute(k, v);
	}
	e.append(...children.filter(c => c !== undefined && c !== null));
	return e;
}
function draw(parent, name, attributes, text) {
	const e = document.createElementNS("http://www.w3.org/2000/svg", name);
	for (const [k, v] of Object.entries(attributes)) e.setAttribute(k, v);
	if (text !== undefined) e.textContent = text;
	parent.append(e);
	return e;
}

// Numbers, with as many digits as they need.
const fixed = (x, n) => x.toLocaleString("en", {minimumFractionDigits: n, maximumFractionDigits: n});
const short = x => x === 0 ? "0" : x >= 100 ? fixed(x, 0) : x >= 10 ? fixed(x, 1) : x >= 0.1 ? fixed(x, 2) : Number(x.toPrecision(2)).toString();
const scaled = (x, units, step) => { let i = 0; while (i < units.length - 1 && x >= step) { x /= step; i++ } return short(x) + " " + units[i] };
const bytes = n => n < 1000 ? fixed(n, 0) + " B" : scaled(n, ["B", "kB", "MB", "GB", "TB"], 1000);
const time = s => s >= 1 ? short(s) + " s" : s >= 1e-3 ? short(1e3 * s) + " ms" : s >= 1e-6 ? short(1e6 * s) + " µs" : short(1e9 * s) + " ns";
const percent = x => (100 * x >= 10 || x === 0 ? fixed(100 * x, 0) : fixed(100 * x, 1)) + " %";
const sum = (list, f) => list.reduce((s, x) => s + f(x), 0);

// The loops of all ranks together: mean times, and sums of what is moved.
const ranks = data.ranks, several = ranks.length > 1;
const loops = [];
for (const r of ranks) for (const l of r.loops) {
	let t = loops.find(o => o.kernel === l.kernel && o.set === l.set);
	if (!t) loops.push(t = {kernel: l.kernel, set: l.set, calls: l.calls, seconds: 0, bytes: 0, flops: 0, sent: 0, compile: 0, waited: 0, awaited: 0, how: l.how, code: l.code, choices: l.choices, times: []});
	t.seconds += l.seconds / ranks.length; t.times.push(l.seconds);
	t.bytes += l.bytes; t.flops += l.flops; t.sent += l.halo_bytes_sent;
	t.compile += l.compile_seconds / ranks.length;
	t.waited += l.waited_for_threads_seconds / ranks.length; t.awaited += l.waited_for_ranks_seconds / ranks.length;
}
loops.sort((a, b) => b.seconds - a.seconds);
const total = {seconds: sum(loops, l => l.seconds), bytes: sum(loops, l => l.bytes), compile: sum(loops, l => l.compile), awaited: sum(loops, l => l.awaited), waited: sum(loops, l => l.waited)};
const triad = data.triad_gb_per_s || 0;
loops.forEach((l, i) => {
	l.color = i < 8 ? "--c" + i : "--other";
	l.share = total.seconds ? l.seconds / total.seconds : 0;
	l.gbs = l.seconds ? l.bytes / l.seconds / 1e9 : 0;
	l.roof = triad ? l.gbs / triad : 0;
	l.intensity = l.bytes ? l.flops / l.bytes : 0;
	l.each = l.calls ? l.seconds / l.calls : 0;
	l.text = (data.code || []).find(c => c.kernel === l.kernel && c.set === l.set);
});
const colorOf = name => { const l = loops.find(l => l.kernel === name); return l ? l.color : "--other" };

function about() {
	const r = ranks[0], hosts = new Set(ranks.map(r => r.host));
	const where = several ? `${ranks.length} ranks on ${hosts.size === 1 ? r.host : hosts.size + " machines"}` : r.host;
	const when = new Date(data.written);
	$("about").textContent = [`backend ${data.backend}`, r.threads > 1 ? `${r.threads} threads${several ? " each" : ""}` : several ? "one thread each" : "one thread", where, data.platform, data.go,
		isNaN(when) ? data.written : data.written.slice(0, 16).replace("T", " ")].join(" · ");
	const open = Math.max(...ranks.map(r => r.seconds));
	const tile = (name, value, more) => $("tiles").append(make("li", {}, make("span", {}, name), make("strong", {}, value), make("span", {}, more || "\u00a0")));
	tile("Runtime open", time(open), "from Open to this report");
	tile("In loops", time(total.seconds), `${percent(open ? total.seconds / open : 0)} of the time, ${fixed(sum(loops, l => l.calls), 0)} calls`);
	const gbs = total.seconds ? total.bytes / total.seconds / 1e9 : 0;
	tile("Bandwidth of loops", short(gbs) + " GB/s", triad ? `${percent(gbs / triad)} of the triad's ${short(triad)} GB/s` : "no triad was measured");
	tile("Waiting for compilers", total.compile < 1e-3 ? "none" : time(total.compile), "not part of the loops' time");
	if (total.waited > 0) tile("Threads waited", percent(total.waited / total.seconds), "of the time in loops");
	if (several) tile("Ranks waited", percent(total.seconds ? total.awaited / total.seconds : 0), `${bytes(sum(loops, l => l.sent))} of halos sent`);
	const moved = sum(ranks, r => r.transfers.bytes_to_device + r.transfers.bytes_to_host);
	if (moved) tile("Transfers", bytes(moved), `${fixed(sum(ranks, r => r.transfers.to_device), 0)} to the device (${bytes(sum(ranks, r => r.transfers.bytes_to_device))}), ${fixed(sum(ranks, r => r.transfers.to_host), 0)} back`);
}

function meter(part, label, color, waits) {
	const m = make("div", {class: "meter" + (waits !== undefined ? " long" : "")}, make("i", {style: `width:${100 * Math.min(1, part)}%;background:var(${color})`}));
	if (waits) m.append(make("i", {class: "waits", style: `left:${100 * part}%;width:${100 * Math.min(1 - part, waits)}%`}));
	m.append(make("b", {}, label));
	return m;
}

// table fills a table, whose columns are {name, value (to sort by), show, n (a number), wide}; detail adds a row below one.
function table(id, columns, rows, first, detail) {
	const head = $(id).tHead, body = $(id).tBodies[0];
	let by = first, up = !!columns[first].up;
	const line = make("tr");
	head.append(line);
	columns.forEach((c, i) => line.append(make("th", {class: c.n ? "n" : undefined, scope: "col"}, make("button", {type: "button", onclick: () => {
		up = by === i ? !up : !c.n; by = i; fill();
	}}, c.name))));
	function fill() {
		[...line.children].forEach((th, i) => i === by ? th.setAttribute("aria-sort", up ? "ascending" : "descending") : th.removeAttribute("aria-sort"));
		const value = columns[by].value;
		const sorted = [...rows].sort((a, b) => { const x = value(a), y = value(b), c = x < y ? -1 : x > y ? 1 : 0; return up ? c : -c });
		body.replaceChildren();
		for (const r of sorted) {
			const tr = make("tr", {}, ...columns.map(c => make("td", {class: c.n ? "n" : c.wide ? "wide" : undefined}, c.show(r))));
			body.append(tr);
			if (detail) detail(r, tr, columns.length);
		}
	}
	fill();
}

function listLoops() {
	$("loops-note").textContent = (several ? "Times are the mean of the ranks, and bytes the sum. " : "")
		+ "GB/s is the least traffic of a loop by its time: each value moved once for each time it is read or written. " + "flop/byte is the arithmetic intensity: operations on floats, counted in the kernel's source, by that traffic. Open a loop to see how it runs, and the code beside its source."
		+ (triad ? ` The triad a = b + 3c reaches ${short(triad)} GB/s in memory; loops whose values stay in a cache may be faster.` : "");
	if (!loops.length) $("loops-note").textContent = "No loop has run.";
	const columns = [
		{name: "loop", value: l => l.kernel, show: l => make("button", {type: "button", class: "loop", "aria-expanded": "false"}, make("span", {class: "dot", style: `background:var(${l.color})`}), l.kernel)},
		{name: "over", value: l => l.set, show: l => l.set},
		{name: "calls", n: true, value: l => l.calls, show: l => fixed(l.calls, 0)},
		{name: "time", n: true, value: l => l.seconds, show: l => time(l.seconds)},
		{name: "a call", n: true, value: l => l.each, show: l => time(l.each)},
		{name: "share", value: l => l.share, show: l => meter(l.share, percent(l.share), l.color)},
		{name: "GB/s", n: true, value: l => l.gbs, show: l => l.bytes ? short(l.gbs) : "–"},
		...triad ? [{name: "of triad", value: l => l.roof, show: l => l.bytes ? meter(l.roof, percent(l.roof), "--roof") : "–"}] : [],
		{name: "flop/byte", n: true, value: l => l.intensity, show: l => l.intensity ? short(l.intensity) : "–"},
		...several ? [{name: "waiting", n: true, value: l => l.awaited, show: l => percent(l.seconds ? l.awaited / l.seconds : 0)}, {name: "halos", n: true, value: l => l.sent, show: l => bytes(l.sent)}] : [],
		{name: "how", wide: true, value: l => l.how, show: l => l.how},
	];
	table("loops-table", columns, loops, 3, (l, tr, width) => {
		const id = "detail-" + loops.indexOf(l);
		const row = make("tr", {id, hidden: ""}, make("td", {colspan: width}, detailOf(l)));
		tr.after(row);
		const button = tr.querySelector("button");
		button.setAttribute("aria-controls", id);
		button.addEventListener("click", () => { row.hidden = !row.hidden; button.setAttribute("aria-expanded", String(!row.hidden)) });
	});
}

// detailOf says how a loop runs, and shows its code.
function detailOf(l) {
	const facts = make("dl", {class: "facts"});
	const fact = (name, value) => facts.append(make("div", {}, make("dt", {}, name), make("dd", {}, value)));
	const p = l.text && l.text.plan;
	if (l.how) fact("how", l.how);
	if (l.code) fact("code", l.code);
	if (l.choices) fact("chosen", l.choices);
	if (p) {
		fact("elements", fixed(p.elements, 0));
		fact("blocks", `${fixed(p.blocks, 0)} of ${fixed(p.block_size, 0)}`);
		fact("colors", `${p.colors}, at least ${p.colors_at_least} needed; ${p.blocks_of_smallest_color} to ${p.blocks_of_largest_color} blocks each`);
		if (p.element_colors > 1) fact("colors in a block", p.element_colors);
		if (p.shared_bytes) fact("fast memory", bytes(p.shared_bytes));
		fact("the plan's memory", bytes(p.plan_bytes));
	}
	if (l.bytes && l.calls) fact("bytes of a call", bytes(l.bytes / l.calls));
	if (l.flops && l.seconds) fact("arithmetic", `${short(l.flops / l.seconds / 1e9)} Gflop/s`);
	if (several) fact("time of a rank", `${time(Math.min(...l.times))} to ${time(Math.max(...l.times))}`);
	if (l.compile >= 1e-3) fact("waited for a compiler", time(l.compile));
	if (l.waited) fact("threads waited", percent(l.waited / l.seconds));
	const all = make("div", {class: "detail"}, facts);
	const codes = make("div", {class: "codes"});
	const code = (title, text) => text && codes.append(make("div", {}, make("h3", {}, title), make("pre", {tabindex: "0", "aria-label": title}, text)));
	if (l.text) {
		code("kernel" + (l.text.at ? ", " + l.text.at : ""), l.text.source);
		code("generated code", l.text.generated);
	}
	if (codes.children.length) all.append(codes);
	else all.append(make("p", {class: "note"}, "Its code is not in this report: it is with WithReport or OP2_REPORT, for loops of kernels."));
	return all;
}

// drawRoof draws each loop by the bytes of a call and its bandwidth, below the triad's.
function drawRoof() {
	const shown = loops.filter(l => l.bytes > 0 && l.gbs > 0 && l.calls > 0);
	if (!shown.length) { $("roof").hidden = true; return }
	$("roof-note").textContent = "Each loop by the bytes that a call moves, from left to right, and its bandwidth, upwards, both on logarithmic scales; the area is its share of the time."
		+ (triad ? " A large circle far below the dashed line is where time is to be won." : " No triad was measured: it is measured on hosts.");
	const W = 960, H = 300, left = 62, right = 24, top = 22, bottom = 46;
	const xs = shown.map(l => l.bytes / l.calls), ys = shown.map(l => l.gbs).concat(triad ? [triad] : []);
	const range = (v, wide) => { let a = Math.log10(Math.min(...v)), b = Math.log10(Math.max(...v)); const pad = Math.max(.18, (wide - (b - a)) / 2); return [a - pad, b + pad] };
	const [x0, x1] = range(xs, 1.2), [y0, y1] = range(ys, .8);
	const X = v => left + (Math.log10(v) - x0) / (x1 - x0) * (W - left - right), Y = v => H - bottom - (Math.log10(v) - y0) / (y1 - y0) * (H - top - bottom);
	const svg = draw($("roof-chart"), "svg", {viewBox: `0 0 ${W} ${H}`, role: "img", "aria-label": "Bandwidth of loops: " + shown.map(l => `${l.kernel} ${short(l.gbs)} GB/s${triad ? ", " + percent(l.roof) + " of the triad" : ""}`).join("; ")});
	for (let e = Math.floor(x0); e <= x1; e++) for (const m of x1 - x0 > 3 ? [1] : [1, 2, 5]) {
		const v = m * 10 ** e;
		if (X(v) < left || X(v) > W - right) continue;
		draw(svg, "line", {x1: X(v), x2: X(v), y1: top, y2: H - bottom, class: "grid"});
		draw(svg, "text", {x: X(v), y: H - bottom + 18, "text-anchor": "middle"}, bytes(v));
	}
	for (let e = Math.floor(y0); e <= y1; e++) for (const m of [1, 2, 5]) {
		const v = m * 10 ** e;
		if (Y(v) < top || Y(v) > H - bottom) continue;
		draw(svg, "line", {x1: left, x2: W - right, y1: Y(v), y2: Y(v), class: "grid"});
		draw(svg, "text", {x: left - 8, y: Y(v) + 4, "text-anchor": "end"}, short(v));
	}
	draw(svg, "text", {x: left - 8, y: top - 8, "text-anchor": "end"}, "GB/s");
	draw(svg, "text", {x: W - right, y: H - 8, "text-anchor": "end"}, "moved by a call");
	if (triad) {
		draw(svg, "line", {x1: left, x2: W - right, y1: Y(triad), y2: Y(triad), class: "roof"});
		draw(svg, "text", {x: left + 6, y: Y(triad) - 7, class: "roofname"}, `triad ${short(triad)} GB/s`);
	}
	const taken = [];
	for (const l of shown) {
		const x = X(l.bytes / l.calls), y = Y(l.gbs), r = Math.max(4, 30 * Math.sqrt(l.share));
		const c = draw(svg, "circle", {cx: x, cy: y, r, style: `fill:var(${l.color});fill-opacity:.6;stroke:var(${l.color})`});
		draw(c, "title", {}, `${l.kernel} over ${l.set}: ${short(l.gbs)} GB/s, ${percent(l.share)} of the time`);
		if (l.share < .002 && shown.length > 12) continue;
		const text = `${l.kernel}${triad ? " " + percent(l.roof) : ""}`, wide = 7.2 * text.length;
		const before = x + r + 6 + wide > W - right;
		let at = y + 4;
		const place = () => ({a: before ? x - r - 6 - wide : x + r + 6, y: at});
		for (let k = 0; k < 12 && taken.some(t => Math.abs(t.y - at) < 14 && place().a < t.b && place().a + wide > t.a); k++) at = y + 4 + (k % 2 ? -1 : 1) * 14 * (1 + (k >> 1));
		taken.push({a: place().a, b: place().a + wide, y: at});
		draw(svg, "text", {x: before ? x - r - 6 : x + r + 6, y: at, "text-anchor": before ? "end" : "start", class: "name"}, text);
	}
}

// The timeline: rows of each rank, of what the kinds of events belong to.
const rowOf = {"region": 0, "loop": 1, "chain": 1, "compile": 2, "wait": 2, "to device": 3, "to host": 3};
const rowNames = ["regions", "loops", "waiting", "transfers"];
function drawTimeline() {
	const timed = ranks.filter(r => r.timeline && r.timeline.events.length);
	if (!timed.length) return;
	$("time").hidden = false;
	const began = Math.min(...timed.map(r => r.timeline.began_unix_ns));
	const lanes = []; // {name, events: [{kind, name, start, end, bytes, depth}], deep}
	let end = 0, first = Infinity;
	for (const r of timed) {
		const rows = rowNames.map(name => ({name: (several ? `rank ${r.rank} ` : "") + name, events: [], deep: 1}));
		const open = rows.map(() => []);
		for (const [kind, name, start, took, moved] of r.timeline.events) {
			const e = {kind: r.timeline.kinds[kind], name: r.timeline.names[name], start: start + r.timeline.began_unix_ns - began, bytes: moved, rank: r.rank};
			e.end = e.start + took;
			const i = rowOf[e.kind], stack = open[i];
			if (i === 0) {
				while (stack.length && stack[stack.length - 1].end <= e.start) stack.pop();
				e.depth = stack.length; stack.push(e);
				rows[i].deep = Math.max(rows[i].deep, stack.length);
			} else e.depth = 0;
			rows[i].events.push(e);
			first = Math.min(first, e.start); end = Math.max(end, e.end);
		}
		lanes.push(...rows.filter(row => row.events.length));
	}
	const dropped = sum(timed, r => r.timeline.dropped);
	$("time-note").textContent = "Drag or ← → to move, wheel or + − to zoom, 0 for all, n and p for the next and the previous event."
		+ (dropped ? ` ${fixed(dropped, 0)} earlier events are not kept.` : "")
		+ (sum(ranks, r => r.transfers.to_device) ? " On a device, a loop is the time that the host takes to queue it." : "");
	const canvas = $("time-canvas"), context = canvas.getContext("2d"), left = several ? 128 : 84, high = several && timed.length > 4 ? 16 : 24, top = 26;
	let a = first, b = end, chosen = null, hover = null;
	const smallest = 200; // nanoseconds in view
	const color = e => e.kind === "region" ? "--region" : e.kind === "wait" ? "--wait" : e.kind === "compile" ? "--other" : e.kind === "to device" ? "--c6" : e.kind === "to host" ? "--c4" : colorOf(e.name.split(", ")[0]);
	let y = top;
	for (const l of lanes) { l.y = y; y += high * l.deep + 7 }
	const height = y + 2;
	canvas.style.height = height + "px";
	canvas.setAttribute("role", "img");
	canvas.setAttribute("aria-label", `Timeline of ${fixed(sum(lanes, l => l.events.length), 0)} events in ${time((end - first) / 1e9)}`);
	const describe = e => `${e.kind} ${e.name}: ${time((e.end - e.start) / 1e9)}, at ${time(Math.max(0, e.start - first) / 1e9)}` + (e.bytes ? `, ${bytes(e.bytes)}` : "") + (several ? `, rank ${e.rank}` : "");
	function paint() {
		const style = getComputedStyle(document.documentElement), css = name => style.getPropertyValue(name).trim();
		const ratio = window.devicePixelRatio || 1, width = canvas.clientWidth;
		canvas.width = width * ratio; canvas.height = height * ratio;
		context.setTransform(ratio, 0, 0, ratio, 0, 0);
		context.clearRect(0, 0, width, height);
		context.font = "12px system-ui, sans-serif";
		context.textBaseline = "middle";
		const X = t => left + (t - a) / (b - a) * (width - left - 4);
		const about = (b - a) / 8, power = 10 ** Math.floor(Math.log10(about)), step = power * [1, 2, 5, 10].find(m => m * power >= about);
		context.strokeStyle = css("--line"); context.fillStyle = css("--soft");
		const [unit, per] = b - first >= 1e9 ? ["s", 1e9] : b - first >= 1e6 ? ["ms", 1e6] : ["µs", 1e3], digits = Math.max(0, -Math.floor(Math.log10(step / per) + 1e-9));
		for (let t = Math.ceil((a - first) / step) * step; first + t <= b; t += step) {
			const x = Math.round(X(first + t)) + .5;
			context.beginPath(); context.moveTo(x, 16); context.lineTo(x, height); context.stroke();
			context.fillText(`${fixed(t / per, digits)} ${unit}`, x + 3, 8);
		}
		for (const l of lanes) {
			context.fillStyle = css("--soft");
			context.fillText(l.name, 0, l.y + high * l.deep / 2);
			let last = -1, lastColor = "";
			context.save();
			context.beginPath(); context.rect(left, 0, width - left, height); context.clip();
			for (const e of l.events) {
				if (e.end < a || e.start > b) continue;
				const x = Math.max(left - 2, X(e.start)), w = Math.max(.7, Math.min(width + 2, X(e.end)) - x), c = color(e);
				if (w < 1 && e.depth === 0 && Math.floor(x) === last && c === lastColor && e !== chosen) continue;
				last = Math.floor(x); lastColor = c;
				const ey = l.y + e.depth * high;
				context.fillStyle = css(c);
				context.globalAlpha = e.kind === "region" ? .55 : .9;
				context.fillRect(x, ey, w > 3 ? w - .7 : w, high - 2);
				context.globalAlpha = 1;
				if (w > 36) {
					context.save();
					context.beginPath(); context.rect(x, ey, w - 4, high); context.clip();
					context.fillStyle = e.kind === "region" ? css("--text") : css("--card");
					context.fillText(e.name, x + 5, ey + high / 2);
					context.restore();
				}
				if (e === chosen || e === hover) {
					context.strokeStyle = css("--text"); context.lineWidth = 2;
					context.strokeRect(x, ey, w, high - 2);
					context.lineWidth = 1;
				}
			}
			context.restore();
		}
	}
	let waiting = false;
	const repaint = () => { if (!waiting) { waiting = true; requestAnimationFrame(() => { waiting = false; paint() }) } };
	function view(from, to) {
		const wide = Math.min(end - first, Math.max(smallest, to - from));
		a = Math.max(first, Math.min(from, end - wide)); b = a + wide;
		repaint();
	}
	const zoom = (factor, at) => { const wide = (b - a) * factor; view(at - (at - a) * factor, at - (at - a) * factor + wide) };
	const move = part => { const d = (b - a) * part; view(a + d, a + d + (b - a)) };
	const middle = () => chosen ? Math.max(a, Math.min(b, (chosen.start + chosen.end) / 2)) : (a + b) / 2;
	const every = lanes.flatMap(l => l.events).sort((x, y) => x.start - y.start);
	function choose(by) {
		let i = chosen ? every.indexOf(chosen) + by : every.findIndex(e => e.start >= a);
		i = Math.max(0, Math.min(every.length - 1, i));
		chosen = every[i];
		if (chosen.start < a || chosen.end > b) { const wide = b - a; view(chosen.start - wide / 4, chosen.start + 3 * wide / 4) }
		$("time-event").textContent = describe(chosen);
		repaint();
	}
	const actions = {"ArrowLeft": () => move(-.2), "ArrowRight": () => move(.2), "+": () => zoom(.5, middle()), "=": () => zoom(.5, middle()), "-": () => zoom(2, middle()), "0": () => view(first, end), "n": () => choose(1), "p": () => choose(-1)};
	canvas.addEventListener("keydown", e => { const act = !e.ctrlKey && !e.metaKey && !e.altKey && actions[e.key]; if (act) { e.preventDefault(); act() } });
	for (const [key, name, text] of [["ArrowLeft", "Earlier", "←"], ["ArrowRight", "Later", "→"], ["+", "Zoom in", "+"], ["-", "Zoom out", "−"], ["0", "Show all", "all"], ["p", "Previous event", "previous"], ["n", "Next event", "next"]])
		$("time-tools").append(make("button", {type: "button", "aria-label": name, onclick: actions[key]}, text));
	const timeAt = e => a + (e.clientX - canvas.getBoundingClientRect().left - left) / (canvas.clientWidth - left - 4) * (b - a);
	canvas.addEventListener("wheel", e => { if (e.ctrlKey || Math.abs(e.deltaY) <= Math.abs(e.deltaX)) return; e.preventDefault(); zoom(e.deltaY < 0 ? .8 : 1.25, timeAt(e)) }, {passive: false});
	let grabbed = null;
	canvas.addEventListener("pointerdown", e => { grabbed = {t: timeAt(e), moved: false}; canvas.setPointerCapture(e.pointerId) });
	canvas.addEventListener("pointerup", () => { if (grabbed && !grabbed.moved && hover) { chosen = hover; repaint() } grabbed = null });
	canvas.addEventListener("pointermove", e => {
		const t = timeAt(e);
		if (grabbed) { if (Math.abs(t - grabbed.t) > (b - a) / 200) grabbed.moved = true; const wide = b - a, from = a + grabbed.t - t; if (grabbed.moved) view(from, from + wide); return }
		const py = e.clientY - canvas.getBoundingClientRect().top, slack = (b - a) / canvas.clientWidth;
		const lane = lanes.find(l => py >= l.y && py < l.y + high * l.deep);
		const depth = lane ? Math.floor((py - lane.y) / high) : 0;
		const found = lane ? lane.events.find(e => e.depth === depth && e.start - slack <= t && e.end + slack >= t) || null : null;
		if (found !== hover) { hover = found; $("time-event").textContent = found ? describe(found) : chosen ? describe(chosen) : ""; repaint() }
	});
	canvas.addEventListener("pointerleave", () => { hover = null; repaint() });
	new ResizeObserver(repaint).observe(canvas);
	matchMedia("(prefers-color-scheme: dark)").addEventListener("change", repaint);
	// At first, what can be recognized: the last part, of some hundred events.
	if (every.length > 400) view(end - (end - every[every.length - 160].start), end);
	paint();
}

function listRegions() {
	const regions = [];
	for (const r of ranks) for (const g of r.regions || []) {
		let t = regions.find(o => o.name === g.name);
		if (!t) regions.push(t = {name: g.name, calls: g.calls, seconds: 0});
		t.seconds += g.seconds / ranks.length;
	}
	if (!regions.length) return;
	$("regions").hidden = false;
	const longest = Math.max(...regions.map(r => r.seconds));
	table("regions-table", [
		{name: "region", value: r => r.name, show: r => r.name},
		{name: "times", n: true, value: r => r.calls, show: r => fixed(r.calls, 0)},
		{name: "time", value: r => r.seconds, show: r => meter(longest ? r.seconds / longest : 0, time(r.seconds), "--fill", 0)},
		{name: "each", n: true, value: r => r.seconds / r.calls, show: r => time(r.seconds / r.calls)},
	], regions, 2);
}

function listRanks() {
	if (!several) return;
	$("ranks").hidden = false;
	const rows = ranks.map(r => ({rank: r.rank, host: r.host, backend: r.backend, threads: r.threads, triad: r.triad_gb_per_s || 0, seconds: sum(r.loops, l => l.seconds), awaited: sum(r.loops, l => l.waited_for_ranks_seconds),
		messages: sum(r.loops, l => l.messages), sent: sum(r.loops, l => l.halo_bytes_sent), memory: sum(r.memory, m => m.bytes)}));
	const longest = Math.max(...rows.map(r => r.seconds)) || 1;
	table("ranks-table", [
		{name: "rank", n: true, up: true, value: r => r.rank, show: r => r.rank},
		{name: "host", value: r => r.host, show: r => r.host},
		{name: "backend", value: r => r.backend, show: r => r.backend + (r.threads > 1 ? `, ${r.threads} threads` : "")},
		{name: "in loops", value: r => r.seconds, show: r => meter((r.seconds - r.awaited) / longest, time(r.seconds), "--fill", r.awaited / longest)},
		{name: "waiting", n: true, value: r => r.awaited, show: r => `${time(r.awaited)}, ${percent(r.seconds ? r.awaited / r.seconds : 0)}`},
		{name: "messages", n: true, value: r => r.messages, show: r => fixed(r.messages, 0)},
		{name: "halos sent", n: true, value: r => r.sent, show: r => bytes(r.sent)},
		{name: "memory", n: true, value: r => r.memory, show: r => bytes(r.memory)},
	], rows, 0);
}

function listMemory() {
	const all = [];
	for (const r of ranks) for (const m of r.memory) {
		let t = all.find(o => o.kind === m.kind && o.name === m.name && o.on === (m.on || ""));
		if (!t) all.push(t = {kind: m.kind, name: m.name, on: m.on || "", holds: m.holds || "", bytes: 0});
		t.bytes += m.bytes;
	}
	if (!all.length) { $("memory").hidden = true; return }
	const most = Math.max(...all.map(m => m.bytes)), colors = {dat: "--c0", map: "--c2", mat: "--c1", global: "--c4", const: "--c5"};
	$("memory-note").textContent = `${bytes(sum(all, m => m.bytes))} of values in all${several ? " ranks" : ""}, as they are in the host's memory: ` + Object.keys(colors).map(k => [k, sum(all.filter(m => m.kind === k), m => m.bytes)]).filter(([, n]) => n).map(([k, n]) => `${k}s ${bytes(n)}`).join(", ") + ".";
	table("memory-table", [
		{name: "name", value: m => m.name, show: m => m.name},
		{name: "kind", value: m => m.kind, show: m => m.kind},
		{name: "on", value: m => m.on, show: m => m.on},
		{name: "holds", value: m => m.holds, show: m => m.holds},
		{name: "memory", value: m => m.bytes, show: m => meter(m.bytes / most, bytes(m.bytes), colors[m.kind] || "--other", 0)},
	], all, 4);
}

// What goes wrong in one part leaves the others; the test in a browser looks for it.
for (const part of [about, listLoops, drawRoof, drawTimeline, listRegions, listRanks, listMemory]) {
	try { part() } catch (e) { console.error(e); document.documentElement.dataset.failed = `${part.name}: ${e.message}` }
}
document.documentElement.dataset.drawn = "yes";
