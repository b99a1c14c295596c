import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { readAuth } from "../../src/auth/readAuth.ts";
import { renderSettings } from "../../src/cli/help.ts";
import { createFileSchema } from "../../src/config/fileSchema.ts";
import type { Setting } from "../../src/config/kinds.ts";
import { type Config, loadConfig } from "../../src/config/load.ts";
import { SETTINGS } from "../../src/config/settings.ts";
import { compileCheck } from "../../src/run/schema/schemaCheck.ts";

const folder = mkdtempSync(join(tmpdir(), "metatools-config-"));
after(() => rmSync(folder, { recursive: true }));

const variable = (name: string) => `\${${name}}`;

let count = 0;
function file(content: string | object, extension = "json"): string {
	const path = join(folder, `c${count++}.${extension}`);
	writeFileSync(path, typeof content === "string" ? content : JSON.stringify(content));
	return path;
}

function load(
	content: string | object,
	environment: Record<string, string> = {},
	flags: Record<string, string> = {},
	extension = "json",
): Config {
	return loadConfig({ flags, configFile: file(content, extension), environment });
}

function reasonAgainst({ servers: [server] }: Config): string {
	assert(server?.kind === "unusable");
	return server.reason;
}

test("flags win over the environment, that over the file, that over the default", () => {
	const content = { transport: { http: { port: 1111 } } };
	assert.equal(loadConfig({ flags: {}, configFile: "", environment: {} }).settings.port, 8080);
	assert.equal(load(content).settings.port, 1111);
	assert.equal(load(content, { METATOOLS_PORT: "2222" }).settings.port, 2222);
	assert.equal(load(content, { METATOOLS_PORT: "2222" }, { port: "3333" }).settings.port, 3333);
	// A flag that says what the default says still wins.
	assert.equal(load(content, {}, { port: "8080" }).settings.port, 8080);
});

test("a file of other bytes than UTF-8 is refused, instead of names and paths with other characters in them", () => {
	const path = join(folder, "latin1.json");
	writeFileSync(path, Buffer.from('{"mcpServers":{"files":{"command":"x","args":["/home/ren\xe9"]}}}', "latin1"));
	assert.throws(() => loadConfig({ flags: {}, configFile: path, environment: {} }), {
		message: `${path}: expected UTF-8, got other bytes`,
	});
});

test("a variable for the file that is empty counts as not set, as every other does", () => {
	mkdirSync(join(folder, "holdfast"));
	const own = join(folder, "holdfast", "metatools.json");
	writeFileSync(own, '{"mcpServers":{"own":{"command":"x"}}}');
	const environment = { XDG_CONFIG_HOME: folder, METATOOLS_CONFIG: "" };
	assert.deepEqual(loadConfig({ flags: {}, environment }).files, [own]);
});

test("every variable of the table works, and so does every file key", () => {
	for (const [name, setting] of Object.entries<Setting>(SETTINGS)) {
		if (name === "limitsFile" || name === "toolset") continue;
		const { kind } = setting;
		const text =
			kind.type === "choice"
				? (kind.choices.at(-1) ?? "")
				: kind.type === "boolean"
					? String(setting.default !== true)
					: kind.type === "duration"
						? "7s"
						: kind.type === "text"
							? "other"
							: String(kind.min === undefined || kind.min < 1 ? 1 : kind.min);
		for (const variable of [setting.env, ...(setting.envAliases ?? [])]) {
			const { settings } = loadConfig({ flags: {}, configFile: "", environment: { [variable]: text } });
			assert.equal(String(settings[name as keyof typeof settings]), kind.type === "duration" ? "7000" : text, variable);
		}
		const nested = setting.key.split(".").reduceRight<unknown>((inner, part) => ({ [part]: inner }), text);
		assert.equal(
			String(load(nested as object).settings[name as "host"]),
			kind.type === "duration" ? "7000" : text,
			setting.key,
		);
		assert.equal(setting.env, `METATOOLS_${setting.key.replaceAll(".", "_").toUpperCase()}`);
	}
});

test("the host is loopback unless told", () => {
	assert.equal(loadConfig({ flags: {}, configFile: "", environment: {} }).settings.host, "127.0.0.1");
});

test("a wrong value names where it stands, what was expected and what came", () => {
	assert.throws(
		() => load({}, { METATOOLS_PORT: "80800" }),
		/METATOOLS_PORT: expected a whole number from 0 to 65535, got "80800"/,
	);
	assert.throws(
		() => load({}, {}, { timeout: "soon" }),
		/--execution-timeout: expected a duration such as 500ms, 30s or 10m, got "soon"/,
	);
	for (const odd of ["yes", "constructor", "__proto__"])
		assert.throws(
			() => load({}, { METATOOLS_CODE_ENABLED: odd }),
			new RegExp(`: expected true or false, got "${odd}"$`),
		);
	assert.throws(() => load({ notify: { tool_list_changed_debounce_ms: 0 } }), /notify\.tool_list_changed_debounce_ms/);
	assert.throws(() => load({ transprot: {} }), /transprot: expected no such field, got one; did you mean transport\?$/);
	assert.throws(() => load("{", {}), /c\d+\.json: /);
	assert.throws(() => load([]), /expected an object/);
});

test("YAML is read as JSON is", () => {
	const { settings, servers } = load(
		"search:\n  strategy: lexical\nmcpServers:\n  files:\n    command: node\n    args: [server.js]\n",
		{},
		{},
		"yaml",
	);
	assert.equal(settings.searchStrategy, "lexical");
	assert.deepEqual(servers[0], {
		name: "files",
		namespace: "files",
		protocol: "auto",
		kind: "stdio",
		command: "node",
		args: ["server.js"],
		env: {},
	});
});

test("a block of an editor is read with its comments and trailing commas", () => {
	const block = `{
		// What the editor has, too.
		"mcpServers": {
			"files": { "command": "node", /* not "deno" */ "args": ["a//b.js", "/*", ], },
		},
	}`;
	for (const extension of ["json", "jsonc"]) {
		const { servers } = load(block, {}, {}, extension);
		assert.deepEqual(
			servers.map((server) => server.kind === "stdio" && server.args),
			[["a//b.js", "/*"]],
		);
	}
	const { servers, warnings } = load({ import: [file(block)] });
	assert.deepEqual([servers.length, warnings], [1, []]);
});

test("a mistake in the JSON is named with its line and column", () => {
	const refused = (text: string, reason: string) =>
		assert.throws(
			() => load(text),
			({ message }: Error) => message.endsWith(`.json: ${reason}`),
		);
	refused('{\n  // here\n  "surface": full\n}', "line 3, column 14: not valid JSON (invalid symbol)");
	refused('{\r\n  "a": {}\r\n  "b": {}\r\n}', "line 3, column 3: not valid JSON (comma expected)");
	refused("{", "line 1, column 2: not valid JSON (close brace expected)");
	// A file that an editor has emptied to write it anew is no configuration without servers.
	refused("", "line 1, column 1: not valid JSON (value expected)");
	refused("/* cut", "line 1, column 1: not valid JSON (unexpected end of comment)");
});

test("variables are filled in, and one that is missing is named with its place", () => {
	const content = {
		mcpServers: {
			a: {
				url: "https://x.example/mcp",
				headers: {
					Authorization: `Bearer ${variable("TOKEN")}`,
					Cost: `$$5 ${variable("NONE:-none")} ${variable("env:TOKEN")}`,
				},
			},
		},
	};
	const [server] = load(content, { TOKEN: "t0" }).servers;
	assert(server?.kind === "http");
	assert.deepEqual(server.headers, { Authorization: "Bearer t0", Cost: "$5 none t0" });
	assert.equal(
		reasonAgainst(load(content)),
		"mcpServers.a.headers.Authorization: expected the environment variable TOKEN to be set",
	);
	assert.throws(
		() => load({ import: [variable("TOKEN")] }),
		/import\.0: expected the environment variable TOKEN to be set/,
	);
});

test("a url without a type is of the old kind where its path says so, and only there", () => {
	const kindOf = (entry: object) => load({ mcpServers: { a: entry } }).servers[0]?.kind;
	assert.equal(kindOf({ url: "https://x.example/v1/sse" }), "sse");
	assert.equal(kindOf({ url: "https://x.example/sse/?key=1" }), "sse");
	assert.equal(kindOf({ url: "https://x.example/sse", type: "http" }), "http");
	assert.equal(kindOf({ url: "https://x.example/mcp?at=/sse" }), "http");
	assert.equal(kindOf({ url: "https://x.example/asse" }), "http");
});

test("mcpServers blocks of other clients are read as they are", () => {
	const client = file({
		theme: "dark",
		projects: { "/x": {} },
		mcpServers: {
			git: { type: "stdio", command: "uvx", args: ["mcp-git"], env: { A: "1" }, alwaysAllow: ["x"], timeout: 60 },
			remote: { type: "sse", url: "https://r.example/sse" },
			off: { command: "x", disabled: true },
			odd: { command: `${variable("workspace Folder")}/run` },
		},
	});
	const code = file({ servers: { "My Server!": { type: "http", url: "http://127.0.0.1:9/mcp" } }, inputs: [] });
	const config = load({ import: [client, code], mcpServers: { git: { command: "own" } } });
	assert.deepEqual(
		config.servers.map(({ name, kind }) => [name, kind]),
		[
			["git", "stdio"],
			["remote", "sse"],
			["My Server!", "http"],
		],
	);
	assert.equal(config.servers[0]?.kind === "stdio" && config.servers[0].command, "own");
	assert.equal(config.servers[2]?.namespace, "My_Server_");
	assert.equal(config.warnings.length, 1);
	assert.match(config.warnings[0] ?? "", /odd is left out/);
	assert(config.files.includes(client));
});

test("an agent's entry for the gateway is not put behind the gateway", () => {
	const client = file({
		mcpServers: {
			holdfast: { command: "/usr/bin/node", args: ["/opt/holdfast/bin/holdfast.js", "serve"] },
			gate: { command: "npx", args: ["-y", "holdfast", "up", "--port", "0"] },
			meta: { command: "C:\\npm\\metatools.cmd", args: ["serve"] },
			latest: { command: "npx", args: ["-y", "holdfast@latest", "serve"] },
			named: { command: "npx", args: ["-y", "-p", "holdfast@1.2.3", "--", "holdfast", "serve"] },
			windows: { command: "cmd", args: ["/c", "npx", "-y", "holdfast", "serve"] },
			other: { command: "env", args: ["A=1", "pnpm", "dlx", "holdfast", "serve"] },
			flags: { command: "node", args: ["--no-warnings", "--enable-source-maps", "/opt/holdfast.js", "serve"] },
			hosted: { command: "holdfast", args: ["host", "--", "uvx", "serve"] },
			data: { command: "files", args: ["/srv/holdfast", "serve"] },
			search: { command: "metatools-search", args: ["serve"] },
		},
	});
	const served = file({ mcpServers: { holdfast: { url: "http://127.0.0.1:8080/mcp" } } });
	const { servers, warnings } = load({ import: [client, served] });
	assert.deepEqual(
		servers.map(({ name }) => name),
		["hosted", "data", "search"],
	);
	assert.deepEqual(
		warnings,
		["gate", "meta", "latest", "named", "windows", "other", "flags"].map(
			(name) => `${client}: ${name} is left out: it is the gateway itself`,
		),
	);
});

test("a server that cannot be meant is listed with the reason", () => {
	const reason = (entry: unknown) => reasonAgainst(load({ mcpServers: { it: entry } }));
	assert.equal(reason({}), "mcpServers.it: expected a command or a url, got neither");
	assert.match(reason({ command: "x", url: "http://x" }), /either command or url/);
	assert.match(reason({ url: "file:///etc/passwd" }), /^mcpServers\.it\.url: expected an http or https address/);
	assert.match(reason({ command: "x", args: "y" }), /^mcpServers\.it\.args/);
	assert.match(reason({ command: "x", type: "telepathy" }), /^mcpServers\.it\.type/);
	assert.match(reason(1), /^mcpServers\.it: expected/);
});

test("a server that cannot be used takes nothing from the others, and one that is switched off is not looked at", () => {
	const { servers } = load({
		mcpServers: {
			"a b": { url: `https://${variable("NOWHERE")}/mcp` },
			a_b: { command: "x" },
			off: { url: variable("NOWHERE"), disabled: true },
		},
	});
	assert.deepEqual(
		servers.map(({ name, kind }) => [name, kind]),
		[
			["a b", "unusable"],
			["a_b", "stdio"],
		],
	);
	assert.equal(new Set(servers.map(({ namespace }) => namespace)).size, 2);
	assert.throws(() => load({ mcpServers: [] }), /mcpServers: expected object, got array/);
});

test("a file of another client that is gone is left out with a warning", () => {
	const config = load({ import: ["/no/such/file.json"], mcpServers: { own: { command: "x" } } });
	assert.deepEqual(
		config.servers.map(({ name }) => name),
		["own"],
	);
	assert.match(config.warnings[0] ?? "", /^\/no\/such\/file\.json is left out: no such file/);
});

test("a file may begin with the mark of its encoding", () => {
	const file = join(folder, "marked.json");
	writeFileSync(file, `\uFEFF${JSON.stringify({ mcpServers: { own: { command: "x" } } })}`);
	assert.equal(loadConfig({ flags: {}, configFile: file, environment: {} }).servers.length, 1);
});

test("namespaces of servers whose names fall together are told apart", () => {
	const { servers } = load({ mcpServers: { "a b": { command: "x" }, a_b: { command: "x" }, local: { command: "x" } } });
	assert.equal(new Set(servers.map((server) => server.namespace)).size, 3);
	assert(!servers.some((server) => server.namespace === "local"));
});

test("a server whose name is a namespace keeps it, wherever in the file it stands", () => {
	const command = "x";
	const namespaces = (config: Config) => Object.fromEntries(config.servers.map((s) => [s.name, s.namespace]));
	const before = namespaces(load({ mcpServers: { "my server": { command }, my_server: { command } } }));
	assert.equal(before.my_server, "my_server");
	assert.match(before["my server"] ?? "", /^my_server_[0-9a-f]{6}$/);
	assert.deepEqual(namespaces(load({ mcpServers: { my_server: { command }, "my server": { command } } })), before);

	const first = file({ mcpServers: { "my server": { command } } });
	const second = file({ mcpServers: { my_server: { command } } });
	assert.deepEqual(namespaces(load({ import: [first, second] })), before);
});

test("a server of another client's file takes no namespace that a server of our own has, nor from one that is left out", () => {
	const broken = file({ mcpServers: { it: { command: 1 } } });
	const theirs = file({ mcpServers: { my_server: { command: "x" }, it: { command: "x" } } });
	const { servers } = load({ import: [broken, theirs], mcpServers: { "my server": { command: "x" } } });
	const [own, imported, it] = servers.map(({ namespace }) => namespace);
	assert.equal(own, "my_server");
	assert.match(imported ?? "", /^my_server_/);
	assert.equal(it, "it");
});

test("toolsets and skills come from the file; an unknown toolset is an error", () => {
	const config = load({
		toolsets: { mine: { tools: ["a:*"] } },
		skills: { hello: { steps: [{ tool_id: "a:b" }] } },
		toolset: "mine",
	});
	assert.equal(config.toolsets[0]?.id, "toolset:mine");
	assert.equal(config.skills[0]?.name, "hello");
	assert.throws(() => load({ toolset: "none" }), /toolset: expected/);
});

test("limits of their own file replace those of the configuration", () => {
	const limits = file({ execution: { timeout: "2s" } });
	const { settings, files } = load({
		execution: { timeout: "9s", max_chain_steps: 3 },
		state: { runtime_limits_db: limits },
	});
	assert.equal(settings.timeout, 2_000);
	assert.equal(settings.maxChainSteps, 3);
	assert(files.includes(limits));
});

test("what a file has in place of something else is quoted as it stands there", () => {
	assert.throws(
		() => load({ "on/off": 1, transport: { http: "/run/http" } }),
		/json: on\/off: expected no such field, .*; transport\.http: expected object, got string "\/run\/http"$/,
	);
});

test("the published schema accepts what is accepted and refuses what is not", () => {
	const check = compileCheck(createFileSchema());
	assert.deepEqual(check({ mcpServers: { a: { command: "x", extra: 1 } }, search: { bm25: { name_boost: 2 } } }), []);
	assert.equal(check({ search: { bm25: { nme_boost: 2 } } }).length, 1);
	assert.equal(check({ transport: { type: "carrier pigeon" } }).length, 1);
	assert.deepEqual(check({ mcpServers: { a: { command: "x", execution_timeout: "10m" } } }), []);
	assert.equal(check({ mcpServers: { a: { command: "x", execution_timeout: [] } } }).length, 1);
});

test("the documentation holds the table of settings as it is", () => {
	const page = readFileSync(new URL("../../../../docs/metatools.md", import.meta.url), "utf8");
	assert(
		page.includes(renderSettings()),
		"docs/metatools.md: replace its table by the output of `metatools config docs`",
	);
});

test("a server says whether it may ask callers, and who we are to its authorization server", () => {
	const url = "https://tools.example/mcp";
	const of = (entry: object) => load({ mcpServers: { a: { url, ...entry } } }).servers[0];
	const base = { kind: "http", name: "a", namespace: "a", protocol: "auto", url, headers: {} };
	assert.deepEqual(of({ elicitation: true }), { ...base, elicitation: true });
	assert.deepEqual(of({ oauth: { client_id: "x", client_secret: "y" } }), {
		...base,
		oauthClient: { id: "x", secret: "y" },
	});
	const metadataUrl = "https://me.example/client.json";
	assert.deepEqual(of({ oauth: { client_metadata_url: metadataUrl } }), { ...base, oauthClient: { metadataUrl } });
	const insecure = of({ oauth: { client_metadata_url: "http://me.example/client.json" } });
	assert(insecure?.kind === "unusable");
	assert.match(insecure.reason, /^mcpServers\.a\.oauth\.client_metadata_url: expected https, got/);
});

test("a server says how long its tools may run, and a duration that cannot be read is refused with its place", () => {
	const of = (execution_timeout: unknown) => load({ mcpServers: { a: { command: "x", execution_timeout } } });
	assert.deepEqual(
		["10m", "1500ms", "1h30m", 250, undefined].map((given) => of(given).servers[0]?.executionTimeoutMs),
		[600_000, 1_500, 5_400_000, 250, undefined],
	);
	for (const given of ["soon", "0s", -1, ""])
		assert.match(
			reasonAgainst(of(given)),
			/^mcpServers\.a\.execution_timeout: expected a duration such as 500ms, 30s or 10m, got /,
		);
	assert.match(reasonAgainst(of([1])), /^mcpServers\.a\.execution_timeout: expected string or number, got array/);
	const misspelt = load({ mcpServers: { a: { command: "x", executionTimeout: "1s" } } });
	assert.match(misspelt.warnings.join(), /executionTimeout is ignored; did you mean execution_timeout\?/);
});

test("a duration is read as it is written, and text without a unit is refused, since it could mean seconds or milliseconds", () => {
	const timeout = (text: string) => load({}, { METATOOLS_EXECUTION_TIMEOUT: text }).settings.timeout;
	assert.deepEqual(["500ms", "1.5s", "1h30m", " 2m1s "].map(timeout), [500, 1_500, 5_400_000, 121_000]);
	assert.deepEqual(
		[250, "1h30m"].map((given) => load({ execution: { timeout: given } }).settings.timeout),
		[250, 5_400_000],
	);
	assert.throws(() => timeout("30"), /^Error: METATOOLS_EXECUTION_TIMEOUT: expected a unit, such as 30s, got "30"$/);
	assert.throws(() => load({}, {}, { timeout: "30" }), /^Error: --execution-timeout: expected a unit, such as 30s/);
	assert.throws(
		() => load({ execution: { timeout: "30" } }),
		/^Error: \S+\.json: execution\.timeout: expected a unit, such as 30s, got "30"$/,
	);
	assert.match(
		reasonAgainst(load({ mcpServers: { a: { command: "x", execution_timeout: "30" } } })),
		/^mcpServers\.a\.execution_timeout: expected a unit, such as 30s, got "30"$/,
	);
	assert.throws(
		() => load({ execution: { timeout: "1h30" } }),
		/json: execution\.timeout: expected a duration such as/,
	);
	for (const text of ["0", "0s", "-5s", "1h30", "1h 30m", "s", "1d", "1000h"])
		assert.throws(() => timeout(text), /expected a duration such as 500ms, 30s or 10m, got /, text);
});

test("a skill whose steps refer to a step that is not there is refused", () => {
	const inputs = { path: { $from: "steps/ticked/structured/log" } };
	const steps = [
		{ id: "ticket", tool_id: "a:b" },
		{ tool_id: "a:c", inputs },
	];
	assert.throws(
		() => load({ skills: { triage: { steps } } }),
		/skill\/steps\/1\/inputs\/path\/\$from: expected a place where something is: steps has 0, ticket, got "steps\/ticked\/structured\/log"/,
	);
});

test("two toolsets, or two skills, whose names become one id are refused, since only the first could be addressed by it", () => {
	const tools = { tools: ["a:*"] };
	const steps = { steps: [{ tool_id: "a:b" }] };
	assert.throws(
		() => load({ toolsets: { "A b": tools, other: tools, "a-B": tools } }),
		/^Error: toolsets: expected one name for toolset:a-b, got "A b" and "a-B"$/,
	);
	assert.throws(
		() => load({ skills: { små: steps, sm: steps } }),
		/^Error: skills: expected one name for skill:sm, got "små" and "sm"$/,
	);
	assert.equal(load({ toolsets: { same: tools, other: tools }, skills: { same: steps } }).toolsets.length, 2);
});

test("settings that leave no sandbox for code are told of, unless code is off or runs without one", () => {
	const none = { runtime: { backend: "wasm" }, wasm: { enabled: false } };
	assert.deepEqual(load(none).warnings, [
		"execute_code is not offered, since no code can run: runtime.backend is wasm but wasm.enabled is false",
	]);
	assert.deepEqual(load({ ...none, code: { enabled: false } }).warnings, []);
	assert.deepEqual(load({ ...none, runtime: { backend: "wasm", profile: "dev" } }).warnings, []);
	assert.deepEqual(load({ ...none, wasm: { enabled: true } }).warnings, []);
});

test("a member that is given twice is refused, of the whole file or of its server alone", () => {
	assert.throws(
		() => load('{ "execution": { "timeout": "1s" }, "execution": {} }'),
		/json: execution: expected once, got it twice$/,
	);
	assert.throws(
		() => load('{ "toolsets": { "a": { "tools": [], "tools": [] } } } // c'),
		/toolsets\.a\.tools: .* twice$/,
	);
	const text =
		'{ "mcpServers": { "a": { "command": "x" }, "b": { "command": "a:\\":b" }, "a": { "url": "http://y" } } }';
	const { servers } = load(text);
	assert.deepEqual(
		servers.map((server) => [server.name, server.kind === "unusable" ? server.reason : server.kind]),
		[
			["a", "mcpServers.a: expected once, got it twice"],
			["b", "stdio"],
		],
	);
	const inner = '{ // "a": 1, "a": 2\n"mcpServers": { "a": { "command": "x", "env": { "A": "1", "A": "2" } } } }';
	assert.equal(reasonAgainst(load(inner)), "mcpServers.a.env.A: expected once, got it twice");
});

test("a field of a server that is nearly one we read is told, and one that another client reads is not", () => {
	const copied = { command: "node", autoApprove: [], alwaysAllow: [], timeout: 60 };
	assert.deepEqual(load({ mcpServers: { a: copied } }).warnings, []);
	const { warnings, servers } = load({ mcpServers: { a: { ...copied, arg: ["x"], includeTools: ["y"] } } });
	assert.equal(servers[0]?.kind, "stdio");
	assert.deepEqual(warnings, [
		"mcpServers.a.arg is ignored; did you mean args?",
		"mcpServers.a.includeTools is ignored; did you mean include?",
	]);
	assert.equal(
		reasonAgainst(load({ mcpServers: { a: { comand: "node" } } })),
		"mcpServers.a: expected a command or a url, got neither; mcpServers.a.comand is ignored; did you mean command?",
	);
});

test("what is wrong with an entry is told without the value, which may be a secret", () => {
	const remote = { url: "https://api.example/mcp" };
	const wrong: readonly (readonly [entry: unknown, reason: string])[] = [
		[{ command: "x", env: ["TOKEN=SECRET"] }, ".env: expected object, got array"],
		[{ command: "x", env: { TOKEN: ["SECRET"] } }, ".env.TOKEN: expected string or number or boolean, got array"],
		[{ command: "x", args: "--token SECRET" }, ".args: expected array, got string"],
		[{ command: ["x", "--token", "SECRET"] }, ".command: expected string, got array"],
		["x --token SECRET", ": expected object, got string"],
		[{ ...remote, headers: "Authorization: SECRET" }, ".headers: expected object, got string"],
		[
			{ ...remote, oauth: { client_secret: "SECRET" } },
			".oauth: expected {client_id} or {client_metadata_url}, got object",
		],
		[{ ...remote, oauth: ["SECRET"] }, ".oauth: expected "],
		[
			{ url: "htps://me:SECRET@api.example/mcp?key=SECRET" },
			'.url: expected an http or https address, got "htps://api.example/mcp"',
		],
		[{ httpUrl: ["SECRET"] }, ".url: expected text, got array"],
		[{ command: "x", type: "telepathy" }, '.type: expected one of ["stdio","http",'],
	];
	for (const [entry, reason] of wrong) {
		const told = reasonAgainst(load({ mcpServers: { it: entry } }));
		assert.doesNotMatch(told, /SECRET/);
		assert.ok(told.startsWith(`mcpServers.it${reason}`), told);
	}
	assert.throws(() => load({ mcpServers: ["SECRET"] }), /mcpServers: expected object, got array$/);
	assert.throws(() => load({ auth: ["SECRET"] }), /auth: expected object, got array$/);
	assert.throws(
		() => readAuth({ keys: { ada: ["SECRET"] } }),
		/^Error: auth\.keys\.ada: expected an object, got array$/,
	);
	assert.throws(
		() => readAuth({ keys: { ada: { key: 1234 } } }),
		/^Error: auth\.keys\.ada\.key: expected text, got number$/,
	);
});
