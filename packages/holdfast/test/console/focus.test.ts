import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import type { Page } from "playwright-core";
import { until } from "../../../../e2e/until.ts";
import { skip } from "./browser.ts";
import { startedProduct } from "./startedProduct.ts";
import { watchedProduct } from "./watchedProduct.ts";

const watched = watchedProduct({ tools: ["hostile:slow", "hostile:greet"] });

test("the focus returns from a dialog to the button that opened it, and stays while that works", { skip }, async () => {
	const page = await watched.loaded("#/servers");
	const restart = page.getByRole("button", { name: "Restart hostile" });
	for (const answer of ["Cancel", "Restart"]) {
		await restart.press("Enter");
		await page.getByRole("dialog").getByRole("button", { name: answer }).press("Enter");
		await page.getByRole("dialog").waitFor({ state: "detached" });
		await until(async () => (await restart.textContent()) === "Restart", "it is done");
		assert.equal(await focused(page), "Restart hostile");
	}
});

test("a run that is started and one that is cancelled by keyboard leave the focus at the button that starts it", {
	skip,
}, async () => {
	const page = await watched.loaded("#/tools/hostile%3Aslow");
	await page.getByLabel("ms").fill("600000");
	await runAndCancel(page, "Run");
	await page.getByRole("link", { name: "Chain" }).click();
	await page.getByLabel("Tool of step 0").fill("hostile:slow");
	await page.getByLabel("Arguments of step 0").fill('{"ms": 600000}');
	await runAndCancel(page, "Run the chain");
	await page.getByRole("link", { name: "Run code" }).click();
	await page.getByLabel(/^Code/).fill("await tools.hostile.slow({ ms: 600000 });");
	await runAndCancel(page, "Run the code");
});

test("what runs is not run again by the Enter key in a field", { skip }, async () => {
	const page = await watched.loaded("#/tools/hostile%3Aslow");
	const { calls } = watched.started.product.recorder;
	const before = calls.latest[0]?.id;
	await page.getByLabel("ms").fill("600000");
	await page.getByLabel("ms").press("Enter");
	await page.getByRole("button", { name: "Running…" }).waitFor();
	await until(() => calls.latest[0]?.id !== before, "the call is known");
	const { id } = calls.latest[0] ?? {};
	await page.getByLabel("ms").press("Enter");
	await page.getByRole("button", { name: "Cancel" }).press("Enter");
	await page.getByRole("button", { name: "Run", exact: true }).waitFor();
	assert.equal(calls.latest[0]?.id, id);
});

test("the focus goes to the next step when one is removed, and to the one before when it was the last", {
	skip,
}, async () => {
	const page = await watched.loaded("#/chain");
	for (const place of [1, 2]) {
		await page.getByRole("button", { name: "Add a step" }).press("Enter");
		await page.getByLabel(`Tool of step ${place}`).fill(`hostile:${place}`);
	}
	await page.getByRole("button", { name: "Remove step 0" }).press("Enter");
	await page.getByLabel("Tool of step 2").waitFor({ state: "detached" });
	assert.equal(await page.locator("input:focus").inputValue(), "hostile:1");
	await page.getByRole("button", { name: "Remove step 1" }).press("Enter");
	await page.getByLabel("Tool of step 1").waitFor({ state: "detached" });
	assert.equal(await page.locator("input:focus").inputValue(), "hostile:1");
});

test("the focus goes from a filter that is taken away to the next one, and from the last to the search", {
	skip,
}, async () => {
	const page = await watched.loaded("#/code?q=x&lang=typescript&ext=ts");
	await page.getByRole("button", { name: "Remove filter language: typescript" }).press("Enter");
	await page.locator("button:focus", { hasText: "extension: ts" }).press("Enter");
	await until(async () => (await focused(page)) === "Search code", "the search has it");
	await page.goto(`${watched.started.address}/#/tools?ns=hostile`);
	await page.getByRole("button", { name: "Remove filter hostile" }).press("Enter");
	await until(async () => (await focused(page)) === "Search tools", "the search has it");
});

test("the focus goes from an approved tool to the next that waits, and stays on the page after the last", {
	skip,
}, async (t) => {
	const folder = mkdtempSync(join(tmpdir(), "holdfast-focus-"));
	t.after(() => rmSync(folder, { recursive: true, force: true }));
	const file = join(folder, "approvals.json");
	const strict = await startedProduct({ sections: { quarantine: { mode: "ask", file } } });
	t.after(() => strict.close());
	const page = await watched.browser.open(`${strict.address}/#/approvals`);
	const waiting = page.getByRole("article");
	await until(async () => (await waiting.count()) > 2, "some wait");
	for (let left = await waiting.count(); left > 0; left--) {
		const next = left === 1 ? null : await waiting.nth(1).getAttribute("aria-label");
		await waiting.first().getByRole("button").press("Enter");
		await page.getByRole("dialog").getByRole("button", { name: "Approve" }).press("Enter");
		await until(async () => (await waiting.count()) < left, "one less waits");
		assert.equal(await page.locator(next === null ? "main:focus" : "article:focus").count(), 1);
		assert.equal(await focused(page), next);
	}
	await page.close();
});

test("the focus goes with the record that takes a list's place, and returns from it to its row", { skip }, async () => {
	const request = { viewer: { id: "local" }, signal: new AbortController().signal };
	await watched.started.product.gateway.runner.run({ toolId: "hostile:slow", args: { ms: 0 }, ...request });
	const page = await watched.loaded("#/tools");
	await page.setViewportSize({ width: 360, height: 740 });
	for (const [view, back] of [
		["tools", "← All tools"],
		["timeline", "← All entries"],
		["calls", "← All calls"],
	] as const) {
		await page.goto(`${watched.started.address}/#/${view}`);
		const row = page.locator("main li a").first();
		const href = await row.getAttribute("href");
		await row.press("Enter");
		await page.locator(".record:focus").waitFor();
		await page.getByRole("link", { name: back }).press("Enter");
		await page.locator(".record").waitFor({ state: "detached" });
		assert.equal(await page.evaluate("document.activeElement.getAttribute('href')"), href);
	}
});

async function runAndCancel(page: Page, label: string): Promise<void> {
	const run = page.getByRole("button", { name: label, exact: true });
	await run.press("Enter");
	const cancel = page.getByRole("button", { name: "Cancel" });
	await cancel.waitFor();
	assert.equal(await page.locator("button:focus").textContent(), "Running…");
	await cancel.press("Enter");
	await run.waitFor();
	assert.equal(await page.locator("button:focus").textContent(), label);
}

async function focused(page: Page): Promise<unknown> {
	return page.evaluate("document.activeElement.getAttribute('aria-label')");
}
