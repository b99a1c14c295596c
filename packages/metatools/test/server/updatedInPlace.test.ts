import assert from "node:assert/strict";
import { cpSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";
import { loadDefaultConfig } from "../../src/config/load.ts";
import { testContext, texts } from "../fixtures/gateway.ts";

const PACKAGE = fileURLToPath(new URL("../../", import.meta.url));

test("code runs again once program files are back that an update had taken away, and the gateway stops well", {
	timeout: 120_000,
}, async (t) => {
	const copy = mkdtempSync(join(tmpdir(), "metatools-updated-"));
	t.after(() => rmSync(copy, { recursive: true, force: true }));
	cpSync(join(PACKAGE, "src"), join(copy, "src"), { recursive: true });
	writeFileSync(join(copy, "package.json"), '{ "type": "module" }');
	symlinkSync(join(PACKAGE, "../../node_modules"), join(copy, "node_modules"));
	const load = (file: string): Promise<unknown> => import(pathToFileURL(join(copy, "src", file)).href);
	const { createGateway } = (await load(
		"server/createGateway.ts",
	)) as typeof import("../../src/server/createGateway.ts");
	const { createDispatcher } = (await load(
		"server/serving/dispatcher.ts",
	)) as typeof import("../../src/server/serving/dispatcher.ts");

	const start = () => {
		const gateway = createGateway(loadDefaultConfig());
		const dispatch = createDispatcher(gateway);
		const call = { name: "execute_code", arguments: { language: "javascript", code: "1 + 1" } };
		const execute = async () => texts(Object(await dispatch("tools/call", call, testContext([]))));
		return { gateway, execute };
	};
	const [first, second] = [start(), start()];
	const engine = join(copy, "src/code/runtimeEngine.ts");
	renameSync(engine, `${engine}.away`);
	for (const { execute } of [first, second]) assert.match(await execute(), /^error internal: /);
	await first.gateway.stop();
	renameSync(`${engine}.away`, engine);
	assert.equal(await second.execute(), "2");
	await second.gateway.stop();
});
