import assert from "node:assert/strict";
import { copyFileSync, statSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { until } from "../../../../e2e/until.ts";
import { listBuiltinServers, loadProductConfig } from "../../src/up/productConfig.ts";
import { startProduct } from "../../src/up/startProduct.ts";
import { openBrowser, SHOTS, skip } from "./browser.ts";

const REPOSITORY = fileURLToPath(new URL("../..", import.meta.url));
const PORTRAIT = fileURLToPath(new URL("../../../../docs/console.png", import.meta.url));

// With HOLDFAST_UPDATE_SCREENSHOT=1 the README's picture is replaced by the one taken here.
test("the product as it comes shows its servers, a crash survived, and is what the README shows", {
	skip,
}, async () => {
	const config = loadProductConfig({ repository: REPOSITORY, flags: { host: "127.0.0.1", port: "0" } });
	const product = await startProduct({
		configure: () => ({ ...config, files: [], servers: listBuiltinServers(REPOSITORY) }),
		log: () => {},
	});
	const browser = await openBrowser();
	try {
		const { catalog, runner, upstreams } = product.gateway;
		await until(() => upstreams.all.every(({ state }) => state.kind === "ready"), "both are ready");
		assert.ok(catalog.get("pairofcleats:search") !== undefined);
		const request = { viewer: { id: "local" }, signal: new AbortController().signal };
		await runner.run({ toolId: "synesthetic:list_schemas", args: {}, ...request });
		const victim = upstreams.all.find(({ spec }) => spec.name === "synesthetic")?.host?.state().workerPid;
		process.kill(Number(victim), "SIGKILL");
		await runner.run({ toolId: "synesthetic:list_schemas", args: {}, ...request });
		const page = await browser.open(`${product.address}/`);
		await page.setViewportSize({ width: 1280, height: 720 });
		await page.locator('[data-server="synesthetic"]', { hasText: "process.worker_killed" }).waitFor();
		await page.locator('[data-server="synesthetic"] .badge.good').waitFor();
		await page.locator(".lately").waitFor();
		await page.screenshot({ path: `${SHOTS}readme.png` });
		if (process.env.HOLDFAST_UPDATE_SCREENSHOT === "1") copyFileSync(`${SHOTS}readme.png`, PORTRAIT);
		assert.ok(statSync(PORTRAIT).size < 300_000);
	} finally {
		await browser.close();
		await product.close();
	}
});
