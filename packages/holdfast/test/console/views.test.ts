import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { gzipSync } from "node:zlib";
import type { Page } from "playwright-core";
import { accessibilityProblems, type Browser, openBrowser, overflow, SHOTS, skip } from "./browser.ts";
import { eventually, type StartedProduct, startedProduct } from "./startedProduct.ts";

const VIEWS = {
	servers: "#/servers",
	server: "#/servers/hostile",
	traffic: "#/traffic",
	calls: "#/calls/1",
	timeline: "#/timeline/1",
	tools: "#/tools/hostile%3Agreet",
	chain: "#/chain",
	execute: "#/execute",
	approvals: "#/approvals",
	code: "#/code?q=lantern&lang=typescript",
	file: "#/file?path=src%2Flantern.ts&line=3&q=lantern",
	nothing: "#/nowhere",
} as const;

let started: StartedProduct;
let browser: Browser;
let page: Page;

before(async () => {
	if (skip !== false) return;
	[started, browser] = await Promise.all([startedProduct({ withCode: true }), openBrowser()]);
	const names = ["hostile:greet", "pairofcleats:search"];
	await eventually("the tools are there", () =>
		names.every((id) => started.product.gateway.catalog.get(id) !== undefined),
	);
	page = await browser.open(`${started.address}/`);
});
after(async () => {
	await browser?.close();
	await started?.close();
});

test("servers are shown with their state, and a failed one says why", { skip }, async () => {
	await page.locator('[data-server="hostile"] .badge.good').waitFor();
	await page.locator('[data-server="broken"] .notice', { hasText: "no such database" }).waitFor();
	assert.match(await page.title(), /^Servers/);
});

test("restart and roll-out ask first, then do it", { skip }, async () => {
	const card = page.locator('[data-server="hostile"]');
	const generation = () => card.locator("dd").first().textContent();
	const before = Number(await generation());
	await card.getByRole("button", { name: "Restart hostile" }).click();
	await page.getByRole("dialog").getByRole("button", { name: "Cancel" }).click();
	await page.getByRole("dialog").waitFor({ state: "detached" });
	assert.equal(Number(await generation()), before);
	await card.getByRole("button", { name: "Restart hostile" }).click();
	await page.getByRole("dialog").getByRole("button", { name: "Restart" }).click();
	await eventually("another generation is shown", async () => Number(await generation()) === before + 1);
	await eventually("it is ready again", async () => (await card.locator(".badge").textContent()) === "ready");
	await card.getByRole("button", { name: "Roll out hostile" }).click();
	await page.getByRole("dialog").getByRole("button", { name: "Roll out" }).click();
	await eventually("the next one is shown", async () => Number(await generation()) === before + 2);
});

test("a tool is found by what it does, filled in by keyboard alone, run, and its result copied", { skip }, async () => {
	await go("#/tools");
	await page.getByRole("searchbox", { name: "Search tools" }).focus();
	await page.keyboard.type("word of welcome");
	await eventually("the best fit is first", async () =>
		/greet/.test((await page.locator(".tool-row").first().textContent()) ?? ""),
	);
	await page.keyboard.press("Tab");
	await page.keyboard.press("Enter");
	await page.getByRole("heading", { name: "hostile:greet" }).waitFor();
	const form = page.getByRole("form", { name: "Run hostile:greet" });
	await form.getByRole("textbox", { name: /^name/ }).focus();
	await page.keyboard.type("Ada");
	await page.keyboard.press("Tab");
	assert.equal(await page.evaluate("document.activeElement.value"), "1", "the default is filled in");
	await form.getByRole("combobox", { name: /^loud/ }).selectOption("true");
	await form.getByRole("textbox", { name: /^tags/ }).fill("a\nb");
	await page.keyboard.press("Control+Enter");
	const result = page.locator("[data-result] pre");
	await result.waitFor();
	const { args } = JSON.parse((await result.textContent()) ?? "");
	assert.deepEqual(args, { name: "Ada", times: 1, loud: true, tags: ["a", "b"] });
	await page.getByRole("button", { name: "Copy Result" }).click();
	await eventually("the result is copied", async () =>
		String(await page.evaluate("navigator.clipboard.readText()")).includes("Ada"),
	);
	await form.getByRole("textbox", { name: /^times/ }).fill("none");
	await form.getByRole("button", { name: "Run" }).click();
	await page.getByText('times: expected a number, got "none"').waitFor();
});

test("a failing tool and a long one that is cancelled are shown as what they are", { skip }, async () => {
	await go("#/tools/hostile%3Afail");
	await page.getByRole("button", { name: "Run", exact: true }).click();
	await page.getByRole("alert").getByText("execution failed").waitFor();
	await go("#/tools/hostile%3Aslow");
	await page.getByRole("textbox", { name: /^ms/ }).fill("20000");
	await page.getByRole("button", { name: "Run", exact: true }).click();
	await page.getByRole("button", { name: "Cancel" }).click();
	await page.getByRole("button", { name: "Run", exact: true }).waitFor();
	await eventually("the call was cancelled", () => started.product.recorder.calls.latest[0]?.outcome === "cancelled");
});

test("a chain is built and run, and code runs with its types beside it", { skip }, async () => {
	await go("#/chain");
	await page.getByRole("combobox", { name: "Tool of step 0" }).fill("hostile:greet");
	await page.getByRole("textbox", { name: "Arguments of step 0" }).fill('{"name": "Ada"}');
	await page.getByRole("button", { name: "Add a step" }).click();
	await page.getByRole("combobox", { name: "Tool of step 1" }).fill("hostile:greet");
	await page
		.getByRole("textbox", { name: "Arguments of step 1" })
		.fill('{"name": {"$from": "steps/0/structured/args/name"}}');
	await page.getByRole("button", { name: "Run the chain" }).click();
	await page.getByRole("region", { name: "Result of step 1" }).getByText('"name": "Ada"').waitFor();
	await page.getByRole("button", { name: "Remove step 1" }).click();
	await go("#/execute");
	await page.getByRole("combobox", { name: "Types of" }).selectOption("hostile");
	await page.getByRole("region", { name: "tools.d.ts" }).getByText("greet(args").waitFor();
	await page.getByRole("textbox", { name: /^Code/ }).fill("console.log('printed'); 6 * 7");
	await page.keyboard.press("Control+Enter");
	await page.getByRole("region", { name: "Value" }).getByText("42").waitFor();
	await page.getByRole("region", { name: "Printed" }).getByText("printed").waitFor();
});

test("code is indexed with progress, searched with filters, explained, and opened at the line", { skip }, async () => {
	await go("#/code");
	await page.getByRole("button", { name: "Rebuild" }).click();
	await page.getByText("rebuilt").waitFor();
	await page.getByRole("searchbox", { name: "Search code" }).fill("light lantern");
	await page.getByRole("combobox", { name: "Filter by" }).selectOption("lang");
	await page.getByRole("textbox", { name: "Filter value" }).fill("typescript");
	await page.keyboard.press("Enter");
	const hit = page.locator(".hit").filter({ hasText: "lightLantern" }).first();
	await hit.locator("mark").first().waitFor();
	await hit.getByText(/^score/).click();
	await hit.locator("meter").first().waitFor();
	await page.getByRole("button", { name: "Remove filter language: typescript" }).click();
	await eventually("the filter is gone", async () => !page.url().includes("lang="));
	await page.locator(".hit h2 a", { hasText: "lantern.ts" }).first().click();
	await page.locator(".source .matched").waitFor();
	assert.match(page.url(), /#\/file\?path=src%2Flantern.ts&line=\d+/);
});

test("a tool that changed waits with its diff until it is approved", { skip }, async () => {
	writeFileSync(started.changedFile, "");
	await go("#/approvals");
	await page.locator(".diff .removed", { hasText: "word of welcome" }).waitFor();
	await page.locator(".diff .added", { hasText: "something else" }).waitFor();
	await page.getByRole("button", { name: "Approve hostile:greet" }).click();
	await page.getByRole("dialog").getByRole("button", { name: "Approve" }).click();
	await page.getByText("Nothing waits for approval").waitFor();
});

test("timeline and calls are filtered, linked, and walked through by arrow keys", { skip }, async () => {
	await go("#/timeline?kinds=restart");
	await eventually("only restarts", async () =>
		(await page.locator(".virtual .badge").allTextContents()).every((kind) => kind === "restart"),
	);
	await page.getByRole("button", { name: "restart" }).click();
	await eventually("more than restarts", async () => (await page.locator(".virtual .row").count()) > 3);
	await page.getByRole("combobox", { name: "Server" }).selectOption("broken");
	await eventually("only that server", async () =>
		(await page.locator(".virtual .row strong").allTextContents()).every((name) => name === "broken"),
	);
	await page.getByRole("combobox", { name: "Server" }).selectOption("");
	await eventually("every server again", async () => (await page.locator(".virtual .row").count()) > 3);
	await page.locator(".virtual .row").first().focus();
	await page.keyboard.press("ArrowDown");
	await page.keyboard.press("ArrowDown");
	await page.keyboard.press("Enter");
	await page.getByRole("region", { name: "Record" }).waitFor();
	const href = await page.locator(".virtual .row").nth(2).getAttribute("href");
	assert.ok(page.url().endsWith(href ?? "none"));
	await go("#/calls");
	await page.locator(".rows .row").first().click();
	await page.getByRole("region", { name: "Arguments" }).waitFor();
	await go("#/traffic");
	await page.locator(".chart canvas").first().waitFor();
	await page.getByRole("button", { name: "last hour" }).click();
	await page.getByRole("link", { name: "hostile:fail" }).click();
	await page.getByRole("heading", { name: "hostile:fail" }).waitFor();
});

for (const [width, colorScheme] of [
	[1440, "light"],
	[1440, "dark"],
	[390, "light"],
	[390, "dark"],
] as const) {
	test(`every view is accessible and fits at ${width} px, ${colorScheme}`, { skip }, async () => {
		await page.setViewportSize({ width, height: 900 });
		await page.emulateMedia({ colorScheme });
		const problems: string[] = [];
		for (const [name, hash] of Object.entries(VIEWS)) {
			await go(hash);
			await page.locator(".loading").first().waitFor({ state: "detached" });
			await page.screenshot({ path: `${SHOTS}${name}-${width}-${colorScheme}.png` });
			for (const problem of await accessibilityProblems(page)) problems.push(`${name}: ${problem}`);
			assert.equal(await overflow(page), 0, `${name} at ${width} does not scroll sideways`);
		}
		await page.setViewportSize({ width: 1440, height: 900 });
		assert.deepEqual(problems, []);
	});
}

test("the first render waits for nothing but the page's own files", { skip }, async (t) => {
	const other = await browser.open("about:blank");
	await other.route("**/api/**", () => {});
	await other.goto(`${started.address}/`);
	await other.getByText("Loading…").waitFor();
	const painted = await other.evaluate("performance.getEntriesByName('first-contentful-paint')[0]?.startTime");
	t.diagnostic(`first contentful paint after ${Math.round(Number(painted))} ms`);
	await other.close();
});

test("the page weighs at most 200 kB, comes from this address alone, and complained of nothing", { skip }, async () => {
	let bytes = 0;
	for (const file of ["/", "/console.js", "/console.css", "/icon.svg"]) {
		const response = await fetch(`${started.address}${file}`);
		assert.match(response.headers.get("content-security-policy") ?? "", /script-src 'self'; style-src 'self'/);
		bytes += gzipSync(Buffer.from(await response.arrayBuffer()), { level: 9 }).length;
	}
	assert.ok(bytes <= 200_000, `${bytes} bytes`);
	assert.deepEqual(browser.complaints, []);
	const loaded = await page.evaluate(
		"[...new Set(performance.getEntriesByType('resource').map(({ name }) => new URL(name).origin))]",
	);
	assert.deepEqual(loaded, [started.address]);
});

async function go(hash: string): Promise<void> {
	await page.goto(`${started.address}/${hash}`);
	await page.getByRole("heading", { level: 1 }).waitFor();
}
