import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { loadProductConfig } from "../../src/up/productConfig.ts";

test("a server of the configuration replaces the built-in one of its name, or leaves it out if it is disabled", (t) => {
	const folder = mkdtempSync(join(tmpdir(), "holdfast-config-"));
	t.after(() => rmSync(folder, { recursive: true, force: true }));
	const configFile = join(folder, "metatools.json");
	const serversWith = (entry: object): string[] => {
		writeFileSync(configFile, JSON.stringify({ mcpServers: { synesthetic: entry } }));
		return loadProductConfig({ repository: folder, configFile }).servers.map(
			(server) => `${server.name} ${server.kind === "stdio" ? server.command : server.kind}`,
		);
	};
	const builtin = [`pairofcleats ${process.execPath}`, `synesthetic ${process.execPath}`];
	assert.deepEqual(loadProductConfig({ repository: folder, configFile: "" }).servers.length, builtin.length);
	assert.deepEqual(serversWith({ command: "own" }), [builtin[0], "synesthetic own"]);
	assert.deepEqual(serversWith({ disabled: true }), [builtin[0]]);
	assert.deepEqual(serversWith({ enabled: false, command: "own" }), [builtin[0]]);
});
