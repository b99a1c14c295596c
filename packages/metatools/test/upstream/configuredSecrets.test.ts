import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { loadConfig } from "../../src/config/load.ts";
import { collectSecrets } from "../../src/upstream/secrets/configuredSecrets.ts";
import { openTransport } from "../../src/upstream/transport.ts";
import { testGateway } from "../fixtures/gateway.ts";

const folder = mkdtempSync(join(tmpdir(), "metatools-configured-"));
after(() => rmSync(folder, { recursive: true, force: true }));

/** The servers of a file with this entry, read in this environment. */
function serversOf(entry: object, environment: Readonly<Record<string, string>>) {
	const configFile = join(folder, "metatools.json");
	writeFileSync(configFile, JSON.stringify({ mcpServers: { secretive: entry } }));
	return loadConfig({ flags: {}, configFile, environment }).servers;
}

test("a process that ends quoting its configuration shows nobody what came from a variable", {
	timeout: 120_000,
}, async (t) => {
	const script = `console.error("cannot log in as", process.env.TOK, "or", process.argv[1]); process.exit(4);`;
	const entry = { command: process.execPath, args: ["-e", script, `\${FIRST}`], env: { TOK: `\${SECOND}` } };
	const servers = serversOf(entry, { FIRST: "positional-0123", SECOND: "supersecretvalue123" });
	const demo = await testGateway({ openTransport, config: { servers } });
	t.after(() => demo.stop());
	const reason = "its process ends before it answers (exit code 4); it said: cannot log in as [secret] or [secret]";
	const listed = await demo.data("list_namespaces");
	const refused = await demo.error("run_tool", { tool_id: "secretive:any" });
	for (const shown of [listed, refused, demo.log, demo.gateway.health()]) {
		const text = JSON.stringify(shown);
		assert.ok(text.includes(reason), text);
		assert.doesNotMatch(text, /positional-0123|supersecretvalue123/);
	}
});

test("a process that ends quoting its configuration shows nobody what is written there as a secret", {
	timeout: 120_000,
}, async (t) => {
	const script = `const { DATABASE_URL, GH, NODE_ENV, DB_HOST } = process.env;
		console.error(DATABASE_URL, GH, NODE_ENV, DB_HOST, ...process.argv.slice(1));
		process.exit(4);`;
	const env = {
		DATABASE_URL: "postgres://bob:hunter2-env@db.example/prod",
		GH: "ghp_abcdefghij0123456789",
		NODE_ENV: "production",
		DB_HOST: "localhost",
	};
	const args = [
		"postgresql://bob:hunter2-arg@db.example/prod",
		"dsn=mysql://bob:hunter2-dsn@db.example/prod",
		"GITHUB_TOKEN=hunter2-container",
	];
	const servers = serversOf({ command: process.execPath, args: ["-e", script, ...args], env }, {});
	const demo = await testGateway({ openTransport, config: { servers } });
	t.after(() => demo.stop());
	const said = [
		"postgres://bob:[secret]@db.example/prod [secret] production localhost",
		"postgresql://bob:[secret]@db.example/prod dsn=mysql://bob:[secret]@db.example/prod GITHUB_TOKEN=[secret]",
	].join(" ");
	const listed = await demo.data("list_namespaces");
	for (const shown of [listed, demo.log, demo.gateway.health()]) {
		const text = JSON.stringify(shown);
		assert.ok(text.includes(said), text);
	}
});

test("a process that ends quoting a header it was given, or a token it found, shows nobody either", {
	timeout: 120_000,
}, async (t) => {
	const script = `console.error("401 for", ...process.argv.slice(1), "then ghp_" + "a".repeat(36));
		process.exit(4);`;
	const headers = [
		["--header", "Authorization: Bearer hunter2-bearer"],
		["--header", "X-Any:hunter2-any"],
		["-H", "X-Short: hunter2-short"],
		["--header=X-Joined: hunter2-joined"],
		["X-Api-Key: hunter2-alone", "node:24-alpine"],
	];
	const servers = serversOf({ command: process.execPath, args: ["-e", script, "--", ...headers.flat()] }, {});
	const demo = await testGateway({ openTransport, config: { servers } });
	t.after(() => demo.stop());
	const said = [
		"401 for --header Authorization: [secret] --header X-Any:[secret] -H X-Short: [secret]",
		"--header=X-Joined: [secret] X-Api-Key: [secret] node:24-alpine then [secret]",
	].join(" ");
	const listed = await demo.data("list_namespaces");
	const refused = await demo.error("run_tool", { tool_id: "secretive:any" });
	for (const shown of [listed, refused, demo.log, demo.gateway.health()]) {
		const text = JSON.stringify(shown);
		assert.ok(text.includes(said), text);
		assert.doesNotMatch(text, /hunter2|ghp_/);
	}
});

test("of the variables of an entry only what may be a secret is masked", () => {
	const environment = {
		ANY: "abcdefgh",
		SHORT_KEY: "abcdef",
		MODE: "strict",
		DATA: "/srv/data/of/mine",
		NEAR: "./data/of/mine",
		SITE: "https://site.example/mcp?page=12345678",
		DATABASE: "postgres://me:pass%2Fword@db.example/main?sslkey=0123456789",
		USER: "alexandra",
	};
	const args = Object.keys(environment).map((name) => `\${${name}}`);
	const [spec] = serversOf({ command: "server", args: [...args, `\${UNSET:-written in the file}`] }, environment);
	assert.ok(spec !== undefined);
	assert.deepEqual(
		[...new Set(collectSecrets(spec))].filter((secret) => secret !== ""),
		["abcdefgh", "abcdef", "pass/word", "0123456789"],
	);
});
