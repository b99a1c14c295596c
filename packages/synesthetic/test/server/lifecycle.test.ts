import assert from "node:assert/strict";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { verifies } from "../../../../e2e/verifies.ts";
import { Assets } from "../../src/assets.ts";
import { loadCatalog } from "../../src/catalog/catalog.ts";
import type { JsonObject } from "../../src/json/jsonValue.ts";
import { TOOLS } from "../../src/server/tools/tools.ts";
import { readSettings } from "../../src/settings.ts";
import { ANSWERS, CALLS, sampleFolder } from "./sample.ts";
import { StdioClient } from "./stdioClient.ts";

/** A backend that answers after a while, and counts. */
async function slowBackend(t: TestContext, delayMs: number): Promise<{ url: string; seen: () => number }> {
	let seen = 0;
	const server = createServer((request, response) => {
		seen += 1;
		request.resume().on("end", () => setTimeout(() => response.end('{"id":"slow"}'), delayMs));
	});
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	t.after(() => server.close().closeAllConnections());
	return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, seen: () => seen };
}

const POPULATE = {
	jsonrpc: "2.0",
	id: "slow",
	method: "populate_backend",
	params: { asset: {}, validate_first: false },
};
const LIST = { jsonrpc: "2.0", id: "fast", method: "list_schemas" };

for (const args of [[], ["--direct"]]) {
	const how = args.length === 0 ? "behind the host" : "in one process";

	test(`${how}, a backend's address that can never work is told when the server starts, without its secrets`, async (t) => {
		const env = { SYN_BACKEND_URL: "ftp://user:secret@files.example" };
		const client = await new StdioClient(t, { args, cwd: sampleFolder(t), env }).ready();
		assert.equal((await client.ask(LIST)).id, "fast");
		await client.end();
		const said = client.stderr.join("");
		assert.match(said, /^mcp:SYN_BACKEND_URL: expected an http or https address;/m);
		assert.doesNotMatch(said, /secret/);
	});

	verifies(
		[
			"003-3-ready-file-created",
			"003-3-ready-file-content",
			"003-3-ready-file-removed",
			"003-7-mcp-ready-file",
			"003-10-ready-log",
			"003-10-stdio-loop",
		],
		`${how}, the ready file says who serves since when, and is gone after the end of input`,
		async (t) => {
			const cwd = sampleFolder(t);
			const file = join(cwd, "made/for/it/mcp.ready");
			const client = await new StdioClient(t, { args, cwd, env: { MCP_READY_FILE: file } }).ready();
			const [pid, at, ...rest] = readFileSync(file, "utf8").split(/[ \n]/);
			assert.equal(Number(pid), client.child.pid);
			assert.equal(new Date(at ?? "").toISOString(), at);
			assert.deepEqual(rest, [""]);
			assert.deepEqual(readdirSync(join(cwd, "made/for/it")), ["mcp.ready"]);
			assert.equal((await client.ask(LIST)).id, "fast");
			assert.match(client.stderr.join(""), /^mcp:ready mode=stdio$/m);
			assert.equal(await client.end(), 0);
			assert.equal(existsSync(file), false);
			assert.equal(readSettings({}).readyFile, "/tmp/mcp.ready");
		},
	);

	verifies(
		"003-10-stdio-loop",
		`${how}, requests sent before the end of input are answered, an unfinished last line too`,
		async (t) => {
			const client = new StdioClient(t, { args, cwd: sampleFolder(t) });
			client.send(`${JSON.stringify(LIST)}\n`.repeat(50));
			client.send(JSON.stringify({ ...LIST, id: "last" }));
			assert.equal(await client.end(), 0);
			assert.equal(client.unread.length, 51);
			assert.equal(JSON.parse(client.unread[50] ?? "").id, "last");
		},
	);

	for (const signal of ["SIGINT", "SIGTERM"] as const) {
		verifies(
			["003-3-shutdown-in-flight", "003-3-ready-file-removed"],
			`${how}, ${signal} lets the request in flight finish and takes no other`,
			async (t) => {
				const { url, seen } = await slowBackend(t, 600);
				const cwd = sampleFolder(t);
				const client = await new StdioClient(t, { args, cwd, env: { SYN_BACKEND_URL: url } }).ready();
				client.send(POPULATE);
				client.send(LIST);
				await client.until(() => seen() === 1);
				client.child.kill(signal);
				client.send({ ...LIST, id: "late" });
				assert.equal(await client.exited(), 0);
				assert.deepEqual(
					client.unread.map((line) => JSON.parse(line).id),
					["slow"],
				);
				assert.equal(JSON.parse(client.unread[0] ?? "").result.asset_id, "slow");
				assert.equal(existsSync(join(cwd, "ready")), false);
			},
		);
	}

	verifies("003-3-response-order", `${how}, a slow request holds back the fast ones behind it`, async (t) => {
		const { url, seen } = await slowBackend(t, 300);
		const client = await new StdioClient(t, { args, cwd: sampleFolder(t), env: { SYN_BACKEND_URL: url } }).ready();
		client.send(POPULATE);
		for (let i = 0; i < 20; i += 1) client.send({ ...LIST, id: i });
		client.send("not json\n");
		client.send({ ...POPULATE, id: "again" });
		const ids: unknown[] = [];
		for (let i = 0; i < 23; i += 1) ids.push(JSON.parse(await client.line()).id);
		assert.deepEqual(ids, ["slow", ...Array.from({ length: 20 }, (_, i) => i), null, "again"]);
		assert.equal(seen(), 2);
	});

	verifies(
		"003-2-read-at-start-only",
		`${how}, files that change, come or go while it runs change no answer`,
		async (t) => {
			const cwd = sampleFolder(t);
			const client = await new StdioClient(t, { args, cwd }).ready();
			const answers = async (): Promise<string> =>
				JSON.stringify(
					await Promise.resolve(CALLS).then(async (calls) => {
						const all: unknown[] = [];
						for (const [method, params] of calls) all.push(await client.call(method, params));
						return all;
					}),
				);
			const before = await answers();
			const base = join(cwd, "libs/synesthetic-schemas");
			writeFileSync(join(base, "jsonschema/tone.schema.json"), '{"type":"null"}');
			writeFileSync(join(base, "jsonschema/new.schema.json"), "{}");
			rmSync(join(base, "examples"), { recursive: true });
			assert.equal(await answers(), before);
		},
	);
}

verifies(
	["003-1-deterministic-stateless", "003-1-schemas-not-mutated", "003-2-no-persistence"],
	"the same requests give the same bytes in any order and any process, and no file changes",
	async (t) => {
		const cwd = sampleFolder(t);
		const before = contentOf(cwd);
		const run = async (calls: typeof CALLS): Promise<Map<string, string>> => {
			const client = await new StdioClient(t, { cwd }).ready();
			const answers = new Map<string, string>();
			for (const [method, params] of calls) {
				client.send({ jsonrpc: "2.0", id: 1, method, params });
				answers.set(JSON.stringify([method, params]), await client.line());
			}
			assert.deepEqual(readdirSync(cwd).sort(), ["libs", "ready"]);
			assert.equal(await client.end(), 0);
			return answers;
		};
		const forward = await run([...CALLS, ...CALLS]);
		const backward = await run(CALLS.toReversed());
		for (const [call, answer] of forward) assert.equal(backward.get(call), answer);
		assert.deepEqual(contentOf(cwd), before);
	},
);

verifies("003-1-schemas-not-mutated", "no tool writes into what was read from disk", async (t) => {
	const settings = readSettings({}, sampleFolder(t));
	const read = loadCatalog(settings);
	const before = structuredClone(read);
	const assets = new Assets(settings, read);
	for (const round of ["first", "second"])
		for (const [index, [method, params]] of CALLS.entries()) {
			const answer = await TOOLS.get(method)?.run(structuredClone(params) as JsonObject, assets);
			assert.deepEqual(JSON.parse(JSON.stringify(answer)), ANSWERS[index], `${method}, ${round} time`);
			assert.deepEqual(read, before, `${method}, ${round} time`);
		}
});

verifies("003-3-ready-file-fatal", "a fatal error takes the ready file away", async (t) => {
	const cwd = sampleFolder(t);
	const fault = join(cwd, "fault.mjs");
	writeFileSync(fault, 'process.on("SIGUSR2", () => { throw new Error("fatal on purpose"); });');
	const client = await new StdioClient(t, {
		args: ["--direct"],
		cwd,
		env: { NODE_OPTIONS: `--import=${fault}` },
	}).ready();
	assert.ok(existsSync(join(cwd, "ready")));
	client.child.kill("SIGUSR2");
	assert.equal(await client.exited(), 1);
	assert.match(client.stderr.join(""), /mcp:fatal .*fatal on purpose/);
	assert.equal(existsSync(join(cwd, "ready")), false);
});

test("a ready file is moved into place, so that a link planted there is replaced and not followed", async (t) => {
	const cwd = sampleFolder(t);
	writeFileSync(join(cwd, "precious"), "kept");
	symlinkSync(join(cwd, "precious"), join(cwd, "ready"));
	const client = await new StdioClient(t, { args: ["--direct"], cwd }).ready();
	assert.equal(readFileSync(join(cwd, "precious"), "utf8"), "kept");
	assert.match(readFileSync(join(cwd, "ready"), "utf8"), /^\d+ \S+Z\n$/);
	assert.equal(await client.end(), 0);
});

test("a ready file that cannot be written is a warning, and an empty name means none", async (t) => {
	const cwd = sampleFolder(t);
	mkdirSync(join(cwd, "taken"));
	writeFileSync(join(cwd, "taken/full"), "");
	const client = await new StdioClient(t, {
		args: ["--direct"],
		cwd,
		env: { MCP_READY_FILE: join(cwd, "taken") },
	}).ready();
	assert.equal((await client.ask(LIST)).id, "fast");
	assert.match(client.stderr.join(""), /ready file not written/);
	const quiet = await new StdioClient(t, {
		args: ["--direct"],
		cwd: sampleFolder(t),
		env: { MCP_READY_FILE: "" },
	}).ready();
	assert.equal(await quiet.end(), 0);
});

function contentOf(root: string): Record<string, string> {
	const files = readdirSync(root, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
	return Object.fromEntries(
		files
			.map((entry) => join(entry.parentPath, entry.name))
			.sort()
			.map((path) => [path, readFileSync(path, "utf8")]),
	);
}
