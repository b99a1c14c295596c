import assert from "node:assert/strict";
import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { until } from "../../../../e2e/until.ts";
import { startedProduct } from "../console/startedProduct.ts";

test("a changed configuration that is not used is said by the API and by health, until one is", async (t) => {
	const started = await startedProduct();
	t.after(() => started.close());
	const file = join(started.folder, "config.json");
	const usable = readFileSync(file, "utf8");
	const write = (text: string): void => {
		writeFileSync(`${file}.new`, text);
		renameSync(`${file}.new`, file);
	};
	const problem = async (): Promise<string | undefined> =>
		((await (await fetch(`${started.address}/api/servers`)).json()) as { configProblem?: string }).configProblem;
	assert.equal(await problem(), undefined);
	write(usable.replace(/\{/, '{ "surfce": "compact",'));
	await until(async () => (await problem()) !== undefined, "it is said");
	assert.match((await problem()) ?? "", /^the changed configuration is not used: .*surfce/s);
	assert.deepEqual(started.product.gateway.health().notes, [await problem()]);
	write(usable);
	await until(async () => (await problem()) === undefined, "it is said no more");
	assert.equal(started.product.gateway.health().notes, undefined);
});
