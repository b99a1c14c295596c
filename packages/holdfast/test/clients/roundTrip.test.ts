import assert from "node:assert/strict";
import {
	chmodSync,
	existsSync,
	lstatSync,
	mkdirSync,
	mkdtempSync,
	readdirSync,
	readFileSync,
	renameSync,
	rmSync,
	statSync,
	symlinkSync,
	writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, test } from "node:test";
import { CLIENT_IDS, CLIENTS, type ClientId, type Place, type Scope } from "../../src/clients/clientTable.ts";
import { applyChange, findClientFile, planInstall, uninstall } from "../../src/clients/installEntry.ts";
import type { ServerEntry } from "../../src/clients/serverEntry.ts";
import { serversIn } from "./serversIn.ts";

const ENTRY: ServerEntry = { kind: "command", command: "/usr/bin/holdfast", args: ["serve"], env: {} };

/** Files as people have them: other settings, comments, odd indentation, no final newline. */
const FOUND: Readonly<Record<ClientId, string>> = {
	"claude-desktop": `{\n  "globalShortcut": "",\n  "mcpServers": {\n    "memory": { "command": "npx", "args": ["-y", "@modelcontextprotocol/server-memory"] }\n  }\n}`,
	"claude-code": `{\n\t"numStartups": 42,\n\t"projects": { "/home/me/x": { "allowedTools": [] } },\n\t"mcpServers": {\n\t\t"remote": { "type": "http", "url": "https://mcp.example/mcp", "headers": { "X-Key": "k" } }\n\t}\n}\n`,
	cursor: `{"mcpServers":{"git":{"command":"uvx","args":["mcp-server-git"],"env":{"GIT_TOKEN":"t0k3n"}}}}`,
	vscode: `{\n  // servers of this machine\n  "servers": {\n    "github": { "type": "http", "url": "https://api.example/mcp" }, // remote\n  },\n  "inputs": [],\n}\n`,
	codex: `# my settings\nmodel = "o9"\n\n[mcp_servers.docs] # keep me\ncommand = "docs-server"\nargs = ["--fast"]\n\n[mcp_servers.docs.env]\nDOCS_KEY = "secret"\n\n[profiles.work]\nmodel = "o9-mini"\n`,
	gemini: `{\r\n    "theme": "Default",\r\n    "mcpServers": {\r\n        "web": { "httpUrl": "http://localhost:3000/mcp" }\r\n    }\r\n}\r\n`,
	antigravity: `{\n  "mcpServers": {\n    "docs": {\n      "serverUrl": "https://docs.example/mcp",\n      "disabledTools": ["drop"]\n    }\n  }\n}\n`,
	copilot: `{\n  "mcpServers": {\n    "git": {\n      "tools": [\n        "*"\n      ],\n      "type": "stdio",\n      "command": "uvx",\n      "args": [\n        "mcp-server-git"\n      ]\n    }\n  }\n}`,
	opencode: `{\n  "$schema": "https://opencode.ai/config.json",\n  "mcp": {\n    // of the team\n    "docs": {\n      "type": "local",\n      "command": ["npx", "-y", "docs-server"],\n      "environment": { "KEY": "{env:DOCS_KEY}" },\n    },\n  },\n}\n`,
	windsurf: `{\n  "mcpServers": {}\n}\n`,
	zed: `// Zed settings\n//\n// to see all of them, run \`zed: open default settings\`\n{\n  "ui_font_size": 16,\n  "context_servers": {\n    "docs": { "source": "custom", "command": "docs-server", "args": [], "env": {} },\n  },\n}\n`,
};

let home: string;
let place: Place;

beforeEach(() => {
	home = mkdtempSync(join(tmpdir(), "holdfast-clients-"));
	place = {
		home,
		project: join(home, "project"),
		platform: "linux",
		appData: join(home, "AppData"),
		configHome: join(home, ".config"),
	};
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

function lay(id: ClientId, scope: Scope, text: string): string {
	const path = findClientFile(CLIENTS[id], place, scope);
	mkdirSync(dirname(path), { recursive: true });
	writeFileSync(path, text);
	return path;
}

function install(id: ClientId, scope: Scope = "user"): "written" | "unchanged" {
	return applyChange(planInstall(CLIENTS[id], place, scope, "holdfast", ENTRY), join(home, "backups"));
}

describe("every client", () => {
	for (const id of CLIENT_IDS) {
		const client = CLIENTS[id];
		test(`${client.title}: an install is read back, keeps the other servers, and uninstall restores every byte`, () => {
			const path = lay(id, "user", FOUND[id]);
			const others = [...serversIn(client, path, FOUND[id])];
			assert.equal(install(id), "written");
			const text = readFileSync(path, "utf8");
			assert.deepEqual(serversIn(client, path, text).get("holdfast"), ENTRY);
			assert.deepEqual(
				[...serversIn(client, path, text)].filter(([name]) => name !== "holdfast"),
				others,
			);
			for (const comment of FOUND[id].match(/(?:\/\/|#).*/g) ?? [])
				assert.ok(text.includes(comment), `lost ${comment}`);
			assert.equal(install(id), "unchanged");
			assert.equal(uninstall(client, place, "user", "holdfast", join(home, "backups")), "restored");
			assert.equal(readFileSync(path, "utf8"), FOUND[id]);
		});

		test(`${client.title}: without a file one is made, and uninstall takes it away again`, () => {
			const path = findClientFile(client, place, "user");
			assert.equal(install(id), "written");
			assert.deepEqual([...serversIn(client, path, readFileSync(path, "utf8")).keys()], ["holdfast"]);
			assert.equal(uninstall(client, place, "user", "holdfast", join(home, "backups")), "deleted");
			assert.equal(existsSync(path), false);
		});

		test(`${client.title}: a file edited after the install loses our entry and nothing else`, () => {
			const path = lay(id, "user", FOUND[id]);
			install(id);
			const edited =
				id === "codex" ? `${readFileSync(path, "utf8")}\n[later]\nadded = true\n` : `${readFileSync(path, "utf8")}\n\n`;
			writeFileSync(path, edited);
			assert.equal(uninstall(client, place, "user", "holdfast", join(home, "backups")), "removed");
			const text = readFileSync(path, "utf8");
			assert.deepEqual([...serversIn(client, path, text)], [...serversIn(client, path, FOUND[id])]);
			if (id === "codex") assert.match(text, /\[later\]\nadded = true\n/);
			else if (id !== "windsurf") assert.equal(text, `${FOUND[id]}\n\n`);
		});
	}
});

test("opencode: an install goes beside the servers of its newer layout", () => {
	const before = `{\n  "mcp": {\n    "servers": {\n      "docs": { "type": "local", "command": ["docs"] }\n    }\n  }\n}\n`;
	const path = lay("opencode", "user", before);
	install("opencode");
	const { mcp } = JSON.parse(readFileSync(path, "utf8"));
	assert.deepEqual(Object.keys(mcp), ["servers"]);
	assert.deepEqual(Object.keys(mcp.servers).sort(), ["docs", "holdfast"]);
	assert.equal(uninstall(CLIENTS.opencode, place, "user", "holdfast", join(home, "backups")), "restored");
	assert.equal(readFileSync(path, "utf8"), before);
});

test("opencode: a server that is called servers is one, in the older layout", () => {
	lay("opencode", "user", `{ "mcp": { "servers": { "type": "local", "command": ["docs"] } } }`);
	install("opencode");
	const { mcp } = JSON.parse(readFileSync(findClientFile(CLIENTS.opencode, place, "user"), "utf8"));
	assert.deepEqual(Object.keys(mcp).sort(), ["holdfast", "servers"]);
});

test("Antigravity's older file is used where it is the one that is there", () => {
	const at = (folder: string) => join(home, ".gemini", folder, "mcp_config.json");
	assert.equal(findClientFile(CLIENTS.antigravity, place, "user"), at("config"));
	mkdirSync(dirname(at("antigravity")), { recursive: true });
	writeFileSync(at("antigravity"), "{}");
	assert.equal(findClientFile(CLIENTS.antigravity, place, "user"), at("antigravity"));
});

test("files are found where each system keeps them", () => {
	const at = (id: ClientId, platform: NodeJS.Platform) =>
		findClientFile(CLIENTS[id], { ...place, platform }, "user")
			.slice(home.length + 1)
			.replaceAll("\\", "/");
	assert.equal(at("claude-desktop", "darwin"), "Library/Application Support/Claude/claude_desktop_config.json");
	assert.equal(at("claude-desktop", "win32"), "AppData/Claude/claude_desktop_config.json");
	assert.equal(at("claude-desktop", "linux"), ".config/Claude/claude_desktop_config.json");
	assert.equal(at("vscode", "darwin"), "Library/Application Support/Code/User/mcp.json");
	assert.equal(at("codex", "linux"), ".codex/config.toml");
	assert.equal(at("zed", "linux"), ".config/zed/settings.json");
	assert.equal(at("zed", "darwin"), ".config/zed/settings.json");
	assert.equal(at("zed", "win32"), "AppData/Zed/settings.json");
	assert.equal(at("copilot", "linux"), ".copilot/mcp-config.json");
	assert.equal(at("opencode", "darwin"), ".config/opencode/opencode.json");
	assert.equal(findClientFile(CLIENTS["claude-code"], place, "project"), join(place.project, ".mcp.json"));
});

test("of the files that opencode reads, the one that is there is edited", () => {
	assert.equal(findClientFile(CLIENTS.opencode, place, "project"), join(place.project, "opencode.json"));
	const inner = join(place.project, ".opencode", "opencode.jsonc");
	mkdirSync(dirname(inner), { recursive: true });
	writeFileSync(inner, "{}");
	assert.equal(findClientFile(CLIENTS.opencode, place, "project"), inner);
	const outer = join(place.project, "opencode.jsonc");
	writeFileSync(outer, "{}");
	assert.equal(findClientFile(CLIENTS.opencode, place, "project"), outer);
});

test("opencode is given its own words for a command and an address", () => {
	const entries = (entry: ServerEntry): unknown =>
		JSON.parse(planInstall(CLIENTS.opencode, place, "user", "holdfast", entry).after);
	assert.deepEqual(entries({ ...ENTRY, env: { A: "b" } }), {
		mcp: { holdfast: { type: "local", command: ["/usr/bin/holdfast", "serve"], environment: { A: "b" } } },
	});
	const url = "http://127.0.0.1:8080/mcp";
	assert.deepEqual(entries({ kind: "url", type: "http", url, headers: {} }), {
		mcp: { holdfast: { type: "remote", url } },
	});
});

test("a scope a client does not have is refused with those it has", () => {
	assert.throws(() => findClientFile(CLIENTS.windsurf, place, "project"), {
		message: "Windsurf has no project configuration; its scopes: user",
	});
});

test("a broken file is refused with its place and stays as it was", () => {
	const path = lay("cursor", "user", `{\n  "mcpServers": {\n    oops\n`);
	assert.throws(
		() => install("cursor"),
		(error: Error) => error.message.startsWith(`${path}: line 3: `),
	);
	assert.equal(readFileSync(path, "utf8"), `{\n  "mcpServers": {\n    oops\n`);
	const toml = lay("codex", "user", `[mcp_servers\n`);
	assert.throws(
		() => install("codex"),
		(error: Error) => error.message.startsWith(`${toml}: `),
	);
});

test("a token goes where each client keeps what it sends", () => {
	const headers = { Authorization: "Bearer t" };
	const entry: ServerEntry = { kind: "url", type: "http", url: "http://127.0.0.1:8080/mcp", headers };
	assert.match(
		planInstall(CLIENTS.codex, place, "user", "holdfast", entry).after,
		/\n\[mcp_servers\.holdfast\.http_headers\]\nAuthorization = "Bearer t"\n$/,
	);
	for (const id of ["claude-code", "cursor", "vscode", "gemini", "copilot", "opencode", "windsurf"] as const)
		assert.match(
			planInstall(CLIENTS[id], place, "user", "holdfast", entry).after,
			/"headers": \{\s+"Authorization": "Bearer t"/,
		);
});

test("a client's file keeps its mode and stays the link it is", () => {
	const path = lay("cursor", "user", '{"mcpServers":{}}\n');
	const real = `${path}.real`;
	renameSync(path, real);
	symlinkSync(real, path);
	chmodSync(real, 0o640);
	install("cursor");
	assert.equal(lstatSync(path).isSymbolicLink(), true);
	assert.equal(statSync(real).mode & 0o777, 0o640);
	assert.match(readFileSync(real, "utf8"), /"holdfast"/);
	assert.deepEqual(readdirSync(dirname(real)).sort(), ["mcp.json", "mcp.json.real"]);
});

test("a link to a file that is not there yet stays a link, and the file is made, and goes again", () => {
	const path = lay("cursor", "user", "");
	const real = join(home, "dotfiles", "mcp.json");
	rmSync(path);
	symlinkSync(real, path);
	install("cursor");
	assert.equal(lstatSync(path).isSymbolicLink(), true);
	assert.match(readFileSync(real, "utf8"), /"holdfast"/);
	assert.equal(uninstall(CLIENTS.cursor, place, "user", "holdfast", join(home, "backups")), "deleted");
	assert.equal(lstatSync(path).isSymbolicLink(), true);
	assert.equal(existsSync(real), false);
});

test("what others guard or wrote just now is not written over, and what is no text is not rewritten as one", () => {
	const path = lay("cursor", "user", '{"mcpServers":{}}\n');
	chmodSync(path, 0o444);
	assert.throws(() => install("cursor"), { message: `${path}: it is read-only; chmod u+w it first` });
	assert.deepEqual(readdirSync(join(home, "backups")), []);
	chmodSync(path, 0o644);
	const change = planInstall(CLIENTS.cursor, place, "user", "holdfast", ENTRY);
	writeFileSync(path, '{"mcpServers":{"fresh":{"command":"x"}}}\n');
	assert.throws(() => applyChange(change, join(home, "backups")), {
		message: `${path}: another program has just written it; run the command again`,
	});
	assert.match(readFileSync(path, "utf8"), /fresh/);
	const bytes = Buffer.from('{"mcpServers":{"a":{"command":"\xe9"}}}', "latin1");
	writeFileSync(path, bytes);
	assert.throws(() => install("cursor"), { message: `${path}: expected UTF-8, got other bytes; correct it first` });
	assert.deepEqual(readFileSync(path), bytes);
});

test("a server that the file names twice keeps nobody from taking Holdfast out again", () => {
	const twice = '{"mcpServers":{"git":{"command":"uvx"},"git":{"command":"npx"}}}\n';
	const path = lay("cursor", "user", twice);
	install("cursor");
	assert.equal(uninstall(CLIENTS.cursor, place, "user", "holdfast", join(home, "backups")), "restored");
	assert.equal(readFileSync(path, "utf8"), twice);
	install("cursor");
	writeFileSync(path, `${readFileSync(path, "utf8")}\n`);
	assert.equal(uninstall(CLIENTS.cursor, place, "user", "holdfast", join(home, "backups")), "removed");
	assert.equal(readFileSync(path, "utf8"), `${twice}\n`);
});

test("an entry that was written twice, with a change of others between, is taken out whole", () => {
	const path = lay("cursor", "user", '{"mcpServers":{}}\n');
	install("cursor");
	writeFileSync(path, `${readFileSync(path, "utf8")}\n`);
	const entry: ServerEntry = { kind: "url", type: "http", url: "http://127.0.0.1:8080/mcp", headers: {} };
	applyChange(planInstall(CLIENTS.cursor, place, "user", "holdfast", entry), join(home, "backups"));
	uninstall(CLIENTS.cursor, place, "user", "holdfast", join(home, "backups"));
	assert.deepEqual([...serversIn(CLIENTS.cursor, path, readFileSync(path, "utf8")).keys()], []);
});

test("what others wrote between two installs is still there after both are undone", () => {
	const path = lay("cursor", "user", '{"mcpServers":{}}\n');
	const backups = join(home, "backups");
	install("cursor");
	const theirs = { command: "uvx", args: ["mcp-server-git"] };
	const { mcpServers } = JSON.parse(readFileSync(path, "utf8"));
	writeFileSync(path, JSON.stringify({ mcpServers: { ...mcpServers, theirs } }));
	const entry: ServerEntry = { kind: "url", type: "http", url: "http://127.0.0.1:8080/mcp", headers: {} };
	applyChange(planInstall(CLIENTS.cursor, place, "user", "holdfast", entry), backups);
	uninstall(CLIENTS.cursor, place, "user", "holdfast", backups);
	assert.deepEqual(JSON.parse(readFileSync(path, "utf8")), { mcpServers: { theirs } });
});

test("an address cannot be given to a client that only starts commands", () => {
	const entry: ServerEntry = { kind: "url", type: "http", url: "http://127.0.0.1:8080/mcp", headers: {} };
	assert.throws(() => planInstall(CLIENTS["claude-desktop"], place, "user", "holdfast", entry), {
		message:
			/Claude Desktop starts servers by command; it cannot be given the address http:\/\/127\.0\.0\.1:8080\/mcp; without one it starts a gateway$/,
	});
	assert.match(
		planInstall(CLIENTS.gemini, place, "user", "holdfast", entry).after,
		/"httpUrl": "http:\/\/127\.0\.0\.1:8080\/mcp"/,
	);
	assert.match(
		planInstall(CLIENTS.codex, place, "user", "holdfast", entry).after,
		/^\[mcp_servers\.holdfast\]\nurl = "http:\/\/127\.0\.0\.1:8080\/mcp"\n$/,
	);
});

test("a byte order mark stays where it is and hinders nobody", () => {
	const text = `\ufeff{"mcpServers":{"a":{"command":"x"}}}`;
	const path = lay("cursor", "user", text);
	assert.equal(install("cursor"), "written");
	const after = readFileSync(path, "utf8");
	assert.ok(after.startsWith("\ufeff{"));
	assert.deepEqual([...serversIn(CLIENTS.cursor, path, after).keys()], ["holdfast", "a"]);
	assert.equal(uninstall(CLIENTS.cursor, place, "user", "holdfast", join(home, "backups")), "restored");
	assert.equal(readFileSync(path, "utf8"), text);
});

test("a file whose servers are no object is told with its place, and so is one that is a folder", () => {
	const path = lay("cursor", "user", `{"mcpServers":[]}`);
	assert.throws(() => install("cursor"), { message: `${path}: mcpServers: expected an object, got []` });
	writeFileSync(path, `{"mcpServers":null}`);
	assert.throws(() => install("cursor"), { message: `${path}: mcpServers: expected an object, got null` });
	rmSync(path);
	mkdirSync(path);
	assert.throws(() => install("cursor"), { message: `${path}: illegal operation on a directory (EISDIR)` });
});

test("the page for those who start names every agent", () => {
	const page = readFileSync(new URL("../../../../docs/getting-started.md", import.meta.url), "utf8");
	assert.deepEqual(
		CLIENT_IDS.filter((id) => !page.includes(`\`${id}\``)),
		[],
	);
});
