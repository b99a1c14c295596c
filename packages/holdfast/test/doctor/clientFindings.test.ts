import assert from "node:assert/strict";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { temporaryFolder } from "../../../../e2e/temporaryFolder.ts";
import { checkClients, type TryServers } from "../../src/doctor/clientFindings.ts";
import { checkServers, reportNoServers } from "../../src/doctor/serverFindings.ts";

const MEMORY = join(import.meta.dirname, "../../../../node_modules/@modelcontextprotocol/server-memory/dist/index.js");
const tryServers: TryServers = (servers) => checkServers({ ...reportNoServers(), servers }, 60_000);

test("what a client starts of ours is told, and what has moved away since with how to mend it", async (t) => {
	const home = temporaryFolder(t);
	const place = { home, project: join(home, "p"), platform: "linux", appData: home, configHome: home } as const;
	assert.deepEqual(await checkClients(place, "holdfast", tryServers), []);

	mkdirSync(join(home, ".cursor"));
	const launcher = join(home, "holdfast.js");
	writeFileSync(launcher, "");
	const cursor = join(home, ".cursor/mcp.json");
	const node = process.execPath;
	const mcpServers = {
		holdfast: { command: node, args: [launcher, "serve"] },
		mine: { command: "/not/ours" },
		files: { command: node, args: ["/gone/holdfast.js", "host", "--name", "files", "--", "npx", "files"] },
	};
	writeFileSync(cursor, JSON.stringify({ mcpServers }));
	writeFileSync(join(home, ".claude.json"), '{"mcpServers":{"holdfast":{"command":"/gone/node","args":[]}}}');
	mkdirSync(join(home, ".gemini"));
	writeFileSync(join(home, ".gemini/settings.json"), "{");
	assert.deepEqual(
		(await checkClients(place, "holdfast", tryServers)).map((finding) => [
			finding.subject,
			finding.verdict,
			"remedy" in finding ? finding.remedy : finding.says,
		]),
		[
			["claude-code", "bad", "holdfast install claude-code"],
			["cursor", "good", `${cursor}: holdfast starts the gateway`],
			["cursor", "bad", "holdfast wrap cursor --undo, then without --undo"],
			["gemini", "warn", "correct the file: Gemini CLI cannot read it either"],
		],
	);
});

test("a broken file is told once, though it has two lists", async (t) => {
	const home = temporaryFolder(t);
	const place = { home, project: join(home, "p"), platform: "linux", appData: home, configHome: home } as const;
	// It has a list for everybody and one for each project.
	writeFileSync(join(home, ".claude.json"), "{");
	assert.deepEqual(
		(await checkClients(place, "holdfast", tryServers)).map(({ subject, verdict }) => [subject, verdict]),
		[["claude-code", "warn"]],
	);
});

test("what is behind a host is tried as its agent starts it, once, and what a folder's file names is not", async (t) => {
	const home = temporaryFolder(t);
	const project = join(home, "p");
	const place = { home, project, platform: "linux", appData: home, configHome: home } as const;
	const [cursor, gemini, own] = [".cursor/mcp.json", ".gemini/settings.json", "p/.cursor/mcp.json"].map((file) =>
		join(home, file),
	) as [string, string, string];
	for (const path of [cursor, gemini, own]) mkdirSync(dirname(path), { recursive: true });
	const wrapped = (command: string, ...args: string[]) => ({
		command: process.execPath,
		args: [join(import.meta.dirname, "../../bin/holdfast.js"), "host", "--", command, ...args],
	});
	process.env.HOLDFAST_TEST_SERVER = MEMORY;
	process.env.HOLDFAST_TEST_FOLDER = "p";
	t.after(() => delete process.env.HOLDFAST_TEST_SERVER && delete process.env.HOLDFAST_TEST_FOLDER);
	const absent = wrapped("no-such-command-at-all");
	const ran = join(home, "ran");
	const list = {
		// Its path is in a variable, and it needs one that its entry does not name.
		memory: wrapped("sh", "-c", `exec "${process.execPath}" "$HOLDFAST_TEST_SERVER"`),
		filled: { ...wrapped(process.execPath, `\${env:HOLDFAST_TEST_SERVER}`), cwd: `\${env:HOLDFAST_TEST_FOLDER}` },
		absent,
		off: { ...absent, disabled: true },
		everywhere: wrapped("run", `\${workspaceFolder}`),
		holdfast: { url: "http://127.0.0.1:9/mcp?key=s3cret" },
	};
	writeFileSync(cursor, JSON.stringify({ mcpServers: list }));
	writeFileSync(gemini, JSON.stringify({ mcpServers: { absent }, mcp: { excluded: [] } }));
	writeFileSync(own, JSON.stringify({ mcpServers: { theirs: wrapped("touch", ran) } }));
	const names: string[] = [];
	const variables: unknown[] = [];
	const found = await checkClients(place, "holdfast", (servers) => {
		names.push(...servers.map(({ name }) => name));
		variables.push(...servers.map((server) => "variables" in server && server.variables));
		return tryServers(servers);
	});
	const told = found.map(({ subject, verdict, says }) =>
		[subject, verdict, says].join(" ").replace(/ready in \d+ ms/, "ready"),
	);
	const noCommand = "has a host before it, but there is no command no-such-command-at-all";
	assert.deepEqual(told.slice(0, 5), [
		`cursor good ${cursor}: memory has a host before it; 9 tools, ready`,
		`cursor good ${cursor}: filled has a host before it; 9 tools, ready`,
		`cursor bad ${cursor}: absent ${noCommand}`,
		`cursor skipped ${cursor}: off has a host before it; not tried: it is switched off in Cursor`,
		`cursor skipped ${cursor}: everywhere has a host before it; not tried: \${workspaceFolder} differs from project to project`,
	]);
	assert.match(
		told[5] ?? "",
		/^cursor warn \S+: holdfast connects to http:\/\/127\.0\.0\.1:9\/mcp, but .*ECONNREFUSED/,
	);
	assert.deepEqual(told.slice(6), [
		`cursor skipped ${own}: theirs has a host before it; not tried: it is in a file of this folder, which may be another's`,
		`gemini bad ${gemini}: absent ${noCommand}`,
	]);
	assert.equal(existsSync(ran), false);
	assert.deepEqual(
		names,
		["memory", "filled", "absent", "holdfast"].map((name) => `${name} of cursor, user`),
	);
	// What came from variables is known as such, so that it can be masked.
	assert.deepEqual(variables[1], { HOLDFAST_TEST_SERVER: MEMORY, HOLDFAST_TEST_FOLDER: "p" });
	assert.equal(JSON.stringify(found).includes("s3cret"), false);
});
