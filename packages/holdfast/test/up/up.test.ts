import assert from "node:assert/strict";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { test } from "node:test";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { leftovers, sessionMark } from "libmcp/testing";
import { checkPort } from "../../src/doctor/machineFindings.ts";

test("a program has the product in one call, finds code with it, and ends it whole", {
	timeout: 120_000,
}, async (t) => {
	const folder = mkdtempSync(join(tmpdir(), "holdfast-library-"));
	t.after(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
	const repository = join(folder, "repository");
	mkdirSync(repository);
	writeFileSync(join(repository, "lantern.ts"), "export function lightLantern(): void {}\n");
	const mark = sessionMark();
	// What the servers inherit, and where they and this process keep things.
	const cache = join(folder, ".cache");
	Object.assign(process.env, { HOME: folder, XDG_RUNTIME_DIR: folder, XDG_CACHE_HOME: cache, ...mark.env });

	const { up } = await import("holdfast");
	await assert.rejects(up({ repository: join(folder, "nowhere") }), /nowhere: expected the folder of a repository/);
	await assert.rejects(up({ repository, host: "0.0.0.0" }), {
		code: "HOST_NEEDS_AUTH",
		message: /0\.0\.0\.0 can be reached by others/,
	});
	await assert.rejects(up({ repository, token: "two words" }), { name: "TokenUnusable" });
	const taken = createServer().listen(0, "127.0.0.1");
	await once(taken, "listening");
	const { port: inUse } = taken.address() as AddressInfo;
	await assert.rejects(up({ repository, port: inUse }), { code: "EADDRINUSE" });
	taken.close();
	assert.equal(existsSync(cache), false, "nothing is indexed for a product that cannot be served");

	// A relative path means what it means here, though the code server runs elsewhere.
	const product = await up({ repository: relative(process.cwd(), repository), token: "a-token-of-sixteen" });
	try {
		assert.equal((await fetch(`${product.address}/healthz`)).status, 200);
		assert.equal((await fetch(product.mcp, { method: "POST" })).status, 401);
		const { hostname, port } = new URL(product.address);
		assert.deepEqual(await checkPort(hostname, Number(port)), {
			verdict: "good",
			subject: "port",
			says: `${hostname}:${port} is that of a holdfast up which runs`,
		});
		const client = new Client({ name: "program", version: "1.0.0" });
		const headers = { authorization: "Bearer a-token-of-sixteen" };
		await client.connect(new StreamableHTTPClientTransport(new URL(product.mcp), { requestInit: { headers } }));
		const found = await client.callTool({
			name: "run_tool",
			arguments: { tool_id: "pairofcleats:search", args: { query: "lightLantern" } },
		});
		assert.match(JSON.stringify(found), /lantern\.ts/);
		await client.close();
	} finally {
		await product.close();
	}
	assert.deepEqual(await leftovers(mark, 30_000), []);
	await assert.rejects(fetch(`${product.address}/healthz`));
});
