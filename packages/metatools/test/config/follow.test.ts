import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { followConfig } from "../../src/config/follow.ts";
import { type Config, loadConfig } from "../../src/config/load.ts";
import { until } from "../fixtures/gateway.ts";

test("a changed file is applied, an unusable one is not, and files named later are followed too", {
	timeout: 30_000,
}, async (t) => {
	const folder = mkdtempSync(join(tmpdir(), "metatools-follow-"));
	t.after(() => rmSync(folder, { recursive: true }));
	const configFile = join(folder, "metatools.json");
	const imported = join(folder, "client.json");
	// Editors write a new file and move it into place.
	const write = (path: string, content: string) => {
		writeFileSync(`${path}.new`, content);
		renameSync(`${path}.new`, path);
	};
	const toolsets = { reading: { description: "looks only", tools: ["files:read_*"], exclude: ["*:secret"] } };
	const skills = { look: { steps: [{ tool_id: "files:read_text" }] } };
	const mcpServers = { files: { command: "x" }, odd: {} };
	write(configFile, JSON.stringify({ mcpServers, toolsets, skills, policy: { "*": {} } }));
	const load = () => loadConfig({ flags: {}, configFile, environment: {} });
	const applied: Config[] = [];
	const log: string[] = [];
	const follow = (first: Config) =>
		followConfig(first, { load, apply: async (config) => void applied.push(config), log: (line) => log.push(line) });
	const first = load();
	follow(first)();
	assert.deepEqual([applied, log], [[], []], "nothing has changed");
	write(configFile, JSON.stringify({ execution: { timeout: "6s" } }));
	const stop = follow(first);
	await until(() => applied.at(-1)?.settings.timeout === 6_000);

	write(configFile, JSON.stringify({ execution: { timeout: "7s" } }));
	await until(() => applied.at(-1)?.settings.timeout === 7_000);

	write(configFile, "{ nonsense");
	await until(() => log.some((line) => line.includes("the changed configuration is not used")));
	assert.equal(applied.at(-1)?.settings.timeout, 7_000);

	write(imported, JSON.stringify({ mcpServers: {} }));
	write(configFile, JSON.stringify({ import: ["client.json"] }));
	await until(() => applied.at(-1)?.files.length === 2);
	write(imported, JSON.stringify({ mcpServers: { added: { command: "x" } } }));
	await until(() => applied.at(-1)?.servers[0]?.name === "added");

	stop();
	const count = applied.length;
	write(configFile, "{}");
	await new Promise((resolve) => setTimeout(resolve, 500));
	assert.equal(applied.length, count);
});

test("a file is followed from its first line on, though neither it nor its folders were there", {
	timeout: 30_000,
}, async (t) => {
	const home = mkdtempSync(join(tmpdir(), "metatools-follow-"));
	t.after(() => rmSync(home, { recursive: true }));
	const folder = join(home, ".config", "holdfast");
	const configFile = join(folder, "metatools.json");
	const first = { ...loadConfig({ flags: {}, configFile: "", environment: {} }), files: [configFile] };
	const applied: Config[] = [];
	const stop = followConfig(first, {
		load: () => loadConfig({ flags: {}, configFile, environment: {} }),
		apply: async (config) => void applied.push(config),
		log: () => {},
	});
	t.after(stop);

	mkdirSync(folder, { recursive: true });
	writeFileSync(configFile, JSON.stringify({ execution: { timeout: "7s" } }));
	await until(() => applied.at(-1)?.settings.timeout === 7_000);
	writeFileSync(configFile, JSON.stringify({ execution: { timeout: "8s" } }));
	await until(() => applied.at(-1)?.settings.timeout === 8_000);

	rmSync(join(home, ".config"), { recursive: true });
	await new Promise((resolve) => setTimeout(resolve, 300));
	mkdirSync(folder, { recursive: true });
	writeFileSync(configFile, JSON.stringify({ execution: { timeout: "9s" } }));
	await until(() => applied.at(-1)?.settings.timeout === 9_000);
});
