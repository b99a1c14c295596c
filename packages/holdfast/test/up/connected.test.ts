import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { loadProductConfig } from "../../src/up/productConfig.ts";
import { startProduct } from "../../src/up/startProduct.ts";
import { waitForServers } from "../../src/up/up.ts";

const SERVER = new URL("../console/manyTools.ts", import.meta.url).href;

test("whoever waits for a slow server hears which one it is, and no longer waits once it has answered", async (t) => {
	const program = `setTimeout(() => import(${JSON.stringify(SERVER)}), 3_000)`;
	const config = loadProductConfig({ repository: ".", bare: true, flags: { host: "127.0.0.1", port: "0" } });
	const common = { kind: "stdio", protocol: "legacy", command: process.execPath, env: {} } as const;
	const slow = { ...common, name: "slow one", namespace: "slow", args: ["-e", program, "manyTools", "1"] };
	const product = await startProduct({ configure: () => ({ ...config, files: [], servers: [slow] }), log: () => {} });
	t.after(() => product.close());
	const told: (readonly string[])[] = [];
	const waiting = waitForServers(product.gateway, new AbortController().signal, (names) => told.push(names));
	assert.equal((await fetch(`${product.address}/healthz`)).status, 200);
	await Promise.race([waiting, delay(14_000, undefined, { ref: false })]);
	assert.deepEqual(told, [["slow one"]]);
	assert.equal(product.gateway.upstreams.all[0]?.state.kind, "ready");
});
