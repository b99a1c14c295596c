import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import type { Place } from "../../src/clients/clientTable.ts";
import { addToGateway, commandLine, findServers } from "../../src/clients/importServers.ts";

function withHome(body: (place: Place) => void): void {
	const home = mkdtempSync(join(tmpdir(), "holdfast-import-"));
	try {
		body({ home, project: home, platform: "linux", appData: home, configHome: join(home, ".config") });
	} finally {
		rmSync(home, { recursive: true, force: true });
	}
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

void test("what a client says of which tools to show is told, for the gateway shows them all", () => {
	withHome((place) => {
		mkdirSync(join(place.home, ".codex"));
		writeFileSync(
			join(place.home, ".codex/config.toml"),
			`[mcp_servers.a]\ncommand = "one"\ndisabled_tools = ["drop"]\n[mcp_servers.b]\ncommand = "two"\nenabled_tools = []\n`,
		);
		const { servers } = findServers(["codex"], place, "holdfast");
		assert.deepEqual(
			servers.map(({ name, toolFilters }) => [name, toolFilters]),
			[
				["a", ["disabled_tools"]],
				["b", []],
			],
		);
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
		assert.deepEqual(addToGateway(file, servers), { added: ["a", "b"], kept: [], placed: servers });
		assert.equal(statSync(file).mode & 0o777, 0o600);
		assert.deepEqual(JSON.parse(readFileSync(file, "utf8")), {
			mcpServers: {
				a: { command: "one", args: [], env: { TOKEN: "t" } },
				b: { type: "http", url: "https://b.example/mcp", headers: { Authorization: "Bearer x" } },
			},
		});
		assert.deepEqual(Object.keys(JSON.parse(readFileSync(file, "utf8")).mcpServers), ["a", "b"]);
		assert.deepEqual(addToGateway(file, servers), { added: [], kept: ["a", "b"], placed: servers });
	});
});

void test("one name for different servers becomes two, and one that was there is neither replaced nor counted as taken over", () => {
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
		const { added, kept, placed } = addToGateway(file, servers);
		assert.deepEqual(added, ["files", "toString", "files-claude-code", "files-cursor"]);
		assert.deepEqual(kept, ["old"]);
		assert.ok(!placed.some(({ name }) => name === "old"));
		const { mcpServers } = JSON.parse(readFileSync(file, "utf8"));
		assert.equal(mcpServers.old.command, "mine");
		assert.equal(mcpServers["files-cursor"].command, "two");
		assert.deepEqual(mcpServers["files-claude-code"], { command: "one", args: ["local"], cwd: place.home });
	});
});

void test("a gateway's file that cannot be read as JSON is named and left as it is", () => {
	withHome((place) => {
		writeFileSync(join(place.home, ".claude.json"), `{"mcpServers":{"a":{"command":"one"}}}`);
		const file = join(place.home, "metatools.json");
		writeFileSync(file, "{ oops");
		const { servers } = findServers(["claude-code"], place, "holdfast");
		assert.throws(() => addToGateway(file, servers), /metatools\.json: line 1: no JSON/);
		assert.equal(readFileSync(file, "utf8"), "{ oops");
	});
});

void test("a command is shown whole, quoted where a shell would split it", () => {
	assert.equal(
		commandLine({ kind: "command", command: "npx", args: ["-y", "a b", "it's", "@x/y"], env: {} }),
		`npx -y 'a b' 'it'\\''s' @x/y`,
	);
});
