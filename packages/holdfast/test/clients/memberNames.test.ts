// Every member that a client documents for a server's entry: what becomes of it is known, or it is told.
import assert from "node:assert/strict";
import { test } from "node:test";
import { CLIENTS, type ClientId, type Place } from "../../src/clients/clientTable.ts";
import { listNotTakenOver, translateEntry } from "../../src/clients/importable.ts";

const place: Place = {
	home: "/home/me",
	project: "/p",
	platform: "linux",
	appData: "",
	configHome: "/home/me/.config",
};
const URL_OF = "https://a.example/mcp";

const ENTRIES: readonly (readonly [client: ClientId, value: object, taken: object, told: readonly string[]])[] = [
	["claude-code", { type: "stdio", command: "x", timeout: 600_000, alwaysLoad: true }, {}, ["timeout", "alwaysLoad"]],
	[
		"claude-code",
		{
			type: "http",
			url: URL_OF,
			oauth: { clientId: "me", callbackPort: 80, authServerMetadataUrl: URL_OF, scopes: "a" },
		},
		{ oauth: { client_id: "me" } },
		["oauth.callbackPort", "oauth.authServerMetadataUrl", "oauth.scopes"],
	],
	[
		"cursor",
		{ url: URL_OF, auth: { CLIENT_ID: `\${env:ID}`, CLIENT_SECRET: "s", scopes: ["a"] } },
		{ oauth: { client_id: `\${ID:-}`, client_secret: "s" } },
		["auth.scopes"],
	],
	["cursor", { command: "x", autoApprove: ["a"], alwaysAllow: [], disabled: false }, {}, ["autoApprove"]],
	["cursor", { command: "x", url: URL_OF }, {}, ["url"]],
	["cursor", { url: URL_OF, env: { A: "b" }, cwd: "/x" }, {}, ["env", "cwd"]],
	[
		"vscode",
		{
			type: "stdio",
			command: "x",
			env: { A: "b", B: null },
			gallery: URL_OF,
			version: "1",
			sandboxEnabled: false,
			dev: { watch: "**" },
		},
		{ env: { A: "b" } },
		["dev"],
	],
	["vscode", { type: "http", url: URL_OF, oauth: { clientId: "me" } }, { oauth: { client_id: "me" } }, []],
	[
		"codex",
		{
			command: "x",
			startup_timeout_sec: 20,
			tool_timeout_sec: 1_800,
			required: true,
			enabled: true,
			enabled_tools: ["a"],
			disabled_tools: ["b"],
			tools: { a: { approval_mode: "approve" } },
		},
		{ include: ["a"], exclude: ["b"] },
		["startup_timeout_sec", "tool_timeout_sec", "required", "tools"],
	],
	["codex", { url: URL_OF, scopes: ["a"], oauth_resource: URL_OF }, {}, ["scopes", "oauth_resource"]],
	[
		"gemini",
		{
			command: "x",
			description: `what \${it} does`,
			trust: true,
			timeout: 1,
			includeTools: ["a"],
			excludeTools: ["b"],
		},
		{ description: `what $\${it} does`, include: ["a"], exclude: ["b"] },
		["trust", "timeout"],
	],
	[
		"gemini",
		{ httpUrl: URL_OF, authProviderType: "google_credentials", oauth: { enabled: true, scopes: ["a"] } },
		{},
		["authProviderType", "oauth.scopes"],
	],
	[
		"antigravity",
		{ $typeName: "x", serverUrl: URL_OF, disabledTools: ["a"], oauth: { clientId: "me", clientSecret: "s" } },
		{ exclude: ["a"], oauth: { client_id: "me", client_secret: "s" } },
		[],
	],
	["copilot", { type: "local", command: "x", tools: ["*"], env: {}, filterMapping: {} }, {}, []],
	[
		"copilot",
		{ type: "http", url: URL_OF, tools: ["a"], headers: {}, oauthClientId: "me", oauthPublicClient: true, timeout: 9 },
		{ include: ["a"], oauth: { client_id: "me" } },
		["oauthPublicClient", "timeout"],
	],
	[
		"opencode",
		{ type: "remote", url: URL_OF, timeout: 9, oauth: { clientId: "{env:ID}", clientSecret: "s", scope: "a" } },
		{ oauth: { client_id: `\${ID:-}`, client_secret: "s" } },
		["timeout", "oauth.scope"],
	],
	["opencode", { type: "remote", url: URL_OF, oauth: false }, {}, []],
	["windsurf", { command: "x", disabledTools: ["a"], alwaysAllow: ["b"] }, { exclude: ["a"] }, ["alwaysAllow"]],
	["zed", { source: "custom", command: "x", settings: { a: 1 }, remote: true }, {}, ["settings", "remote"]],
	["claude-desktop", { command: "x", extra: 1 }, {}, ["extra"]],
];

for (const [client, value, taken, told] of ENTRIES) {
	test(`${client}: ${JSON.stringify(value)}`, () => {
		const entry = translateEntry(CLIENTS[client], value, { place, project: undefined });
		const bare =
			entry.kind === "url"
				? { kind: "url", type: "http", url: URL_OF, headers: {} }
				: { kind: "command", command: "x", args: [], env: {} };
		assert.deepEqual(entry, { ...bare, ...taken });
		assert.deepEqual(listNotTakenOver(value, entry), told);
	});
}
