import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { until } from "../../../../e2e/until.ts";
import { overflow, skip } from "./browser.ts";
import { watchedProduct } from "./watchedProduct.ts";

const PATH = "src/<img src=x onerror=alert(1)>.ts";

/** Its folder and its name are written from right to left, and one has a character that turns what follows around. */
const TURNED = "src/\u0645\u062c\u0644\u062f/\u0645\u0644\u0641.ts";
const OVERRIDDEN = "src/a\u202ets.exe.ts";

const THEIRS = "script:not([src='/console.js']), img:not([src='/icon.svg']), svg, iframe, [onerror], [onload]";

const watched = watchedProduct({
	withCode: true,
	tools: ["hostile:greet", "pairofcleats:build_index"],
	async prepare({ product, changedFile, folder }) {
		for (const path of [TURNED, OVERRIDDEN]) {
			mkdirSync(join(folder, "repository", path, ".."), { recursive: true });
			const note = path === OVERRIDDEN ? " // \u202e isAdmin\r" : "";
			writeFileSync(join(folder, "repository", path), `export const turnedAround = 1;${note}\n`);
		}
		const { catalog, quarantine, runner } = product.gateway;
		const request = { viewer: { id: "local" }, signal: new AbortController().signal };
		const args = { name: "</script><script>window.pwned=1</script>" };
		await runner.run({ toolId: "hostile:greet", args, ...request });
		await runner.run({ toolId: "hostile:fail", args: {}, ...request }).catch(() => {});
		await runner.run({ toolId: "pairofcleats:build_index", args: {}, ...request });
		product.recorder.tell({
			kind: "fault",
			server: `<img src=x onerror="window.pwned=1">`,
			level: "bad",
			summary: `<svg onload="window.pwned=1">${"x".repeat(3_000)}`,
			record: { stderr: [`<script>window.pwned=1</script>`], __proto__: { polluted: true } },
		});
		writeFileSync(changedFile, "");
		await until(() => quarantine?.waiting(catalog.tools).length === 1, "a tool is held");
	},
});

test("markup in names, descriptions, results, files and paths is shown as text in every view", { skip }, async () => {
	const last = watched.started.product.recorder.timeline.page({ limit: 1, kinds: ["fault"] }).entries[0]?.id;
	const views: Readonly<Record<string, RegExp>> = {
		"#/servers": /svg onload/,
		"#/traffic": /hostile:greet/,
		"#/calls/1": /<script>window\.pwned=1<\/script>/,
		"#/calls/2": /onerror/,
		[`#/timeline/${last}`]: /<svg onload="window\.pwned=1">/,
		"#/tools": /<img src=x onerror/,
		"#/tools/hostile%3Agreet": /<script>window\.pwned=1<\/script>/,
		"#/tools?q=%E6%A4%9C%E7%B4%A2": /بحث 検索/,
		"#/tools/hostile%3A_4707be": /Its server calls it\s+بحث 検索/,
		"#/execute": /tools\.d\.ts/,
		"#/approvals": /<script>window\.pwned=1<\/script>/,
		"#/code?q=lantern": /<img src=x onerror=alert\(1\)>\.ts/,
		"#/code?q=%3Cimg%20src%3Dx%20onerror%3Dwindow.pwned%3D1%3E": /Code/,
		"#/file?path=src%2Flantern.ts&line=1": /<script>window\.pwned = 1<\/script>/,
		[`#/file?${new URLSearchParams({ path: PATH, line: "1" })}`]: /onerror=alert/,
		[`#/${encodeURIComponent('<img src=x onerror="window.pwned=1">')}`]: /nothing here/,
		"#/tools/%3Cimg%20src%3Dx%20onerror%3Dwindow.pwned%3D1%3E": /no tool has the id/,
		[`#/timeline?server=${"a-name-without-an-end-".repeat(20)}`]: /Timeline/,
		"#/timeline?text=%3Cscript%3Ewindow.pwned%3D1%3C%2Fscript%3E": /Timeline/,
	};
	for (const [hash, shows] of Object.entries(views)) {
		await watched.page.goto(`${watched.started.address}/${hash}`);
		for (const width of [1440, 390]) {
			await watched.page.setViewportSize({ width, height: 900 });
			await until(async () => shows.test(await watched.page.locator("body").innerText()), `${hash} shows ${shows}`);
			assert.equal(await watched.page.evaluate("window.pwned"), undefined, hash);
			const foreign = await watched.page.locator(THEIRS).count();
			assert.equal(foreign, 0, `${hash} has no element of theirs`);
			assert.equal(await overflow(watched.page), 0, `${hash} keeps its width at ${width}`);
		}
	}
	assert.deepEqual(watched.browser.complaints, []);
});

test("the folders of a path stay in their order, whichever way their letters run", { skip }, async () => {
	await watched.page.setViewportSize({ width: 1440, height: 900 });
	const places: Readonly<Record<string, string>> = {
		"#/code?q=turnedAround": ".hit h2 a",
		[`#/file?${new URLSearchParams({ path: TURNED })}`]: "h1",
	};
	for (const [hash, selector] of Object.entries(places)) {
		await watched.page.goto(`${watched.started.address}/${hash}`);
		await watched.page.locator(selector, { hasText: TURNED }).waitFor();
		const order: unknown = await watched.page.evaluate(`(() => {
			const all = [...document.querySelectorAll(${JSON.stringify(selector)})];
			const texts = document.createTreeWalker(all.find((each) => each.textContent.includes("${TURNED}")), 4);
			const parts = [];
			while (texts.nextNode())
				for (const { 0: part, index } of texts.currentNode.data.matchAll(/[^/.:]+/g)) {
					const range = document.createRange();
					range.setStart(texts.currentNode, index);
					range.setEnd(texts.currentNode, index + part.length);
					parts.push([part, range.getBoundingClientRect().left]);
				}
			return parts.sort(([, one], [, other]) => one - other).map(([part]) => part);
		})()`);
		assert.deepEqual(Array.isArray(order) && order.slice(0, 4), TURNED.split(/[/.]/), hash);
	}
	await watched.page.goto(`${watched.started.address}/#/file?${new URLSearchParams({ path: OVERRIDDEN })}`);
	await watched.page.locator("h1", { hasText: "src/a\\u202ets.exe.ts" }).waitFor();
});

test("a line of source shows what would turn it around, and not the end of a line of Windows", { skip }, async () => {
	for (const hash of [
		"#/code?q=turnedAround",
		`#/file?${new URLSearchParams({ path: OVERRIDDEN, q: "turnedAround" })}`,
	]) {
		await watched.page.goto(`${watched.started.address}/${hash}`);
		const line = watched.page.locator(".line-text", { hasText: "isAdmin" });
		await line.waitFor();
		assert.equal((await line.innerText()).trimEnd(), "export const turnedAround = 1; // \\u202e isAdmin");
		assert.equal(await line.locator("mark").innerText(), "turnedAround");
	}
});

test("a file that has become shorter than the line asked for is offered from its start", { skip }, async () => {
	await watched.page.goto(`${watched.started.address}/#/file?path=src%2Flantern.ts&line=9999&q=snuff`);
	await watched.page.getByRole("link", { name: "Show it from its start" }).click();
	await watched.page.locator(".source .line", { hasText: "snuff" }).waitFor();
	assert.ok(watched.page.url().endsWith("#/file?path=src%2Flantern.ts&q=snuff"));
});

test("a result that is markup is text, and scripts that got in by any other way would not run", { skip }, async () => {
	await watched.page.setViewportSize({ width: 1440, height: 900 });
	await watched.page.goto(`${watched.started.address}/#/tools/hostile%3Aslow`);
	await watched.page.getByRole("textbox", { name: /^ms/ }).fill("1");
	await watched.page.getByRole("button", { name: "Run", exact: true }).click();
	await watched.page.locator("[data-result] pre", { hasText: "<script>window.pwned=1</script>" }).waitFor();
	assert.equal(await watched.page.evaluate("window.pwned"), undefined);
	const ran = await watched.page.evaluate(`
		try {
			const script = document.createElement("script");
			script.text = "window.pwned = 1";
			document.head.append(script);
		} catch {}
		"pwned" in window`);
	assert.equal(ran, false);
});

test("a result that is a text of long lines is read without scrolling sideways", { skip }, async () => {
	const { page } = watched;
	await page.setViewportSize({ width: 390, height: 900 });
	const structured = `    ${"a word of the answer ".repeat(100)}`;
	const json = { structured, content: [{ type: "text", text: structured }], durationMs: 1 };
	await page.route("**/api/tools/*/run", (route) => route.fulfill({ json }));
	await page.goto(`${watched.started.address}/#/tools/hostile%3Afail`);
	await page.getByRole("button", { name: "Run", exact: true }).click();
	const shown = page.locator("[data-result] pre");
	await shown.waitFor();
	assert.equal(await shown.innerText(), structured);
	const hidden = await shown.evaluate((pre) => {
		const box = pre.parentElement ?? pre;
		return box.scrollWidth - box.clientWidth + pre.scrollWidth - pre.clientWidth;
	});
	assert.equal(hidden, 0);
	await page.unrouteAll({ behavior: "ignoreErrors" });
});

test("a link with a script for an address is nowhere on the page", { skip }, async () => {
	for (const hash of ["#/servers", "#/tools", "#/timeline", "#/code?q=lantern"]) {
		await watched.page.goto(`${watched.started.address}/${hash}`);
		await watched.page.getByRole("heading", { level: 1 }).waitFor();
		const others = await watched.page.evaluate(
			"[...document.links].filter(({ protocol }) => protocol !== 'http:').length",
		);
		assert.equal(others, 0, hash);
	}
});
