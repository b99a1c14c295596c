import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { folded } from "libmcp/command";
import { bearerTokens, createFront, LOOPBACK_NAMES, listen, McpEndpoint } from "libmcp/http";
import { until } from "../../../../e2e/until.ts";
import type { Console } from "../../src/cli/console.ts";
import { run } from "../../src/cli/main.ts";
import { TokenStore } from "../../src/upstream/login/tokenStore.ts";

const folder = mkdtempSync(join(tmpdir(), "metatools-cli-"));
after(() => rmSync(folder, { recursive: true }));
const server = join(import.meta.dirname, "../fixtures/stdioServer.ts");
const config = join(folder, "metatools.json");
writeFileSync(
	config,
	JSON.stringify({
		mcpServers: {
			demo: {
				command: process.execPath,
				args: ["--disable-warning=ExperimentalWarning", server, join(folder, "journal")],
			},
		},
	}),
);

function metatools(...argv: string[]): Promise<{ code: number; out: string; error: string }> {
	return ran(argv, (text) => text);
}

/** `fit` is what the terminal does to text for people. */
async function ran(argv: readonly string[], fit: (text: string) => string) {
	const out: string[] = [];
	const error: string[] = [];
	const console: Console = {
		out: (text) => out.push(text),
		tell: (text) => out.push(fit(text)),
		error: (text) => error.push(text),
		complain: (text) => error.push(`metatools: ${text}`),
		bold: (text) => text,
		dim: (text) => text,
	};
	return { code: await run(argv, console), out: out.join("\n"), error: error.join("\n") };
}

test("what is wrong is said in one line, and with --json as an object", async () => {
	const unknown = "no option --frobnicate; --help lists them";
	assert.deepEqual(await metatools("serve", "--frobnicate"), { code: 2, out: "", error: `metatools: ${unknown}` });
	for (const [argv, says] of [
		[["srve"], "no command srve; did you mean serve?"],
		[["serve", "--prot", "1"], "no option --prot; did you mean --port?"],
		[["serve", "--port"], "--port: expected a value, got nothing"],
	] as const)
		assert.deepEqual(await metatools(...argv), { code: 2, out: "", error: `metatools: ${says}` });
	const missing = await metatools("config", "validate", "-c", "/no/such.json", "--json");
	const message = "/no/such.json: no such file or directory (ENOENT)";
	assert.deepEqual([missing.code, missing.error], [3, `metatools: ${message}`]);
	assert.deepEqual(JSON.parse(missing.out), { ok: false, error: { code: "config", message } });
	const yaml = join(folder, "bad.yaml");
	writeFileSync(yaml, "a: [\n");
	assert.match(
		(await metatools("config", "validate", "-c", yaml)).error,
		/^metatools: \S+bad\.yaml: [^\n]* at line \d+, column \d+$/,
	);
});

test("config validate names the servers that are switched off", async () => {
	const file = join(folder, "off.json");
	writeFileSync(file, JSON.stringify({ mcpServers: { on: { command: "x" }, off: { command: "x", disabled: true } } }));
	assert.match(
		(await metatools("config", "validate", "-c", file)).out,
		/^1 server \(1 switched off: off\), no toolsets, /m,
	);
});

test("config validate shows no secret that an address has, and refuses one with a password", async (t) => {
	t.after(() => delete process.env.TEST_SECRET);
	process.env.TEST_SECRET = "sssecret-value-1";
	const variable = "$" + "{TEST_SECRET}";
	const url = `https://h.example/${variable}/mcp?api_key=${variable}&other=abcdefgh`;
	const file = join(folder, "addresses.json");
	writeFileSync(file, JSON.stringify({ mcpServers: { hosted: { url } } }));
	const { out } = await metatools("config", "validate", "-c", file);
	assert.equal(out.split("\n")[1], "  hosted  https://h.example/[secret]/mcp");
	writeFileSync(file, JSON.stringify({ mcpServers: { hosted: { url: "https://user:pa55word@h.example/mcp" } } }));
	const refused = await metatools("config", "validate", "-c", file);
	assert.match(
		`${refused.out}${refused.error}`,
		/mcpServers\.hosted\.url: expected no user name or password in it; a header can carry them/,
	);
	assert.doesNotMatch(`${refused.out}${refused.error}`, /pa55word/);
	assert.equal(refused.code, 3);
});

test("config validate tells all mistakes of a file at once, each of them once", async () => {
	const wrong = join(folder, "wrong.json");
	writeFileSync(
		wrong,
		JSON.stringify({
			surfce: "compact",
			toolset: "nope",
			execution: { timeout: "soon" },
			policy: { nonsense: true },
			mcpServers: { a: { command: 5 }, b: { command: "x", args: [`\${NOT_SET_ANYWHERE}`] } },
		}),
	);
	const { code, error } = await metatools("config", "validate", "-c", wrong);
	assert.equal(code, 3);
	for (const mistake of [
		"surfce: expected no such field, got one; did you mean surface?",
		'execution.timeout: expected a duration such as 500ms, 30s or 10m, got "soon"',
		'toolset: expected one of the toolsets, and there is none, got "nope"',
		"policy",
		"mcpServers.a.command: expected string, got number",
		"expected the environment variable NOT_SET_ANYWHERE to be set",
	])
		assert.equal(error.split(mistake).length, 2, `${mistake} in ${error}`);
});

test("a command loads only itself, and not the SDK before there is a server to speak to", () => {
	const loaded = (module: string): string[] => {
		const program = `
			import { registerHooks } from "node:module";
			registerHooks({ load: (url, context, next) => (console.log(url), next(url, context)) });
			await import(${JSON.stringify(new URL(`../../src/cli/${module}`, import.meta.url).href)});`;
		const node = ["--disable-warning=ExperimentalWarning", "--input-type=module", "-e", program];
		return execFileSync(process.execPath, node, { encoding: "utf8" }).split("\n");
	};
	assert.deepEqual(
		loaded("main.ts").filter((url) => /\/cli\/(?:serve|\w+Command)\.ts$|\/gateway\.ts$/.test(url)),
		[],
	);
	assert.deepEqual(
		loaded("serve.ts").filter((url) => /node_modules\/(?:@modelcontextprotocol|zod)\//.test(url)),
		[],
	);
});

test("what could not be written down was not approved", async () => {
	const file = join(folder, "asked.json");
	const { mcpServers } = JSON.parse(readFileSync(config, "utf8"));
	const approvals = join(config, "approvals.json");
	writeFileSync(file, JSON.stringify({ mcpServers, quarantine: { mode: "ask", file: approvals } }));
	const message = `${config}: it is a file, where a folder is needed`;
	const { code, out, error } = await metatools("approve", "demo:echo", "-c", file, "--json");
	assert.deepEqual(JSON.parse(out), { ok: false, error: { code: "failed", message } });
	assert.deepEqual([code, error.split("\n").at(-1)], [1, `metatools: ${message}`]);
});

test("a tool that changed is listed with what it said when it was approved, and what it says now", async () => {
	const approvals = join(folder, "changed.json");
	const file = join(folder, "changing.json");
	const { mcpServers } = JSON.parse(readFileSync(config, "utf8"));
	writeFileSync(file, JSON.stringify({ mcpServers, quarantine: { mode: "ask", file: approvals } }));
	await metatools("approve", "demo:*", "-c", file);
	const kept = JSON.parse(readFileSync(approvals, "utf8"));
	const { definition } = kept["demo:echo"];
	Object.assign(kept["demo:echo"], { description: "another", definition: { ...definition, description: "Repeat it" } });
	writeFileSync(approvals, JSON.stringify(kept));
	assert.equal(
		(await metatools("approve", "-c", file)).out,
		"demo:echo  description changed\n  - description: Repeat it\n  + description: Repeat a text",
	);
	assert.deepEqual(JSON.parse((await metatools("approve", "-c", file, "--json")).out), [
		{
			...{ id: "demo:echo", reason: "description changed", approved: false },
			changes: [{ field: "description", was: "Repeat it", now: "Repeat a text" }],
		},
	]);
	assert.equal(
		(await metatools("approve", "demo:echo", "-c", file)).out,
		"demo:echo  approved\n  - description: Repeat it\n  + description: Repeat a text",
		"what is approved is shown too",
	);
	const unknown = await metatools("approve", "nosuch", "-c", file, "--json");
	const message = `of the servers in ${file} nothing by that name waits for approval`;
	assert.deepEqual([unknown.code, unknown.error], [1, `metatools: ${message}`]);
	assert.deepEqual(JSON.parse(unknown.out), { ok: false, error: { code: "failed", message } });
});

test("a tool that nobody has approved before is listed and approved with all that it says", async () => {
	const file = join(folder, "new.json");
	const { mcpServers } = JSON.parse(readFileSync(config, "utf8"));
	writeFileSync(file, JSON.stringify({ mcpServers, quarantine: { mode: "ask", file: join(folder, "new-ones.json") } }));
	const text = [
		"  + description: Give a structured record",
		'  + inputSchema: {"type":"object"}',
		'  + outputSchema: {"type":"object","properties":{"id":{"type":"integer"}},"required":["id"]}',
	].join("\n");
	const listed = (await metatools("approve", "-c", file)).out;
	assert.match(listed, /^demo:structured +new$/m);
	assert.ok(listed.includes(text), listed);
	const data: { id: string; definition: object }[] = JSON.parse((await metatools("approve", "-c", file, "--json")).out);
	assert.equal(
		Object(data.find(({ id }) => id === "demo:structured")?.definition).description,
		"Give a structured record",
	);
	assert.equal((await metatools("approve", "demo:structured", "-c", file)).out, `demo:structured  approved\n${text}`);
});

test("the tools of a server with a login are approved with the stored login, and missed without it", async (t) => {
	const stateHome = process.env.XDG_STATE_HOME;
	t.after(() => {
		if (stateHome === undefined) delete process.env.XDG_STATE_HOME;
		else process.env.XDG_STATE_HOME = stateHome;
	});
	process.env.XDG_STATE_HOME = join(folder, "state");
	const endpoint = new McpEndpoint({
		dispatcher: async () => ({ tools: [{ name: "hi", inputSchema: { type: "object" } }] }),
		description: { info: { name: "s", version: "1" }, capabilities: { tools: {} } },
	});
	const listener = await listen(
		createFront({
			endpoint: () => endpoint,
			origins: { hosts: LOOPBACK_NAMES, origins: [] },
			authenticate: bearerTokens({ "the-token": { id: "us", scopes: [] } }),
		}),
	);
	t.after(() => listener.close([endpoint], 0));
	const url = `${listener.address}/mcp`;
	const file = join(folder, "login.json");
	const quarantine = { mode: "ask", file: join(folder, "login-approvals.json") };
	writeFileSync(file, JSON.stringify({ mcpServers: { one: { url } }, quarantine }));
	const missed = await metatools("approve", "-c", file);
	assert.match(
		missed.error,
		/metatools: not asked, so their tools are not known: one\nof the servers in \S+login\.json nothing waits for approval$/,
	);
	new TokenStore(process.env).write(url, { tokens: { access_token: "the-token", token_type: "Bearer" } });
	const { code, out, error } = await metatools("approve", "one:hi", "-c", file);
	assert.deepEqual([code, out], [0, 'one:hi  approved\n  + inputSchema: {"type":"object"}']);
	assert.equal(error, `written to ${quarantine.file}`);
});

test("tools that wait for approval are told of where none is found", async () => {
	const file = join(folder, "held.json");
	const { mcpServers } = JSON.parse(readFileSync(config, "utf8"));
	writeFileSync(file, JSON.stringify({ mcpServers, quarantine: { mode: "ask", file: join(folder, "none.json") } }));
	const found = await metatools("tools", "search", "repeat", "-c", file);
	assert.equal(found.code, 1);
	assert.match(found.error, /no tools found that may run; \d+ that fit wait: metatools approve says why$/);
});

test("tools that need nobody's approval do not wait for it", async () => {
	const file = join(folder, "auto.json");
	const { mcpServers } = JSON.parse(readFileSync(config, "utf8"));
	const waitingWith = async (mode: string) => {
		writeFileSync(file, JSON.stringify({ mcpServers, quarantine: { mode, file: join(folder, "approvals.json") } }));
		return JSON.parse((await metatools("approve", "-c", file, "--json")).out).length > 0;
	};
	assert.deepEqual(
		[await waitingWith("auto"), await waitingWith("off"), await waitingWith("ask")],
		[false, false, true],
	);
});

test("help names every command and what exit codes mean, and that of serve every flag", async () => {
	const { code, out } = await metatools("--help");
	assert.equal(code, 0);
	for (const word of ["serve", "tools search", "config validate", "Exit codes"]) assert(out.includes(word), word);
	for (const command of ["tools", "config"]) assert((await metatools(command, "--help")).out === out, command);
	const flags = (await metatools("serve", "--help")).out;
	for (const word of ["serve", "--transport <stdio|streamable|sse>", "--tls-cert", "--stateless", "Exit codes"])
		assert(flags.includes(word), word);
	assert(`${out}\n${flags}`.split("\n").every((line) => line.length <= 80));
});

test("wrong usage is 2, a wrong configuration is 3, and both say what", async () => {
	for (const [argv, message] of [
		[["dance"], /no command dance/],
		[["--port", "9000"], /^metatools: command: expected one such as serve first, got --port/],
		[["serve", "--colour"], /colour/],
		[["serve", "extra"], /expected flags only/],
		[["tools", "search"], /expected words to search for/],
		[["tools", "dance", "x"], /expected list, search, describe or run/],
		[["config", "dance"], /expected validate, schema or docs/],
		[["tools", "run", "demo:echo", "--args", "{", "-c", config], /--args: expected a JSON object/],
		[["tools", "run", "demo:echo", '{"text":"a"}', "-c", config], /one tool id, got .* arguments are given as --args/],
		[["tools", "describe", "demo:echo", "demo:fail", "-c", config], /one tool id, got "demo:fail" behind it$/m],
	] as const) {
		const { code, error } = await metatools(...argv);
		assert.equal(code, 2, argv.join(" "));
		assert.match(error, message);
	}
	const missing = await metatools("config", "validate", "--config", join(folder, "none.json"));
	assert.equal(missing.code, 3);
	assert.match(missing.error, /none\.json/);
	assert.equal((await metatools("serve", "--port", "x")).code, 3);
});

test("what cannot be understood is refused before any server is started", async () => {
	const started = join(folder, "started");
	const file = join(folder, "starting.json");
	const program = `require("node:fs").writeFileSync(${JSON.stringify(started)}, "")`;
	writeFileSync(file, JSON.stringify({ mcpServers: { demo: { command: process.execPath, args: ["-e", program] } } }));
	for (const argv of [
		["run", "demo:echo", "--args", "{"],
		["search", "repeat", "--limit", "0"],
	])
		assert.equal((await metatools("tools", ...argv, "-c", file)).code, 2);
	assert(!existsSync(started));
	await metatools("tools", "search", "repeat", "-c", file);
	assert(existsSync(started), "otherwise it is");
});

test("config validate says what would be served; schema and docs print themselves", async () => {
	const { code, out } = await metatools("config", "validate", "-c", config, "--search-strategy=lexical", "--no-wasm");
	assert.equal(code, 0);
	assert.match(out, /valid\n {2}demo/);
	assert.match(out, /1 server, no toolsets, no skills; transport stdio, search lexical/);
	const json = JSON.parse(
		(await metatools("config", "validate", "-c", config, "--json", "--stateless=true", "--wasm=false")).out,
	);
	assert.equal(json.valid, true);
	assert.equal(json.settings.stateless, true);
	assert.equal(json.settings.wasm, false);
	const unlocked = await metatools("config", "validate", "-c", config, "--transport=streamable", "--host=0.0.0.0");
	assert.equal(unlocked.code, 3);
	assert.match(unlocked.error, /^metatools: host: 0\.0\.0\.0 can be reached by others/);
	const bare = await metatools("config", "validate", "-c", config, "--tls=true", "--tls-cert=/no/such.pem");
	assert.match(bare.error, /^metatools: transport\.http\.tls\.key: expected a file \(--tls-key\)/);
	assert.equal(JSON.parse((await metatools("config", "schema")).out).type, "object");
	assert.match((await metatools("config", "docs")).out, /METATOOLS_SEARCH_STRATEGY/);
	assert.match((await metatools("version")).out, /^metatools \d+\.\d+\.\d+$/);
	assert.equal(JSON.parse((await metatools("version", "--json")).out).name, "metatools");
});

test("a tool and its schemas are described in lines that the terminal has room for, and as JSON in one", async () => {
	const argv = ["tools", "describe", "demo:echo", "-c", config];
	const { out } = await ran(argv, (text) => folded(text, 30));
	assert.ok(Math.max(...out.split("\n").map((line) => line.length)) <= 30, out);
	assert.equal((await ran([...argv, "--json"], (text) => folded(text, 30))).out.split("\n").length, 1);
});

test("tools search, describe and run work on the command line", async () => {
	const found = await metatools("tools", "search", "repeat", "text", "-c", config, "--limit", "1");
	assert.equal(found.code, 0, found.error);
	assert.match(found.out, /^demo:echo +Repeat a text$/);
	const described = await metatools("tools", "describe", "demo:echo", "-c", config);
	assert.match(described.out, /^demo:echo\nRepeat a text\n/);
	assert.match(described.out, /"what to say"/);
	const ran = await metatools("tools", "run", "demo:echo", "--args", '{"text":"hi there"}', "-c", config);
	assert.deepEqual([ran.code, ran.out], [0, "hi there"]);
	const json = await metatools("tools", "run", "demo:structured", "-c", config, "--json");
	assert.deepEqual(JSON.parse(json.out).structured, { id: 7 });
	const mixed = join(folder, "mixed.json");
	writeFileSync(mixed, JSON.stringify({ mcpServers: { odd: { command: process.execPath, args: ["-e", MIXED] } } }));
	const beside = await metatools("tools", "run", "odd:mixed", "-c", mixed);
	assert.equal(beside.out, '{"x":1}\n[image image/png 3 bytes]');
	const image = { type: "image", mimeType: "image/png", data: "AAAA" };
	assert.deepEqual(JSON.parse((await metatools("tools", "run", "odd:mixed", "-c", mixed, "--json")).out).content, [
		image,
	]);
	const shown = await metatools("tools", "run", "odd:shown", "-c", mixed);
	assert.equal(shown.out, 'see "this"\n[image image/png 3 bytes]');
	const failed = await metatools("tools", "run", "demo:fail", "-c", config);
	assert.deepEqual([failed.code, failed.out], [1, ""]);
	assert.match(failed.error, /error execution_failed \(demo:fail\): the disk is full/);
	const nothing = await metatools("tools", "search", "zzzzqq", "-c", config);
	assert.deepEqual([nothing.code, nothing.error], [1, "no tools found"]);
	const empty = join(folder, "empty.json");
	writeFileSync(empty, "{}");
	assert.match((await metatools("tools", "search", "repeat", "-c", empty)).error, /^no servers are configured/);
	const alone = await metatools("tools", "search", "ping", "-c", empty);
	assert.deepEqual([alone.code, alone.out.slice(0, 10)], [0, "local:ping"]);
	assert.match(alone.error, /^no servers are configured, so there are only the gateway's own tools; /);
	const mistyped = await metatools("tools", "run", "demo:ehco", "-c", config);
	assert.match(mistyped.error, /No tool is called demo:ehco; did you mean demo:echo\?$/);
	for (const action of ["run", "describe"]) {
		const unlike = await metatools("tools", action, "other:thing", "-c", config);
		assert.match(unlike.error, /No tool is called other:thing; metatools tools search finds tools by what they do\.$/);
	}
});

test("tools list has every tool, or those that a pattern names", async () => {
	const all = await metatools("tools", "list", "-c", config);
	assert.equal(all.code, 0, all.error);
	const ids = all.out.split("\n").map((line) => line.split(" ")[0]);
	assert(ids.includes("demo:echo") && ids.includes("local:ping"), all.out);
	const some = await metatools("tools", "list", "demo:s*", "-c", config, "--json", "--limit", "2");
	assert.deepEqual(
		JSON.parse(some.out).map(({ id }: { id: string }) => id),
		["demo:slow", "demo:steps"],
	);
	const none = await metatools("tools", "list", "other:*", "-c", config);
	assert.deepEqual([none.code, none.out, none.error], [1, "", "no tools found"]);
	const bare = await metatools("tools");
	assert.equal(bare.error, "metatools: tools: expected list, search, describe or run, got nothing");
});

test("a command starts only the servers whose tools its words may name", async () => {
	const file = join(folder, "several.json");
	const marker = (name: string) => join(folder, `${name}-started`);
	const entry = (name: string) => ({
		command: process.execPath,
		args: [
			"--disable-warning=ExperimentalWarning",
			"--import",
			`data:text/javascript,import{writeFileSync}from"node:fs";writeFileSync(${JSON.stringify(marker(name))},"")`,
			server,
		],
	});
	const quarantine = { mode: "ask", trust: ["one", "two"], file: join(folder, "several-approvals.json") };
	writeFileSync(file, JSON.stringify({ mcpServers: { one: entry("one"), two: entry("two") }, quarantine }));
	const started = async (...argv: string[]) => {
		for (const name of ["one", "two"]) rmSync(marker(name), { force: true });
		await metatools(...argv, "-c", file);
		return ["one", "two"].filter((name) => existsSync(marker(name)));
	};
	assert.deepEqual(await started("tools", "run", "two:echo", "--args", '{"text":"x"}'), ["two"]);
	assert.deepEqual(await started("tools", "describe", "one:echo"), ["one"]);
	assert.deepEqual(await started("tools", "list", "two:*"), ["two"]);
	assert.deepEqual(await started("approve", "one:echo"), ["one"]);
	assert.deepEqual(await started("tools", "run", "local:ping"), []);
	assert.deepEqual(await started("tools", "describe", "echo"), ["one", "two"]);
});

test("a command uses the servers of a running gateway with the same configuration", { timeout: 120_000 }, async (t) => {
	const file = join(folder, "shared.json");
	const journal = join(folder, "shared-journal");
	const args = ["--disable-warning=ExperimentalWarning", server, journal];
	const quarantine = { mode: "auto", file: join(folder, "shared-approvals.json") };
	writeFileSync(file, JSON.stringify({ mcpServers: { demo: { command: process.execPath, args } }, quarantine }));
	const starts = () => (existsSync(journal) ? readFileSync(journal, "utf8").split("started").length - 1 : 0);
	const main = JSON.stringify(new URL("../../src/cli/main.ts", import.meta.url).href);
	const program = `import(${main}).then(({ main }) => main(${JSON.stringify(["serve", "-c", file])}))`;
	const node = ["--disable-warning=ExperimentalWarning", "--input-type=module", "-e", program];
	const gateway = spawn(process.execPath, node, { stdio: ["pipe", "pipe", "inherit"] });
	t.after(() => gateway.kill("SIGKILL"));
	await until(() => starts() === 1);
	await until(async () => (await metatools("tools", "list", "demo:echo", "-c", file)).code === 0);
	const ranThere = await metatools("tools", "run", "demo:echo", "--args", '{"text":"hi there"}', "-c", file);
	assert.deepEqual([ranThere.code, ranThere.out, ranThere.error], [0, "hi there", ""]);
	const failed = await metatools("tools", "run", "demo:fail", "-c", file);
	assert.deepEqual([failed.code, failed.error], [1, "error execution_failed (demo:fail): the disk is full"]);
	const wrong = await metatools("tools", "run", "demo:ehco", "-c", file);
	assert.match(wrong.error, /No tool is called demo:ehco; did you mean demo:echo\?$/);
	assert.match((await metatools("approve", "-c", file)).error, /nothing waits for approval$/);
	assert.equal(starts(), 1, readFileSync(journal, "utf8"));
	await metatools("tools", "list", "demo:*", "-c", file, "--execution-timeout", "5s");
	assert.equal(starts(), 2, "a command with settings of its own starts its own");
	gateway.stdin.end();
	await once(gateway, "exit");
	assert.equal((await metatools("tools", "run", "demo:echo", "--args", '{"text":"alone"}', "-c", file)).out, "alone");
	assert.equal(starts(), 3);
});

test("config validate without a file says where it looked, and how to read the one that lies here", (t) => {
	const home = mkdtempSync(join(tmpdir(), "metatools-home-"));
	t.after(() => rmSync(home, { recursive: true }));
	const { METATOOLS_CONFIG: _, ...environment } = process.env;
	const validate = (cwd: string) =>
		execFileSync(process.execPath, [join(import.meta.dirname, "../../bin/metatools.js"), "config", "validate"], {
			cwd,
			env: { ...environment, HOME: home, XDG_CONFIG_HOME: home },
			encoding: "utf8",
		}).split("\n");
	const looked = ["json", "yaml", "yml"].map((ending) => `  ${join(home, "holdfast", `metatools.${ending}`)}`);
	const nothing = "no configuration found: no --config, no METATOOLS_CONFIG, and none of these files:";
	assert.deepEqual(validate(home).slice(0, 5), [
		nothing,
		...looked,
		"no servers, no toolsets, no skills; transport stdio, search blend",
	]);
	assert.deepEqual(validate(folder).slice(0, 5), [
		nothing,
		...looked,
		"To read the metatools.json in this folder, add --config metatools.json",
	]);
});

/** A server whose tools send an image, one of them beside its structured content. */
const MIXED = `require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
	const { id, method, params } = JSON.parse(line);
	const image = { type: "image", mimeType: "image/png", data: "AAAA" };
	const text = { type: "text", text: 'see "this"' };
	const results = {
		initialize: { protocolVersion: params?.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: "odd", version: "1" } },
		"tools/list": { tools: ["mixed", "shown"].map((name) => ({ name, inputSchema: { type: "object" } })) },
		"tools/call": params?.name === "mixed" ? { content: [image], structuredContent: { x: 1 } } : { content: [text, image] },
	};
	if (id !== undefined) console.log(JSON.stringify({ jsonrpc: "2.0", id, result: results[method] ?? {} }));
}).on("close", () => process.exit())`;
