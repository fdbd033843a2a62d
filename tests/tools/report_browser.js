// SPDX-License-Identifier: GPL-2.0-or-later
// Looks at each frame, and writes a line for each fault: "WHAT PAGE: ...".
"use strict";
addEventListener("load", function () {
	const faults = [];
	const count = { tables: 0, texts: 0 };
	const parse = (text) => (text.match(/[\d.]+/g) || []).map(Number);
	const over = (top, below) => {
		const part = top.length > 3 ? top[3] : 1;
		return [0, 1, 2].map((i) => top[i] * part + below[i] * (1 - part));
	};
	const light = (rgb) => {
		const part = rgb.map((c) => {
			c /= 255;
			return c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
		});
		return 0.2126 * part[0] + 0.7152 * part[1] + 0.0722 * part[2];
	};
	const contrast = (a, b) => {
		const [x, y] = [light(a), light(b)].sort((p, q) => q - p);
		return (x + 0.05) / (y + 0.05);
	};
	// The colour behind an element: all backgrounds, the lowest first.
	const ground = (element, view) => {
		const layers = [];
		for (let at = element; at; at = at.parentElement) {
			layers.push(parse(view.getComputedStyle(at).backgroundColor));
		}
		const dark = matchMedia("(prefers-color-scheme: dark)").matches;
		return layers.reverse().reduce((below, top) => over(top, below),
			dark ? [0, 0, 0] : [255, 255, 255]);
	};

	const look = (frame) => {
		const page = frame.title + " at " + frame.width;
		const doc = frame.contentDocument, view = frame.contentWindow;
		const fault = (what, text) => faults.push(`${what} page: ${page}: ${text}`);
		const root = doc.documentElement;
		if (root.scrollWidth > Number(frame.width)) {
			fault("width", `${root.scrollWidth} pixels`);
		}
		if (doc.querySelector("img, iframe, object, embed, [onerror], [onclick]") ||
			doc.scripts.length !== 1) {
			fault("script", "an element that no page has");
		}
		doc.querySelectorAll("body *").forEach((element) => {
			const own = Array.from(element.childNodes).some((node) =>
				node.nodeType === 3 && node.textContent.trim() !== "");
			const style = view.getComputedStyle(element);
			if (!own || ["SCRIPT", "TITLE", "DESC"].includes(
				element.tagName.toUpperCase()) || style.display === "none") {
				return;
			}
			const svg = element.namespaceURI.endsWith("svg");
			const value = contrast(
				over(parse(svg ? style.fill : style.color), ground(element, view)),
				ground(element, view));
			count.texts++;
			if (!(value >= 4.5)) {
				fault("contrast", `${element.tagName} ${value.toFixed(2)}`);
			}
		});
		doc.querySelectorAll("svg .used, svg .target, svg .projected, svg .bar")
			.forEach((line) => {
				const style = view.getComputedStyle(line);
				const colour = style.stroke === "none" ? style.fill : style.stroke;
				const value = contrast(over(parse(colour), ground(line, view)),
					ground(line, view));
				if (!(value >= 3)) {
					fault("contrast", `a line ${value.toFixed(2)}`);
				}
			});
		doc.querySelectorAll("figure > svg").forEach((svg) => {
			const named = (svg.getAttribute("aria-labelledby") || "").split(" ")
				.map((id) => doc.getElementById(id));
			if (svg.getAttribute("role") !== "img" || named.length !== 2 ||
				!named.every((one) => one && svg.contains(one) && one.textContent)) {
				fault("label", "a chart without a name");
			}
		});
		const ids = Array.from(doc.querySelectorAll("[id]"), (one) => one.id);
		if (new Set(ids).size !== ids.length) {
			fault("label", "an id comes twice");
		}
		if (doc.querySelectorAll("h1").length !== 1 || !root.lang || !doc.title) {
			fault("label", "no heading, language or title");
		}
		doc.querySelectorAll("table").forEach((table) => {
			count.tables++;
			if (!table.caption || !table.caption.textContent) {
				fault("label", "a table without a caption");
			}
			sort(table, (text) => fault("sort", text));
		});
	};

	const sort = (table, fault) => {
		const body = table.tBodies[0];
		const heads = Array.from(table.tHead.rows[0].cells);
		const before = Array.from(body.rows);
		if (before.length < 2) {
			return;
		}
		heads.forEach((head, at) => {
			const button = head.querySelector("button");
			if (!button) {
				fault(`no button in ${head.textContent}`);
				return;
			}
			const ways = [0, 1].map(() => {
				button.click();
				const keys = Array.from(body.rows, (row) => {
					const cell = row.cells[at];
					return cell.hasAttribute("data-v")
						? Number(cell.getAttribute("data-v")) : cell.textContent;
				});
				const up = head.getAttribute("aria-sort") === "ascending";
				const compare = (a, b) => typeof a === "number" ? a - b
					: a.localeCompare(b, undefined, { numeric: true });
				for (let i = 1; i < keys.length; i++) {
					const order = compare(keys[i - 1], keys[i]);
					if (up ? order > 0 : order < 0) {
						fault(`${head.textContent}: not sorted`);
						break;
					}
				}
				return head.getAttribute("aria-sort");
			});
			if (ways.slice().sort().join() !== "ascending,descending") {
				fault(`${head.textContent}: ${ways.join()}`);
			}
			if (body.rows.length !== before.length) {
				fault(`${head.textContent}: rows are lost`);
			}
		});
	};

	const frames = Array.from(document.querySelectorAll("iframe"));
	frames.forEach(look);
	const dark = matchMedia("(prefers-color-scheme: dark)").matches;
	document.getElementById("result").textContent = "\n" + faults.join("\n") +
		`\ndone frames=${frames.length} tables=${count.tables} texts=${count.texts}` +
		` scheme=${dark ? "dark" : "light"}\n`;
});
