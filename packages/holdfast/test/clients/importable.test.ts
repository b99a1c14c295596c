// Entries as the clients' own documentation shows them, and what the gateway must be told to do the same.
import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { CLIENTS, type ClientId, type Place } from "../../src/clients/clientTable.ts";
import { type Surroundings, translateEntry } from "../../src/clients/importable.ts";

const project = mkdtempSync(join(tmpdir(), "holdfast-importable-"));
after(() => rmSync(project, { recursive: true, force: true }));
writeFileSync(join(project, ".env"), "FROM_FILE='pa$$word'\nBOTH=file\n");

const place: Place = { home: "/home/me", project, platform: "linux", appData: "", configHome: "/home/me/.config" };
const inProject = { place, project };
const forUser = { place, project: undefined };

const MEANT: readonly (readonly [says: string, client: ClientId, value: object, entry: object])[] = [
	[
		"an editor's folders and variables become paths and the gateway's variables",
		"vscode",
		{
			type: "stdio",
			command: `\${workspaceFolder}/bin/server`,
			args: [`\${userHome}/x`, `\${workspaceFolderBasename}`, `\${env:EDITOR}`],
			env: { KEY: `a\${env:KEY}b` },
		},
		{
			kind: "command",
			command: `${project}/bin/server`,
			args: ["/home/me/x", project.split("/").at(-1), `\${EDITOR:-}`],
			env: { KEY: `a\${KEY:-}b` },
			cwd: project,
		},
	],
	[
		"a file of variables is read, and what the entry says itself wins",
		"cursor",
		{ command: "node", args: ["./server.js"], envFile: `\${workspaceFolder}/.env`, env: { BOTH: "entry" } },
		{
			kind: "command",
			command: "node",
			args: ["./server.js"],
			env: { FROM_FILE: "pa$$$word", BOTH: "entry" },
			cwd: project,
		},
	],
	[
		"Claude Code's variables stay, the working directory aside, and what only looks like one is plain text",
		"claude-code",
		{ command: "x", args: [`\${HOME}/a`, `\${PORT:-80}`, `\${PWD}/b`, "$HOME", "$$", `\${no name}`], cwd: "sub" },
		{
			kind: "command",
			command: "x",
			args: [`\${HOME:-}/a`, `\${PORT:-80}`, `${project}/b`, "$HOME", "$$$", `$\${no name}`],
			env: {},
			cwd: join(project, "sub"),
		},
	],
	[
		"Gemini CLI's bare variables are variables",
		"gemini",
		{ command: "x", env: { KEY: "$KEY", PRICE: "5$" } },
		{ kind: "command", command: "x", args: [], env: { KEY: `\${KEY:-}`, PRICE: "5$" }, cwd: project },
	],
	[
		"Gemini CLI tries the new transport first at a url",
		"gemini",
		{ url: "https://a.example/mcp" },
		{ kind: "url", type: "http", url: "https://a.example/mcp", headers: {} },
	],
	[
		"and the old one is known by its path",
		"gemini",
		{ url: "https://a.example/sse?team=1" },
		{ kind: "url", type: "sse", url: "https://a.example/sse?team=1", headers: {} },
	],
	[
		"unless it is told, as its own command to add a server does",
		"gemini",
		{ url: "https://a.example/sse", type: "http", trust: true },
		{ kind: "url", type: "http", url: "https://a.example/sse", headers: {} },
	],
	[
		"and means the new one by httpUrl",
		"gemini",
		{ httpUrl: "https://a.example/mcp" },
		{ kind: "url", type: "http", url: "https://a.example/mcp", headers: {} },
	],
	[
		"the old transport stays the old one",
		"claude-code",
		{ type: "sse", url: "https://a.example/sse" },
		{ kind: "url", type: "sse", url: "https://a.example/sse", headers: {} },
	],
	[
		"Codex passes on variables by name, and its text is plain",
		"codex",
		{
			command: "x",
			args: [`\${A}`],
			cwd: "/srv",
			env: { B: "$$" },
			env_vars: ["TOKEN", { name: "KEY", source: "local" }],
		},
		{
			kind: "command",
			command: "x",
			args: [`$\${A}`],
			env: { B: "$$$", TOKEN: `\${TOKEN:-}`, KEY: `\${KEY:-}` },
			cwd: "/srv",
		},
	],
	[
		"Codex makes headers of variables",
		"codex",
		{
			url: "https://a.example/mcp",
			bearer_token_env_var: "TOKEN",
			http_headers: { "X-Region": "eu" },
			env_http_headers: { "X-Team": "TEAM" },
		},
		{
			kind: "url",
			type: "http",
			url: "https://a.example/mcp",
			headers: { "X-Region": "eu", "X-Team": `\${TEAM:-}`, Authorization: `Bearer \${TOKEN:-}` },
		},
	],
	[
		"opencode's list is a command and its arguments, and its variables are filled in",
		"opencode",
		{
			type: "local",
			command: ["npx", "-y", "{env:PACKAGE}"],
			environment: { KEY: "a{env:KEY}", B: `\${B}` },
			cwd: "sub",
		},
		{
			kind: "command",
			command: "npx",
			args: ["-y", `\${PACKAGE:-}`],
			env: { KEY: `a\${KEY:-}`, B: `$\${B}` },
			cwd: join(project, "sub"),
		},
	],
	[
		"opencode tries both transports, and the old one is known by its path",
		"opencode",
		{ type: "remote", url: "https://a.example/sse", headers: { Authorization: "Bearer {env:TOKEN}" } },
		{ kind: "url", type: "sse", url: "https://a.example/sse", headers: { Authorization: `Bearer \${TOKEN:-}` } },
	],
	[
		"a dollar sign in front of a variable is only that",
		"claude-code",
		{ type: "http", url: "https://a.example/mcp", headers: { Cost: `$$\${AMOUNT}` } },
		{ kind: "url", type: "http", url: "https://a.example/mcp", headers: { Cost: `$$$$\${AMOUNT:-}` } },
	],
];

for (const [says, client, value, entry] of MEANT) {
	test(says, () => assert.deepEqual(translateEntry(CLIENTS[client], value, inProject), entry));
}

test("what is for every project is not tied to this one", () => {
	const entry = translateEntry(CLIENTS["claude-code"], { command: "x" }, forUser);
	assert.deepEqual(entry, { kind: "command", command: "x", args: [], env: {} });
});

const REFUSED: readonly (readonly [client: ClientId, value: unknown, at: Surroundings, reason: RegExp])[] = [
	["vscode", { command: "x", env: { K: `\${input:key}` } }, inProject, /^only VS Code can fill in \$\{input:key\}$/],
	["cursor", { command: `\${workspaceFolder}/x` }, forUser, /^\$\{workspaceFolder\} differs from project to project$/],
	["cursor", { command: "x", disabled: true }, inProject, /^it is switched off in Cursor$/],
	["codex", { command: "x", enabled: false }, inProject, /^it is switched off in Codex$/],
	["cursor", { command: "x", envFile: "none.env" }, inProject, /none\.env/],
	[
		"opencode",
		{ command: ["x"], environment: { K: "{file:~/k}" } },
		forUser,
		/^only opencode can fill in \{file:~\/k\}$/,
	],
	["opencode", { type: "local", command: [] }, forUser, /^expected a command or an address$/],
	["opencode", { type: "local", command: ["x"], enabled: false }, forUser, /^it is switched off in opencode$/],
	[
		"claude-code",
		{ type: "http", url: "https://a.example", headersHelper: "/bin/token" },
		forUser,
		/^only Claude Code can run its headersHelper$/,
	],
	["zed", { source: "extension", settings: {} }, forUser, /^only Zed can start its extension$/],
	["zed", { settings: { tokens: "1000" } }, forUser, /^only Zed can start its extension$/],
	["vscode", { command: "x", sandboxEnabled: true }, inProject, /^only VS Code can run it in its sandbox$/],
	["cursor", { args: [] }, inProject, /^expected a command or an address$/],
	["cursor", null, inProject, /^expected a command or an address$/],
];

for (const [client, value, at, reason] of REFUSED) {
	test(`${client}: ${JSON.stringify(value)} is refused: ${reason.source}`, () => {
		assert.throws(() => translateEntry(CLIENTS[client], value, at), { message: reason });
	});
}
