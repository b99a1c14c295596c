import assert from "node:assert/strict";
import { getEventListeners } from "node:events";
import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import type { Session } from "libmcp";
import { isObject } from "../../src/contract/json.ts";
import { SessionLinks } from "../../src/passthrough/sessionLinks.ts";
import { OURSELVES, SharedLink } from "../../src/passthrough/sharedLink.ts";
import { UpstreamDoor } from "../../src/passthrough/upstreamDoor.ts";
import { openTransport } from "../../src/upstream/transport.ts";
import { until } from "../fixtures/gateway.ts";
import { ask2026, served } from "./conversations.ts";

/** A stdio server that greets only the first of its processes, as one with a lock file does. */
const ONE_AT_A_TIME = `
const isFirst = (() => { try { require("node:fs").mkdirSync(process.argv[1]); return true; } catch { return false; } })();
const RESULTS = {
	initialize: { protocolVersion: "2025-11-25", capabilities: { tools: {} }, serverInfo: { name: "s", version: "1" } },
	"tools/list": { tools: [{ name: "echo", inputSchema: { type: "object" } }] },
	"tools/call": { content: [{ type: "text", text: "ok" }] },
};
require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
	const { id, method } = JSON.parse(line);
	if (id === undefined) return;
	const answer = isFirst ? { result: RESULTS[method] ?? {} } : { error: { code: -32000, message: "already running" } };
	console.log(JSON.stringify({ jsonrpc: "2.0", id, ...answer }));
});`;

test("a server that refuses its second connection fails the call that needs one, and no other", {
	timeout: 60_000,
}, async (t) => {
	const folder = await mkdtemp(join(tmpdir(), "metatools-"));
	t.after(() => rm(folder, { recursive: true }));
	const args = ["-e", ONE_AT_A_TIME, join(folder, "lock")];
	const url = await served({ kind: "stdio", protocol: "legacy", command: process.execPath, args }, openTransport);
	const call = (capabilities: object) => ask2026(url, "tools/call", { name: "echo" }, { ...capabilities });
	for (let n = 0; n < 2; n++) {
		const { error } = await call({ elicitation: { form: {} } });
		assert.match(String(isObject(error) && error.message), /already running/);
		assert.ok(isObject((await call({})).result));
	}
});

/** A stdio server that leaves its process id in a file and never answers its greeting. */
const SLOW_TO_GREET = `
require("node:fs").writeFileSync(process.argv[1] + ".new", String(process.pid));
require("node:fs").renameSync(process.argv[1] + ".new", process.argv[1]);
process.stdin.resume();`;

test("a connection that is still being opened when all are closed ends with its process, and no other is opened", {
	timeout: 60_000,
}, async (t) => {
	const folder = await mkdtemp(join(tmpdir(), "metatools-"));
	t.after(() => rm(folder, { recursive: true }));
	const file = join(folder, "pid");
	const named = { name: "s", namespace: "s", protocol: "legacy", env: {} } as const;
	const program = { command: process.execPath, args: ["-e", SLOW_TO_GREET, file] };
	const door = new UpstreamDoor({ kind: "stdio", ...named, ...program }, openTransport);
	const events = { onRequest: async () => ({}), onNotification: () => {} };
	const opening = door.legacy(OURSELVES, events);
	opening.catch(() => {});
	await until(() => existsSync(file), 30_000);
	await door.close();
	await assert.rejects(opening);
	const pid = Number(await readFile(file, "utf8"));
	assert.throws(() => process.kill(pid, 0), { code: "ESRCH" });
	await assert.rejects(door.legacy(OURSELVES, events), /The server is gone: its connections were closed/);
});

test("a session whose server cannot be reached leaves nothing behind for each attempt", async () => {
	const named = { name: "s", namespace: "s", protocol: "legacy" } as const;
	const door = new UpstreamDoor({ kind: "stdio", ...named, command: "none", args: [], env: {} }, async () => {
		throw new Error("unreachable");
	});
	const links = new SessionLinks(door, new SharedLink(door, () => {}));
	const ending = new AbortController();
	const client = OURSELVES;
	const session: Session = { id: "1", client, ended: ending.signal, notify: () => {}, request: async () => ({}) };
	for (let n = 0; n < 3; n++) await assert.rejects(links.for(session, client), /unreachable/);
	assert.deepEqual(getEventListeners(ending.signal, "abort"), []);
});
