// The README's two commands in a clean copy, with an empty home and nothing in npm's cache. Needs the registry.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { firstClient, modernClient } from "./clients.ts";
import { newPlace } from "./place.ts";
import { startProduct } from "./runningProduct.ts";
import { until } from "./until.ts";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const run = promisify(execFile);

test("npm ci and npm start in a fresh clone serve a newcomer, and Ctrl-C leaves nothing", {
	timeout: 900_000,
}, async (t) => {
	const place = newPlace();
	const clone = join(place.folder, "clone");
	const env = { ...wayToTheRegistry(), ...place.environment };
	const options = { cwd: clone, env, maxBuffer: 1 << 26 };
	t.after(async () => {
		await until(() => place.living().length === 0, "nothing is left");
		place.remove();
	});
	await run("git", ["clone", "--quiet", "--no-hardlinks", ROOT, clone]);
	try {
		await run("npm", ["ci", "--no-audit", "--no-fund"], options);
	} catch (error) {
		const said = Object(error) as { stderr?: string };
		if (!/ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ETIMEDOUT|ENETUNREACH/.test(said.stderr ?? "")) throw error;
		t.skip("the registry cannot be reached");
		return;
	}
	assert.equal((await run("git", ["status", "--porcelain"], options)).stdout, "", "building leaves the tree clean");

	const product = await startProduct(place, { command: "npm", args: ["start", "--", "--port", "0"], cwd: clone });
	t.after(() => product.signal("SIGKILL"));
	for (const connect of [firstClient, modernClient]) {
		const client = await connect(`${product.address}/mcp`);
		const found = await client.runTool("pairofcleats:search", { query: "serveStdio" });
		assert.match(JSON.stringify(found), /"path":"packages\/libmcp\/src\/server\/serveStdio\.ts"/);
		const { value } = await client.call("execute_code", { language: "javascript", code: "6 * 7" });
		assert.equal(value, 42);
		await client.close();
	}
	assert.equal((await fetch(`${product.address}/`)).status, 200);
	product.signal("SIGINT");
	await product.exited;
	await until(() => place.living().length === 0, "no process is left");
});

/** How this machine reaches the network at all, which an empty home does not change. */
function wayToTheRegistry(): NodeJS.ProcessEnv {
	const names =
		/^(?:NODE_EXTRA_CA_CERTS|SSL_CERT_FILE|(?:https?|no)_proxy|npm_config_(?:cafile|registry|https_proxy))$/i;
	return Object.fromEntries(Object.entries(process.env).filter(([name]) => names.test(name)));
}
