import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
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
