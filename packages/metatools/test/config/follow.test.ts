import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { until } from "../../../../e2e/until.ts";
import { followConfig } from "../../src/config/follow.ts";
import { type Config, loadConfig } from "../../src/config/load.ts";
import { openTransport } from "../../src/upstream/transport.ts";
import { testGateway } from "../fixtures/gateway.ts";

test("a changed file is applied, an unusable one is not, and files named later are followed too", {
	timeout: 120_000,
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

test("a file that is written again says, warns and builds nothing unless something in it has changed", {
	timeout: 120_000,
}, async (t) => {
	const folder = mkdtempSync(join(tmpdir(), "metatools-follow-"));
	t.after(() => rmSync(folder, { recursive: true }));
	const configFile = join(folder, "metatools.json");
	const imported = join(folder, "client.json");
	const embedder = join(folder, "embedder.mjs");
	writeFileSync(
		embedder,
		`export const built = [];
		export const embed = async (texts) => {
			if (texts.length > 1) built.push(texts);
			return texts.map(() => [1]);
		};`,
	);
	const { built } = await import(pathToFileURL(embedder).href);
	const write = (timeout: string) =>
		writeFileSync(
			configFile,
			JSON.stringify({
				import: ["client.json"],
				search: { semantic: { embedder } },
				execution: { timeout },
				mcpServers: { odd: { command: "x", unknown_member: 1 } },
			}),
		);
	const client = (seen: number, servers = {}) => writeFileSync(imported, JSON.stringify({ seen, mcpServers: servers }));
	client(1);
	write("7s");
	const load = () => loadConfig({ flags: {}, configFile, environment: {} });
	const first = load();
	const log: string[] = [];
	let loads = 0;
	const demo = await testGateway({ config: { ...first, servers: [] }, settings: first.settings });
	t.after(() => demo.stop());
	const stop = followConfig(first, {
		load: () => {
			loads++;
			return load();
		},
		apply: (config) => demo.gateway.apply({ ...config, servers: [] }),
		log: (line) => log.push(line),
	});
	t.after(stop);
	const search = () => demo.data("search_tools", { query: "health" });
	await search();
	const before = built.length;
	assert.ok(before > 0);

	client(2);
	await until(() => loads > 1);
	await search();
	assert.deepEqual([log, built.length], [[], before], "nothing has changed");

	write("8s");
	await until(() => demo.gateway.settings.timeout === 8_000);
	await search();
	assert.equal(built.length, before, "nothing about the search has changed");

	writeFileSync(configFile, "{ nonsense");
	await until(() => log.some((line) => line.includes("is not used")));
	const told = log.length;
	write("8s");
	await until(() => log.length > told);
	assert.match(log.at(-1) ?? "", /^configuration reloaded/, "what was refused is over");
});

test("a file is followed from its first line on, though neither it nor its folders were there", {
	timeout: 120_000,
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

test("a file that is taken away for a moment stops no server", { timeout: 120_000 }, async (t) => {
	const home = mkdtempSync(join(tmpdir(), "metatools-follow-"));
	t.after(() => rmSync(home, { recursive: true, force: true }));
	const configFile = join(home, "holdfast", "metatools.json");
	const journal = join(home, "journal");
	const server = join(import.meta.dirname, "../fixtures/stdioServer.ts");
	const entry = { command: process.execPath, args: ["--disable-warning=ExperimentalWarning", server, journal] };
	mkdirSync(join(home, "holdfast"));
	const write = (timeout: string) =>
		writeFileSync(configFile, JSON.stringify({ mcpServers: { demo: entry }, execution: { timeout } }));
	write("7s");
	const load = () => loadConfig({ flags: {}, environment: { XDG_CONFIG_HOME: home } });
	const config = load();
	const log: string[] = [];
	const demo = await testGateway({ openTransport, config });
	t.after(() => demo.stop());
	t.after(followConfig(config, { load, apply: (next) => demo.gateway.apply(next), log: (line) => log.push(line) }));

	rmSync(configFile);
	await until(() => log.length > 0);
	assert.deepEqual(log, [`the changed configuration is not used: ${configFile} is gone`]);
	await demo.data("run_tool", { tool_id: "demo:echo", args: { text: "still here" } });
	write("8s");
	await until(() => demo.gateway.settings.timeout === 8_000);
	assert.equal(readFileSync(journal, "utf8").match(/^started/gm)?.length, 1);

	renameSync(configFile, configFile.replace(".json", ".yaml"));
	await until(() => log.length > 2);
	assert.match(log.at(-1) ?? "", /^configuration reloaded, 1 server/, "it may also go by another of its names");
});
