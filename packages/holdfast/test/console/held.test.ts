import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { accessibilityProblems, overflow, SHOTS, skip } from "./browser.ts";
import { watchedProduct } from "./watchedProduct.ts";

const watched = watchedProduct({
	tools: ["hostile:greet"],
	async prepare({ product: { gateway } }) {
		// Its first use approves it as it is.
		const request = { viewer: { id: "local" }, signal: new AbortController().signal };
		await gateway.runner.run({ toolId: "hostile:greet", args: { name: "Ada" }, ...request });
	},
});

test("a server's card says how many of its tools wait for approval, and leads to them", { skip }, async () => {
	const { page, started } = watched;
	const card = page.locator('[data-server="hostile"]');
	await card.locator(".badge.good").waitFor();
	assert.equal(await card.getByRole("link", { name: /held/ }).count(), 0);
	writeFileSync(started.changedFile, "");
	const held = card.getByRole("link", { name: "1 held" });
	await held.waitFor();
	assert.equal(await page.getByRole("link", { name: /held/ }).count(), 1);
	for (const width of [1440, 390]) {
		await page.setViewportSize({ width, height: 900 });
		assert.equal(await overflow(page), 0);
		await page.screenshot({ path: join(SHOTS, `held-${width}.png`) });
	}
	assert.deepEqual(await accessibilityProblems(page), []);
	await held.click();
	await page.getByRole("article", { name: /^Approval of hostile:/ }).waitFor();
});

test("a server of which more wait than are listed is said to have some", { skip }, async () => {
	const page = await watched.browser.context.newPage();
	const tool = { id: "hostile:greet", namespace: "hostile", fingerprint: "1", changed: [], now: {} };
	await page.route("**/api/approvals*", (route) => route.fulfill({ json: { waiting: [tool], total: 2 } }));
	await page.goto(`${watched.started.address}/#/servers`);
	await page.locator('[data-server="hostile"]').getByRole("link", { name: "some held" }).waitFor();
	await page.close();
});

test("a held tool is shown with its server's own name and its own beside its id", { skip }, async () => {
	const page = await watched.browser.context.newPage();
	const names = { declaredName: "détruire", server: "My sérver" };
	const tool = { id: "my_s_rver:d_truire", namespace: "my_s_rver", ...names, fingerprint: "1", changed: [], now: {} };
	await page.route("**/api/approvals*", (route) => route.fulfill({ json: { waiting: [tool], total: 1 } }));
	await page.goto(`${watched.started.address}/#/approvals`);
	const shown = await page.getByRole("article", { name: `Approval of ${tool.id}` }).innerText();
	assert.match(shown, /Its server is My sérver\./);
	assert.match(shown, /Its server calls it détruire\./);
	await page.close();
});

test("a held tool of which everything changed fits into a narrow window", { skip }, async () => {
	const page = await watched.browser.context.newPage();
	await page.setViewportSize({ width: 390, height: 900 });
	const long = "x".repeat(60);
	const names = { declaredName: long, server: long };
	const changed = ["name", "title", "description", "inputSchema", "outputSchema", "annotations"];
	const now = { name: long, description: "y".repeat(200), inputSchema: { type: "object" } };
	const tool = { id: `${long}:${long}`, namespace: long, ...names, fingerprint: "1", changed, approved: {}, now };
	const approveAll = `holdfast approve --all --server ${long}`;
	await page.route("**/api/approvals*", (route) => route.fulfill({ json: { waiting: [tool], total: 2, approveAll } }));
	await page.goto(`${watched.started.address}/#/approvals`);
	await page.getByText(approveAll).waitFor();
	await page.screenshot({ path: join(SHOTS, "approvals-390.png") });
	assert.equal(await overflow(page), 0);
	await page.close();
});
