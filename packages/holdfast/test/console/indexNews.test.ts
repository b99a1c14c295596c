import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { until } from "../../../../e2e/until.ts";
import { SHOTS, skip } from "./browser.ts";
import { watchedProduct } from "./watchedProduct.ts";

const watched = watchedProduct({
	withCode: true,
	tools: ["pairofcleats:build_index"],
	async prepare({ product: { indexJob, gateway } }) {
		// As at a start, when the index is compared with the files.
		await indexJob.run((_, signal) =>
			gateway.runner.run({ toolId: "pairofcleats:build_index", args: {}, viewer: { id: "local" }, signal }),
		);
	},
});

test("only what the button began is said to be rebuilt, until a file has changed since", { skip }, async () => {
	const { page, started } = watched;
	await page.goto(`${started.address}/#/code`);
	await page.getByText(/files indexed/).waitFor();
	assert.equal(started.product.indexJob.state?.state, "done");
	assert.equal(await page.getByText("rebuilt").count(), 0);
	await page.screenshot({ path: join(SHOTS, "index-news.png") });
	await page.getByRole("button", { name: "Rebuild" }).click();
	await page.getByText("rebuilt").waitFor();
	writeFileSync(join(started.folder, "repository", "src", "new.ts"), "export const later = 1;\n");
	// The state is asked for again.
	started.product.recorder.emit("tools");
	await page.getByText(/changed since/).waitFor();
	assert.equal(await page.getByText("rebuilt").count(), 0);
});

test("the hits are those of the index as it is after a rebuild, and the same words can be asked for again", {
	skip,
}, async () => {
	const { started } = watched;
	const zebra = join(started.folder, "repository", "src", "zebra.ts");
	const page = await watched.loaded("#/code?q=zebrafish");
	await page.getByText("Nothing found").waitFor();
	writeFileSync(zebra, "export const zebrafish = 1;\n");
	await page.getByRole("button", { name: "Rebuild" }).click();
	await page.getByRole("link", { name: "src/zebra.ts:1" }).waitFor();
	await page.screenshot({ path: join(SHOTS, "index-hits.png") });
	const asked = page.waitForRequest("**/api/search");
	await page.getByRole("button", { name: "Search" }).click();
	await asked;
});

test("a search that an address opens is made once for each state of the index that is seen", { skip }, async () => {
	const searches: string[] = [];
	const states = new Set<string>();
	const page = await watched.loaded("#/servers");
	page.on("request", (request) => {
		if (request.url().endsWith("/api/search")) searches.push(request.url());
	});
	page.on("response", async (response) => {
		if (response.url().endsWith("/api/index")) states.add((await response.json()).status.updatedAt);
	});
	const known = page.waitForResponse("**/api/index");
	await page.goto(`${watched.started.address}/#/code?q=lightLantern`);
	await page.getByRole("link", { name: "src/lantern.ts:1" }).waitFor();
	await known;
	await page.getByText(/files indexed/).waitFor();
	// What the state of the index would lead to is asked for in the next frame.
	await page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))");
	// After a rebuild the product still completes the index, so there may be two.
	await until(() => searches.length === states.size, "as many searches as states");
});

test("what the page asks for itself is nobody's call", { skip }, async () => {
	const { recorder } = watched.started.product;
	const before = recorder.calls.latest[0]?.id;
	const page = await watched.loaded("#/code?q=lightLantern");
	await page.getByRole("link", { name: "src/lantern.ts:1" }).click();
	await page.locator(".line.matched").waitFor();
	assert.equal(recorder.calls.latest[0]?.id, before);
});
