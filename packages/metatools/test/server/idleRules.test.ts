import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { checkConfig } from "../../src/cli/configCommand.ts";
import { readFlags } from "../../src/cli/flags.ts";
import { loadConfig } from "../../src/config/load.ts";
import { findUnknownCallers } from "../../src/server/idleRules.ts";
import { createToolsets } from "../../src/toolsets/toolset.ts";
import { testGateway } from "../fixtures/gateway.ts";
import { memorySpec } from "../fixtures/inProcess.ts";

const FILE = {
	mcpServers: { demo: { command: "x" }, off: { command: "y", disabled: true } },
	toolsets: {
		safe: { tools: ["demo:*", "*:echo", "demi:*", "demo:re*"], exclude: ["demo:ecko", "demo:not_yet_*", "off:any"] },
	},
	skills: { daily: { steps: [{ tool_id: "demo:eco" }, { tool_id: "echo" }] } },
	auth: { keys: { alice: "0123456789abcdef" } },
	policy: {
		"*": { deny: ["demo:count", "demo:cout", "dmeo:*", "echo", "local:ping"] },
		alice: {},
		local: {},
		"scope:any": {},
		alcie: {},
	},
	quarantine: { trust: ["demo", "off", "dmeo"] },
};

const UNKNOWN_SERVERS = [
	"toolsets.safe.tools: demi:*: no server is called demi; did you mean demo?",
	"policy.*.deny: dmeo:*: no server is called dmeo; did you mean demo?",
	"policy.*.deny: echo: expected an id such as server:tool",
	"quarantine.trust: no server is called dmeo; did you mean demo?",
	"policy.alcie: no caller is called alcie; did you mean alice?",
];

function written(t: { after(end: () => void): void }, file: object = FILE): string {
	const folder = mkdtempSync(join(tmpdir(), "metatools-rules-"));
	t.after(() => rmSync(folder, { recursive: true, force: true }));
	const path = join(folder, "metatools.json");
	writeFileSync(path, JSON.stringify(file));
	return path;
}

test("a rule, toolset or skill that names no tool of a server that is ready is logged, once", async (t) => {
	const { toolsets, skills, sections, disabled } = loadConfig({
		flags: {},
		configFile: written(t),
		environment: {},
	});
	const config = { servers: [memorySpec("demo"), memorySpec("away")], toolsets, skills, sections, disabled };
	const demo = await testGateway({ config });
	t.after(() => demo.stop());
	assert.deepEqual(
		demo.log.filter((line) => /^(toolsets|skills|policy|quarantine)\./.test(line)),
		[
			...UNKNOWN_SERVERS,
			"toolsets.safe.exclude: no tool is called demo:ecko; did you mean demo:echo?",
			"policy.*.deny: no tool is called demo:cout; did you mean demo:count?",
			"skills.daily: no tool is called demo:eco; did you mean demo:echo?",
		],
	);
	demo.log.length = 0;
	await demo.data("run_tool", { tool_id: "demo:learn" });
	assert.deepEqual(demo.log, []);
});

test("a rule that names a tool without its version is not reported", async (t) => {
	const tools = ["list", "exec"].map((name) => ({ name, version: "2.0", inputSchema: { type: "object" } }));
	const toolsets = createToolsets({ safe: { tools: ["demo:list"], exclude: ["demo:exec"] } });
	const sections = { auth: {}, policy: { "*": { deny: ["demo:exec", "demo:exce"] } }, quarantine: {} };
	const demo = await testGateway({ tools, config: { toolsets, sections } });
	t.after(() => demo.stop());
	assert.deepEqual(
		demo.log.filter((line) => /^(toolsets|policy)\./.test(line)),
		["policy.*.deny: no tool is called demo:exce; did you mean demo:exec?"],
	);
});

test("config validate tells which rules name a server that is not there, without starting any", (t) => {
	const complaints: string[] = [];
	const nothing = (): void => {};
	const console = { out: nothing, tell: nothing, error: nothing, bold: String, dim: String };
	checkConfig(readFlags(["--config", written(t)]), { ...console, complain: (text) => complaints.push(text) });
	assert.deepEqual(complaints, UNKNOWN_SERVERS);
});

test("who has a rule is not reported where callers have tokens, whose names nobody knows", (t) => {
	const oauth = { issuer: "https://issuer.example", audience: "https://gateway.example/mcp" };
	const { sections, ...config } = loadConfig({ flags: {}, configFile: written(t), environment: {} });
	const rules = { ...config, sections: { ...sections, auth: { ...sections.auth, oauth } } };
	assert.deepEqual(findUnknownCallers(rules), []);
});

test("a key that is confined to a toolset which is not there is refused", (t) => {
	const keys = { alice: { key: "0123456789abcdef", toolset: "saef" } };
	const configFile = written(t, { ...FILE, auth: { keys } });
	assert.throws(
		() => loadConfig({ flags: {}, configFile, environment: {} }),
		/^Error: auth\.keys\.alice\.toolset: expected one of safe, got "saef"$/,
	);
});
