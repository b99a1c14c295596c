import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { readEntries, setServer } from "../../src/clients/clientFile.ts";
import { CLIENTS, type ClientId } from "../../src/clients/clientTable.ts";
import { translateEntry } from "../../src/clients/importable.ts";
import { unwrapCommand, unwrapServers, wrapServers } from "../../src/clients/wrapServers.ts";
import { serversIn } from "./serversIn.ts";

const HOST = (name: string) => ({ command: "/opt/node", args: ["/opt/bin/holdfast.js", "host", "--name", name] });

const FILES: readonly (readonly [client: ClientId, text: string])[] = [
	[
		"vscode",
		`{\n  // mine\n  "servers": {\n    "files": {\n      "command": "npx", // by npx\n      "args": ["-y", "files"],\n      "env": { "A": "\${input:a}" }\n    },\n    "web": { "type": "http", "url": "https://a.example" },\n  },\n}\n`,
	],
	["cursor", `{"mcpServers":{"files":{"command":"npx","args":["-y","files"]},"web":{"url":"https://a.example"}}}`],
	[
		"codex",
		`model = "x" # the best\n\n[mcp_servers.files] # keep\n# by npx\ncommand = "npx"\nargs = [\n  "-y", # yes\n  "files",\n]\nenabled = true\n\n[mcp_servers.files.env]\nA = "b"\n\n[mcp_servers.web]\nurl = "https://a.example"\n`,
	],
	[
		"opencode",
		`{\n  // mine\n  "mcp": {\n    "files": {\n      "type": "local",\n      "command": ["npx", "-y", "files"], // by npx\n      "environment": { "A": "b" },\n    },\n    "web": { "type": "remote", "url": "https://a.example" },\n  },\n}\n`,
	],
	[
		"zed",
		`{\n  // of 2024\n  "context_servers": {\n    "files": {\n      "command": { "path": "npx", "args": ["-y", "files"], "env": { "A": "b" } },\n      "settings": {}\n    },\n    "web": { "url": "https://a.example" }\n  }\n}\n`,
	],
];

for (const [id, text] of FILES) {
	const client = CLIENTS[id];
	test(`${client.title}: a host is put before what a command starts, once, and taken out again`, () => {
		const {
			text: wrapped,
			changed,
			left,
		} = wrapServers({ client, path: "f", text, keys: [client.key] }, HOST, "holdfast");
		assert.deepEqual(changed, ["files"]);
		assert.deepEqual(left, ["web (no command starts it)"]);
		const before = serversIn(client, "f", text);
		assert.deepEqual(serversIn(client, "f", wrapped).get("files"), {
			...before.get("files"),
			command: "/opt/node",
			args: ["/opt/bin/holdfast.js", "host", "--name", "files", "--", "npx", "-y", "files"],
		});
		assert.deepEqual(serversIn(client, "f", wrapped).get("web"), before.get("web"));
		for (const comment of text.match(/(?:\/\/ | # |# by)[a-z ]+/g) ?? [])
			assert.ok(wrapped.includes(comment), `lost ${comment}`);
		const again = wrapServers({ client, path: "f", text: wrapped, keys: [client.key] }, HOST, "holdfast");
		assert.equal(again.text, wrapped);
		assert.deepEqual(again.left, ["files (has one already)", "web (no command starts it)"]);
		const back = unwrapServers({ client, path: "f", text: wrapped, keys: [client.key] });
		assert.deepEqual(back.changed, ["files"]);
		assert.deepEqual(before.get("files")?.kind, "command");
		assert.deepEqual([...serversIn(client, "f", back.text)], [...before]);
	});
}

test("a host that somebody put there by hand is one too, and another program's host is not", () => {
	const own = { command: "npx", args: ["-y", "files"] };
	for (const [command, ...args] of [
		["holdfast", "host", "--", "npx", "-y", "files"],
		["npx", "-y", "holdfast", "host", "--deadline", "5m", "--", "npx", "-y", "files"],
		["cmd", "/c", "npx", "-y", "-p", "holdfast@latest", "holdfast", "host", "--", "npx", "-y", "files"],
		["node", "C:\\tools\\holdfast.js", "host", "--", "npx", "-y", "files"],
	])
		assert.deepEqual(unwrapCommand({ command: command ?? "", args }), own);
	for (const [command, ...args] of [
		["holdfast", "serve"],
		["holdfast", "host", "npx"],
		["other", "host", "--", "npx"],
		["sh", "-c", "x", "holdfast", "host", "--", "npx"],
	])
		assert.equal(unwrapCommand({ command: command ?? "", args }), undefined);
});

test("whatever a command is, its host gives it back", () => {
	const words = fc.array(fc.oneof(fc.string(), fc.constantFrom("--", "host", "holdfast")), { maxLength: 4 });
	fc.assert(
		fc.property(fc.string({ minLength: 1 }), words, (command, args) => {
			const text = JSON.stringify({ mcpServers: { it: { command, args } } });
			const { text: wrapped, changed } = wrapServers(
				{ client: CLIENTS.cursor, path: "f", text, keys: [["mcpServers"]] },
				HOST,
				"holdfast",
			);
			if (changed.length === 0) return assert.ok(unwrapCommand({ command, args }) !== undefined);
			const { it } = JSON.parse(
				unwrapServers({ client: CLIENTS.cursor, path: "f", text: wrapped, keys: [["mcpServers"]] }).text,
			).mcpServers;
			assert.deepEqual(it, { command, args });
		}),
	);
});

test("behind the gateway a server comes without the host it had", () => {
	const place = { home: "/h", project: "/p", platform: "linux", appData: "", configHome: "/h/.config" } as const;
	const { command, args } = HOST("files");
	const value = { command, args: [...args, "--", "npx", "files"] };
	assert.deepEqual(translateEntry(CLIENTS.cursor, value, { place, project: undefined }), {
		kind: "command",
		command: "npx",
		args: ["files"],
		env: {},
	});
});

test("our own gateway gets no host", () => {
	const text = `{"mcpServers":{"holdfast":{"command":"holdfast","args":["serve"]}}}`;
	const { changed, left } = wrapServers(
		{ client: CLIENTS.cursor, path: "f", text, keys: [["mcpServers"]] },
		HOST,
		"holdfast",
	);
	assert.deepEqual([changed, left], [[], ["holdfast (is the gateway, which has its own)"]]);
});

test("in TOML only the command changes and comes back to the byte, whichever way a table is told", () => {
	const wrapped = (text: string) =>
		wrapServers({ client: CLIENTS.codex, path: "config.toml", text, keys: [["mcp_servers"]] }, HOST, "holdfast").text;
	const unwrapped = (text: string) =>
		unwrapServers({ client: CLIENTS.codex, path: "config.toml", text, keys: [["mcp_servers"]] }).text;
	const put = `"/opt/bin/holdfast.js", "host", "--name", "files", "--", "npx"`;
	for (const [before, after] of [
		[
			`mcp_servers = { files = { command = "npx", args = ["a"] }, web = { url = "https://a" } } # mine\n`,
			`mcp_servers = { files = { command = "/opt/node", args = [${put}, "a"] }, web = { url = "https://a" } } # mine\n`,
		],
		[
			`[mcp_servers]\nfiles.command = 'npx' # by npx\nfiles.args = [ # two\n  "a", # one = [\n  'b' ]\nfiles.env."K.=" = """x\n[y]\n"""\n`,
			`[mcp_servers]\nfiles.command = "/opt/node" # by npx\nfiles.args = [ # two\n  ${put}, "a", # one = [\n  'b' ]\nfiles.env."K.=" = """x\n[y]\n"""\n`,
		],
		[
			`when = 1979-05-27 07:32:00Z\n[[other]]\ncommand = "x"\n[ mcp_servers . "files" ]\r\n  args = ["a",]\r\n  "command" = "npx"\r\n`,
			`when = 1979-05-27 07:32:00Z\n[[other]]\ncommand = "x"\n[ mcp_servers . "files" ]\r\n  args = [${put}, "a",]\r\n  "command" = "/opt/node"\r\n`,
		],
	] as const) {
		assert.equal(wrapped(before), after);
		assert.equal(unwrapped(after).replaceAll(`"npx"`, "'npx'"), before.replaceAll(`"npx"`, "'npx'"));
	}
	for (const [before, after] of [
		[
			`mcp_servers.files.command = "npx" # mine\n`,
			`mcp_servers.files.args = [${put}]\nmcp_servers.files.command = "/opt/node" # mine\n`,
		],
		[
			`[mcp_servers]\nfiles = { command = "npx" }\n`,
			`[mcp_servers]\nfiles = { command = "/opt/node", args = [${put}] }\n`,
		],
	] as const)
		assert.equal(wrapped(before), after);
});

test("in JSON the words of a command stay as they are written, with the comments between them, and come back to the byte", () => {
	const file = (text: string) => ({ client: CLIENTS.vscode, path: "mcp.json", text, keys: [["servers"]] });
	const put = (gap: string) =>
		["/opt/bin/holdfast.js", "host", "--name", "a", "--", "npx"].map((word) => `"${word}",${gap}`);
	for (const [before, gap] of [
		[`{"servers":{"a":{"command":"npx","args":["-y", 8080, "\\u00e9\\/"]}}}`, " "],
		[`{\n  "servers": {\n    "a": {\n      "command": "npx", "args": [ "-y" ] // one\n    }\n  }\n}`, " "],
		[
			`{\r\n\t"servers": {\r\n\t\t"a": {\r\n\t\t\t"args": [ // these\r\n\t\t\t\t"-y", // yes\r\n\t\t\t\t/* it */ "x",\r\n\t\t\t],\r\n\t\t\t"command": "npx"\r\n\t\t},\r\n\t},\r\n}`,
			"\r\n\t\t\t\t",
		],
	] as const) {
		const { text } = wrapServers(file(before), HOST, "holdfast");
		assert.equal(text, before.replace(`"npx"`, `"/opt/node"`).replace(`"-y"`, `${put(gap).join("")}"-y"`));
		assert.equal(unwrapServers(file(text)).text, before);
	}
});

test("a server whose arguments are no list is left as it is", () => {
	for (const [id, text] of [
		["cursor", `{"mcpServers":{"a":{"command":"npx","args":"-y files"}}}`],
		["codex", `[mcp_servers.a]\ncommand = "npx"\nargs = "-y files"\n`],
	] as const) {
		const client = CLIENTS[id];
		const wrapping = wrapServers({ client, path: "f", text, keys: [client.key] }, HOST, "holdfast");
		assert.deepEqual(wrapping, { text, changed: [], left: ["a (its args are no list)"] });
	}
});

test("a file that says something twice is not guessed at", () => {
	const keys = [["mcpServers"]];
	for (const [text, name] of [
		[`{"mcpServers":{"a":{"command":"x"}},"mcpServers":{"b":{"command":"y"}}}`, "mcpServers"],
		[`{"mcpServers":{"a":{"command":"x"},"a":{"command":"y"}}}`, "a"],
		[`{"mcpServers":{"a":{"command":"x","command":"y"}}}`, "command"],
	] as const)
		assert.throws(() => wrapServers({ client: CLIENTS.cursor, path: "mcp.json", text, keys }, HOST, "holdfast"), {
			message: `mcp.json: ${name}: expected once, got it twice; correct it first`,
		});
});

test("a table is taken out of TOML with its own lines alone", () => {
	const without = (text: string) => setServer(CLIENTS.codex, "config.toml", text, "files", undefined);
	const text = [
		'notes = """',
		"[mcp_servers.files]",
		'command = "x"',
		'"""',
		"",
		"[mcp_servers.files] # ours",
		'command = "y" # by hand',
		"",
		"[mcp_servers.files.env]",
		'A = """',
		'[b]"""',
		"",
		"# another",
		"[mcp_servers.more] # theirs",
		'command = "z"',
		"",
	];
	const lines = [...text.slice(0, 5), "", ...text.slice(11)];
	assert.equal(without(text.join("\n")), lines.join("\n"));
	assert.equal(without(text.join("\r\n")), lines.join("\r\n"));
});

test("a server that TOML tells inline is not taken out behind its owner's back", () => {
	const text = `mcp_servers = { files = { command = "npx" } }\n`;
	assert.throws(() => setServer(CLIENTS.codex, "config.toml", text, "files", undefined), {
		message: "config.toml: expected [mcp_servers.files] as a table of its own; change it by hand",
	});
});

test("an agent's history beside its servers is read once, not once for each of them", () => {
	const servers = Object.fromEntries(
		Array.from({ length: 20 }, (_, place) => [`s${place}`, { command: "node", args: [`${place}.js`] }]),
	);
	const history = Array.from({ length: 8_000 }, (_, place) => ({ display: `look at file ${place} `.repeat(4) }));
	const text = (more: object) => JSON.stringify({ ...more, mcpServers: servers }, null, 2);
	const wrapped = (whole: string) =>
		wrapServers(
			{ client: CLIENTS["claude-code"], path: ".claude.json", text: whole, keys: [["mcpServers"]] },
			(name) => ({ command: "holdfast", args: ["host", "--name", name] }),
			"holdfast",
		).text;
	const timed = <Result>(work: () => Result): readonly [Result, number] => {
		const began = performance.now();
		return [work(), performance.now() - began];
	};
	const [, once] = timed(() => readEntries(CLIENTS["claude-code"], "", text({ history, other: 1 })));
	const [large, all] = timed(() => wrapped(text({ history })));
	const tail = (whole: string) => whole.slice(whole.indexOf(`"mcpServers"`));
	assert.equal(tail(large), tail(wrapped(text({ history: [] }))));
	assert.ok(all < 10 * once, `${Math.round(all)} ms, and ${Math.round(once)} ms to read it once`);
});
