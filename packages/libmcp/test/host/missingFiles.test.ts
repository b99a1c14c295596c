import assert from "node:assert/strict";
import { cpSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { PassThrough } from "node:stream";
import { test } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";

test("a host whose files were removed under it fails what needs them, and lives", async (t) => {
	const folder = mkdtempSync(join(tmpdir(), "libmcp-uninstalled-"));
	t.after(() => rmSync(folder, { recursive: true, force: true }));
	cpSync(fileURLToPath(new URL("../../src", import.meta.url)), folder, { recursive: true });
	writeFileSync(join(folder, "package.json"), '{"type":"module"}');
	const copy: typeof import("../../src/host.ts") = await import(pathToFileURL(join(folder, "host.ts")).href);
	const client = { input: new PassThrough(), output: new PassThrough() };
	const host = copy.host({ command: process.execPath, args: ["-e", "process.stdin.resume()"], client });
	t.after(() => host.close());
	rmSync(join(folder, "host/report/opsReport.ts"));
	rmSync(join(folder, "rollout/rollout.ts"));
	const answers = createInterface({ input: client.output })[Symbol.asyncIterator]();
	for (const id of [1, 2]) {
		const params = { name: "holdfast_health", arguments: {} };
		client.input.write(`${JSON.stringify({ jsonrpc: "2.0", id, method: "tools/call", params })}\n`);
		const { value } = await answers.next();
		const { id: answered, error } = JSON.parse(String(value));
		assert.deepEqual([answered, error.data.fault.code], [id, "unexpected_error"]);
	}
	await assert.rejects(host.rollout(), { code: "ERR_MODULE_NOT_FOUND" });
	await host.close();
});
