import assert from "node:assert/strict";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { loadConfig } from "metatools";
import { CLIENTS, type Place } from "../../src/clients/clientTable.ts";
import {
	addToGateway,
	dropUnusable,
	findServers,
	takeFromGateway,
	writeCommandLine,
} from "../../src/clients/importServers.ts";
import { giveBack, listStillTaken, takeOut } from "../../src/clients/moveServers.ts";

function withHome(body: (place: Place) => void): void {
	const home = mkdtempSync(join(tmpdir(), "holdfast-import-"));
	try {
		body({ home, project: home, platform: "linux", appData: home, configHome: join(home, ".config") });
	} finally {
		rmSync(home, { recursive: true, force: true });
	}
}

function backupsIn({ home }: Place): string {
	return join(home, "backups");
}

void test("servers of several clients are found, our own entry aside, and a broken file is named without stopping", () => {
	withHome((place) => {
		writeFileSync(
			join(place.home, ".claude.json"),
			`{"mcpServers":{"a":{"command":"npx","args":["-y","it's here"],"env":{"KEY":"v"}},"holdfast":{"command":"holdfast"}}}`,
		);
		writeFileSync(join(place.home, ".mcp.json"), `{"mcpServers":`);
		const { servers, problems } = findServers(["claude-code"], place, "holdfast");
		assert.deepEqual(
			servers.map(({ name, scope, entry }) => [name, scope, entry]),
			[["a", "user", { kind: "command", command: "npx", args: ["-y", "it's here"], env: { KEY: "v" } }]],
		);
		assert.equal(problems.length, 1);
		assert.match(problems[0] ?? "", /\.mcp\.json: line 1: /);
	});
});

void test("what the gateway would refuse is left out with the reason, for it would start with none of them", () => {
	withHome((place) => {
		const servers = {
			good: { type: "http", url: "https://a.example/mcp" },
			socket: { type: "ws", url: "wss://a.example/mcp" },
			elsewhere: { type: "http", url: `\${HOLDFAST_TEST_NOWHERE}/mcp` },
		};
		writeFileSync(join(place.home, ".claude.json"), JSON.stringify({ mcpServers: servers }));
		const all = findServers(["claude-code"], place, "holdfast");
		const { servers: found, problems } = dropUnusable(all);
		assert.deepEqual(problems, [
			'socket (Claude Code, user): mcpServers.socket.url: expected an http or https address, got "wss://a.example/mcp"',
			'elsewhere (Claude Code, user): mcpServers.elsewhere.url: expected an http or https address, got "/mcp"; it reads HOLDFAST_TEST_NOWHERE, which is not set here',
		]);
		const file = join(place.home, "metatools.json");
		addToGateway(file, found, backupsIn(place));
		const { servers: taken } = loadConfig({ flags: {}, configFile: file, environment: {} });
		assert.deepEqual(
			taken.map(({ name }) => name),
			["good"],
		);
		// What was put there by hand, or while the variable was set, is found again to be taken out.
		addToGateway(file, all.servers, backupsIn(place));
		assert.deepEqual(takeFromGateway(file, all.servers, new Set(), backupsIn(place)).left, []);
	});
});

void test("the gateway under another name is not put behind itself", () => {
	withHome((place) => {
		const servers = { gate: { command: "holdfast", args: ["host", "--", "npx", "-y", "holdfast", "serve"] } };
		writeFileSync(join(place.home, ".claude.json"), JSON.stringify({ mcpServers: servers }));
		const { servers: found, problems } = findServers(["claude-code"], place, "holdfast");
		assert.deepEqual(found, []);
		assert.deepEqual(problems, ["gate (Claude Code, user): it is the gateway itself"]);
	});
});

void test("one server is the same whether its client is told the transport or finds out by the path", () => {
	withHome((place) => {
		mkdirSync(join(place.home, ".cursor"));
		const url = "https://a.example/v1/sse";
		writeFileSync(join(place.home, ".claude.json"), JSON.stringify({ mcpServers: { a: { type: "sse", url } } }));
		writeFileSync(join(place.home, ".cursor/mcp.json"), JSON.stringify({ mcpServers: { a: { url } } }));
		const file = join(place.home, "metatools.json");
		addToGateway(file, findServers(["claude-code", "cursor"], place, "holdfast").servers, backupsIn(place));
		const { servers } = loadConfig({ flags: {}, configFile: file, environment: {} });
		assert.deepEqual(
			servers.map(({ name, kind }) => [name, kind]),
			[["a", "sse"]],
		);
	});
});

void test("the gateway shows the tools that the client shows", () => {
	withHome((place) => {
		mkdirSync(join(place.home, ".codex"));
		writeFileSync(
			join(place.home, ".codex/config.toml"),
			`[mcp_servers.a]\ncommand = "one"\ndisabled_tools = ["drop"]\n[mcp_servers.b]\ncommand = "two"\nenabled_tools = []\n`,
		);
		const file = join(place.home, "metatools.json");
		addToGateway(file, findServers(["codex"], place, "holdfast").servers, backupsIn(place));
		const { servers } = loadConfig({ flags: {}, configFile: file, environment: {} });
		assert.deepEqual(
			servers.map(({ name, include, exclude }) => [name, include, exclude]),
			[
				["a", undefined, ["drop"]],
				["b", [], undefined],
			],
		);
	});
});

void test("an OAuth client is the gateway's, too", () => {
	withHome((place) => {
		mkdirSync(join(place.home, ".cursor"));
		const auth = { CLIENT_ID: `\${env:ID}`, CLIENT_SECRET: "s3cret", scopes: ["read"] };
		writeFileSync(
			join(place.home, ".cursor/mcp.json"),
			JSON.stringify({ mcpServers: { a: { url: "https://a.example/mcp", auth } } }),
		);
		const file = join(place.home, "metatools.json");
		const found = findServers(["cursor"], place, "holdfast");
		addToGateway(file, found.servers, backupsIn(place));
		const [server] = loadConfig({ flags: {}, configFile: file, environment: { ID: "me" } }).servers;
		assert.ok(server !== undefined && "oauthClient" in server);
		assert.deepEqual(server.oauthClient, { id: "me", secret: "s3cret" });
		assert.deepEqual(found.servers[0]?.notTakenOver, ["auth.scopes"]);
	});
});

void test("opencode's servers are found in its newer layout, and taken out of it and given back", () => {
	withHome((place) => {
		const folder = join(place.configHome, "opencode");
		mkdirSync(folder, { recursive: true });
		const path = join(folder, "opencode.jsonc");
		const before = `{\n  "mcp": {\n    "timeout": { "startup": 9 },\n    // mine\n    "servers": { "a": { "type": "local", "command": ["run", "x"] }, "b": { "type": "local", "command": ["no"], "disabled": true } }\n  }\n}\n`;
		writeFileSync(path, before);
		const { servers, problems } = findServers(["opencode"], place, "holdfast");
		assert.deepEqual(
			servers.map(({ name, entry }) => [name, writeCommandLine(entry)]),
			[["a", "run x"]],
		);
		assert.deepEqual(problems, ["b (opencode, user): it is switched off in opencode"]);
		const { placed } = addToGateway(join(place.home, "metatools.json"), servers, backupsIn(place));
		const backups = join(place.home, "backups");
		takeOut(backups, placed, place);
		assert.deepEqual(Object.keys(JSON.parse(readFileSync(path, "utf8").replace("// mine", "")).mcp.servers), ["b"]);
		giveBack(backups, CLIENTS.opencode, place);
		assert.equal(readFileSync(path, "utf8"), before);
	});
});

void test("a server that its client has on a list of those switched off is not started for it", () => {
	withHome((place) => {
		const servers = { a: { command: "one" }, b: { command: "two" } };
		mkdirSync(join(place.home, ".gemini"));
		writeFileSync(
			join(place.home, ".gemini/settings.json"),
			JSON.stringify({
				mcp: { excluded: ["b"], allowed: ["a", "b"] },
				mcpServers: { ...servers, f: { command: "six" } },
			}),
		);
		mkdirSync(join(place.home, ".copilot"));
		writeFileSync(join(place.home, ".copilot/mcp-config.json"), JSON.stringify({ mcpServers: servers }));
		writeFileSync(join(place.home, ".copilot/settings.json"), `{"disabledMcpServers":["a"]}`);
		const here = {
			mcpServers: { c: { command: "three" } },
			disabledMcpServers: ["a", "c"],
			disabledMcpjsonServers: ["d"],
		};
		writeFileSync(
			join(place.home, ".claude.json"),
			JSON.stringify({ mcpServers: servers, projects: { [place.project]: here } }),
		);
		writeFileSync(
			join(place.home, ".mcp.json"),
			JSON.stringify({ mcpServers: { d: { command: "four" }, e: { command: "five" } } }),
		);
		const found = findServers(["claude-code", "gemini", "copilot"], place, "holdfast");
		assert.deepEqual(
			found.servers.map(({ client, name }) => `${client.id} ${name}`),
			["claude-code a", "claude-code b", "claude-code e", "gemini a", "copilot b"],
			"what is off in one project is on in others",
		);
		assert.deepEqual(found.problems, [
			"d (Claude Code, project): it is switched off in Claude Code",
			"c (Claude Code, local): it is switched off in Claude Code",
			"b (Gemini CLI, user): it is switched off in Gemini CLI",
			"f (Gemini CLI, user): it is switched off in Gemini CLI",
			"a (Copilot CLI, user): it is switched off in Copilot CLI",
		]);
	});
});

void test("a server of a project's own file that was refused in Claude Code's settings is not started for it", () => {
	withHome((place) => {
		const project = join(place.home, "project");
		const settings = [
			[join(project, ".claude"), "settings.local.json", "b"],
			[join(project, ".claude"), "settings.json", "c"],
			[join(place.home, ".claude"), "settings.json", "d"],
		] as const;
		for (const [folder, file, name] of settings) {
			mkdirSync(folder, { recursive: true });
			writeFileSync(join(folder, file), JSON.stringify({ disabledMcpjsonServers: [name] }));
		}
		const servers = Object.fromEntries(["a", "b", "c", "d"].map((name) => [name, { command: name }]));
		writeFileSync(join(project, ".mcp.json"), JSON.stringify({ mcpServers: servers }));
		writeFileSync(join(place.home, ".claude.json"), JSON.stringify({ mcpServers: { b: { command: "everywhere" } } }));
		const found = findServers(["claude-code"], { ...place, project }, "holdfast");
		assert.deepEqual(
			found.servers.map(({ scope, name }) => `${scope} ${name}`),
			["user b", "project a"],
		);
		assert.deepEqual(
			found.problems,
			["b", "c", "d"].map((name) => `${name} (Claude Code, project): it is switched off in Claude Code`),
		);
	});
});

void test("a second import finds a server under the name that the first one gave it", () => {
	withHome((place) => {
		mkdirSync(join(place.home, ".cursor"));
		writeFileSync(join(place.home, ".claude.json"), `{"mcpServers":{"a":{"command":"one"}}}`);
		writeFileSync(join(place.home, ".cursor/mcp.json"), `{"mcpServers":{"a":{"command":"two"}}}`);
		const file = join(place.home, "metatools.json");
		const { servers } = findServers(["claude-code", "cursor"], place, "holdfast");
		assert.deepEqual(addToGateway(file, servers, backupsIn(place)).added, ["a", "a-cursor"]);
		const again = addToGateway(file, servers, backupsIn(place));
		assert.deepEqual([again.added, again.kept], [[], ["a", "a-cursor"]]);
		assert.equal(again.placed.length, 2);
	});
});

void test("imported servers land in a file only its owner reads, and a name already taken is kept", () => {
	withHome((place) => {
		writeFileSync(
			join(place.home, ".claude.json"),
			`{"mcpServers":{"a":{"command":"one","env":{"TOKEN":"t"}},"b":{"type":"http","url":"https://b.example/mcp","headers":{"Authorization":"Bearer x"}}}}`,
		);
		const file = join(place.home, ".config", "holdfast", "holdfast.json");
		const { servers } = findServers(["claude-code"], place, "holdfast");
		const placed = servers.map((server) => ({ server, as: server.name }));
		assert.deepEqual(addToGateway(file, servers, backupsIn(place)), {
			added: ["a", "b"],
			kept: [],
			refused: [],
			placed,
		});
		assert.equal(statSync(file).mode & 0o777, 0o600);
		assert.deepEqual(JSON.parse(readFileSync(file, "utf8")), {
			mcpServers: {
				a: { command: "one", args: [], env: { TOKEN: "t" } },
				b: { type: "http", url: "https://b.example/mcp", headers: { Authorization: "Bearer x" } },
			},
		});
		assert.deepEqual(Object.keys(JSON.parse(readFileSync(file, "utf8")).mcpServers), ["a", "b"]);
		assert.deepEqual(addToGateway(file, servers, backupsIn(place)), {
			added: [],
			kept: ["a", "b"],
			refused: [],
			placed,
		});
	});
});

void test("one name for different servers becomes two, also beside one that was there, which is not replaced", () => {
	withHome((place) => {
		mkdirSync(join(place.home, ".cursor"));
		writeFileSync(
			join(place.home, ".cursor/mcp.json"),
			`{"mcpServers":{"files":{"command":"two"},"old":{"command":"x"}}}`,
		);
		writeFileSync(
			join(place.home, ".claude.json"),
			`{"mcpServers":{"files":{"command":"one"}, "toString":{"command":"t"}},
			  "projects":{"${place.project}":{"mcpServers":{"files":{"command":"one","args":["local"]}}}}}`,
		);
		const file = join(place.home, "metatools.json");
		writeFileSync(file, `{"mcpServers":{"old":{"command":"mine"}}}`);
		const { servers } = findServers(["claude-code", "cursor"], { ...place, project: place.home }, "holdfast");
		const { added, kept, refused, placed } = addToGateway(file, servers, backupsIn(place));
		assert.deepEqual(added, ["files", "toString", "files-claude-code", "files-cursor", "old-cursor"]);
		assert.deepEqual([kept, refused], [[], []]);
		assert.ok(!placed.some(({ as }) => as === "old"));
		const { mcpServers } = JSON.parse(readFileSync(file, "utf8"));
		assert.equal(mcpServers.old.command, "mine");
		assert.equal(mcpServers["files-cursor"].command, "two");
		assert.deepEqual(mcpServers["files-claude-code"], { command: "one", args: ["local"], cwd: place.home });
	});
});

void test("a server is known by what starts it, and is left out where others have all its names", () => {
	withHome((place) => {
		mkdirSync(join(place.home, ".cursor"));
		writeFileSync(
			join(place.home, ".cursor/mcp.json"),
			`{"mcpServers":{"a":{"command":"one"},"b":{"command":"two","env":{"KEY":"mine"}}}}`,
		);
		const file = join(place.home, "metatools.json");
		const other = { command: "two", args: [], env: { KEY: "another's" } };
		const names = ["b", "b-cursor", "b-cursor-user"];
		const mcpServers = {
			a: { command: "one", args: [], elicitation: true },
			...Object.fromEntries(names.map((name) => [name, other])),
		};
		writeFileSync(file, JSON.stringify({ mcpServers }));
		const { servers } = findServers(["cursor"], place, "holdfast");
		const { added, kept, refused, placed } = addToGateway(file, servers, backupsIn(place));
		assert.deepEqual([added, kept], [[], ["a"]]);
		assert.deepEqual(
			[placed.map(({ as }) => as), refused.map(({ name }) => name)],
			[["a"], ["b"]],
			"settings that a person added make it no other server",
		);
	});
});

void test("a gateway's file that cannot be read as JSON is named and left as it is", () => {
	withHome((place) => {
		writeFileSync(join(place.home, ".claude.json"), `{"mcpServers":{"a":{"command":"one"}}}`);
		const file = join(place.home, "metatools.json");
		writeFileSync(file, "{ oops");
		const { servers } = findServers(["claude-code"], place, "holdfast");
		assert.throws(() => addToGateway(file, servers, backupsIn(place)), /metatools\.json: line 1: not valid JSON/);
		assert.equal(readFileSync(file, "utf8"), "{ oops");
	});
});

void test("a command is shown whole, quoted where a shell would split it", () => {
	assert.equal(
		writeCommandLine({ kind: "command", command: "npx", args: ["-y", "a b", "it's", "@x/y"], env: {} }),
		`npx -y 'a b' 'it'\\''s' @x/y`,
	);

	// Behind the gateway the same has to be written with one more dollar.
	assert.equal(
		writeCommandLine({ kind: "command", command: "sh", args: ["-c", `echo $\${HOME} $$`, `\${KEY:-}`], env: {} }),
		`sh -c 'echo \${HOME} $' '\${KEY:-}'`,
	);
});

void test("the gateway's file is as it was, to the byte, once all that was imported is taken out again", () => {
	const layouts = [
		undefined,
		"{}",
		`{"mcpServers":{}}`,
		`{ "listen": 1 }\n`,
		`{\n\t// mine\n\t"mcpServers": {\n\t\t// "old": { "command": "x" }\n\t}\n}\n`,
		`{\r\n  "mcpServers": {\r\n    "own": { "command": "o" }, // yes\r\n  },\r\n}\r\n`,
	];
	for (const before of layouts)
		withHome((place) => {
			const file = join(place.home, "metatools.json");
			if (before !== undefined) writeFileSync(file, before);
			mkdirSync(join(place.home, ".cursor"));
			writeFileSync(join(place.home, ".cursor/mcp.json"), `{"mcpServers":{"a":{"command":"a"},"b":{"command":"b"}}}`);
			const { servers } = findServers(["cursor"], place, "holdfast");
			const [first, second] = servers;
			assert.ok(first !== undefined && second !== undefined);
			// One by one, both ways.
			addToGateway(file, [first], backupsIn(place));
			addToGateway(file, [second], backupsIn(place));
			takeFromGateway(file, [first], new Set(), backupsIn(place));
			assert.match(readFileSync(file, "utf8"), /"b"/);
			takeFromGateway(file, [second], new Set(), backupsIn(place));
			// A gateway that runs would keep its servers if the file were gone.
			assert.equal(readFileSync(file, "utf8"), before ?? '{\n  "mcpServers": {}\n}\n');
		});
});

void test("a record that a killed command had not put in place does not keep a server behind the gateway", () => {
	withHome((place) => {
		const servers = { a: { command: "one" } };
		writeFileSync(join(place.home, ".claude.json"), JSON.stringify({ mcpServers: servers }));
		const backups = backupsIn(place);
		const file = join(place.home, "metatools.json");
		const { placed } = addToGateway(file, findServers(["claude-code"], place, "holdfast").servers, backups);
		takeOut(backups, placed, place);
		assert.deepEqual([...listStillTaken(backups)], ["a"]);
		for (const name of readdirSync(backups)) cpSync(join(backups, name), join(backups, `${name}.4711.new`));
		giveBack(backups, CLIENTS["claude-code"], place);
		assert.deepEqual([...listStillTaken(backups)], []);
	});
});
