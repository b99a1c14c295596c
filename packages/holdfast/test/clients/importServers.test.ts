import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
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

void test("imported servers land in a file only its owner reads, and a name already taken is kept", () => {
	withHome((place) => {
		writeFileSync(
			join(place.home, ".claude.json"),
			`{"mcpServers":{"a":{"command":"one","env":{"TOKEN":"t"}},"b":{"type":"http","url":"https://b.example/mcp","headers":{"Authorization":"Bearer x"}}}}`,
		);
		const file = join(place.home, ".config", "holdfast", "holdfast.json");
		const { servers } = findServers(["claude-code"], place, "holdfast");
		assert.deepEqual(addToGateway(file, servers), { added: ["a", "b"], kept: [] });
		assert.equal(statSync(file).mode & 0o777, 0o600);
		assert.deepEqual(JSON.parse(readFileSync(file, "utf8")), {
			mcpServers: {
				a: { command: "one", args: [], env: { TOKEN: "t" } },
				b: { type: "http", url: "https://b.example/mcp", headers: { Authorization: "Bearer x" } },
			},
		});
		assert.deepEqual(addToGateway(file, servers), { added: [], kept: ["a", "b"] });
	});
});

void test("a command is shown whole, quoted where a shell would split it", () => {
	assert.equal(
		commandLine({ kind: "command", command: "npx", args: ["-y", "a b", "it's", "@x/y"], env: {} }),
		`npx -y 'a b' 'it'\\''s' @x/y`,
	);
});
