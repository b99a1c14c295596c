import assert from "node:assert/strict";
import { getEventListeners } from "node:events";
import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import {
	Client,
	InMemoryTransport,
	type JSONRPCMessage,
	StreamableHTTPClientTransport,
} from "@modelcontextprotocol/client";
import type { Session } from "libmcp";
import { until } from "../../../../e2e/until.ts";
import { isObject } from "../../src/contract/json.ts";
import { SessionLinks } from "../../src/passthrough/links/sessionLinks.ts";
import { OURSELVES, SharedLink } from "../../src/passthrough/links/sharedLink.ts";
import { UpstreamDoor } from "../../src/passthrough/links/upstreamDoor.ts";
import { type OpenTransport, openTransport } from "../../src/upstream/transport.ts";
import { answering } from "./answering.ts";
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
	timeout: 120_000,
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
	timeout: 120_000,
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
	await until(() => existsSync(file));
	await door.close();
	await assert.rejects(opening);
	const pid = Number(await readFile(file, "utf8"));
	assert.throws(() => process.kill(pid, 0), { code: "ESRCH" });
	await assert.rejects(door.legacy(OURSELVES, events), /The server is gone: its connections were closed/);
});

for (const [server, knows, era] of [
	["knows the older era only and ignores what it does not know", "legacy", "legacy"],
	["knows the newer era only and takes its time", "modern", "modern"],
] as const)
	test(`a server that ${server} is reached by clients without a session`, { timeout: 120_000 }, async () => {
		const greetings: string[] = [];
		const open: OpenTransport = async () => {
			const [near, far] = InMemoryTransport.createLinkedPair();
			far.onmessage = (message: JSONRPCMessage) => {
				if (!("method" in message) || !("id" in message)) return;
				const { id, method } = message;
				// The first is the one that it does not know, or for which it is too slow.
				if (greetings.push(method) === 1) return;
				const isKnown = (method === "initialize") === (knows === "legacy");
				const answer = isKnown ? { result: { capabilities: {} } } : { error: { code: -32601, message: "unknown" } };
				void far.send({ jsonrpc: "2.0", id, ...answer });
			};
			await far.start();
			return { transport: near };
		};
		const named = { name: "s", namespace: "s", protocol: "auto" } as const;
		const door = new UpstreamDoor({ kind: "stdio", ...named, command: "none", args: [], env: {} }, open);
		const link = await new SharedLink(door, () => {}, 50).get();
		assert.equal(link.era, era);
		await door.close();
		assert.deepEqual(greetings.slice(0, 2), ["server/discover", "initialize"]);
	});

test("instructions are masked by the entry that serves, which a rollout may have changed", async () => {
	const greeting = { capabilities: {}, instructions: "Log in with newer-private-password." };
	const { open } = answering(() => greeting);
	const named = { name: "s", namespace: "s", protocol: "auto" } as const;
	const spec = { kind: "stdio", ...named, command: "none", args: [], env: {} } as const;
	const serving = { ...spec, args: ["--password", "newer-private-password"] };
	const door = new UpstreamDoor(spec, open, { serving: () => serving });
	const events = { onRequest: async () => ({}), onNotification: () => {} };
	for (const link of [await door.legacy(OURSELVES, events), await door.modern(OURSELVES, events)])
		assert.equal(link.description.instructions, "Log in with [secret].");
	await door.close();
});

test("a session whose server cannot be reached leaves nothing behind for each attempt", async () => {
	const named = { name: "s", namespace: "s", protocol: "legacy" } as const;
	const door = new UpstreamDoor({ kind: "stdio", ...named, command: "none", args: [], env: {} }, async () => {
		throw new Error("unreachable");
	});
	const links = new SessionLinks(door, new SharedLink(door, () => {}));
	const ending = new AbortController();
	const client = OURSELVES;
	const session: Session = {
		id: "1",
		client,
		ended: ending.signal,
		notes: new Map(),
		notify: () => {},
		request: async () => ({}),
	};
	for (let n = 0; n < 3; n++) await assert.rejects(links.for(session, client), /unreachable/);
	assert.deepEqual(getEventListeners(ending.signal, "abort"), []);
});

/** A stdio server that asks for the roots as soon as its handshake is over, and lists them as its tools. */
const ASKS_AT_ONCE = `
let tools = [];
const say = (message) => console.log(JSON.stringify({ jsonrpc: "2.0", ...message }));
require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
	const { id, method, result } = JSON.parse(line);
	if (method === "initialize")
		say({ id, result: { protocolVersion: "2025-11-25", capabilities: { tools: { listChanged: true } }, serverInfo: { name: "s", version: "1" } } });
	else if (method === "notifications/initialized") say({ id: "asked", method: "roots/list" });
	else if (id === "asked") {
		tools = (result?.roots ?? []).map(({ name }) => ({ name, inputSchema: { type: "object" } }));
		say({ method: "notifications/tools/list_changed" });
	} else if (method === "tools/list") say({ id, result: { tools } });
});`;

test("what a server asks right after the handshake reaches the client, and not before the client has ended it", {
	timeout: 120_000,
}, async (t) => {
	const url = await served(
		{ kind: "stdio", protocol: "legacy", command: process.execPath, args: ["-e", ASKS_AT_ONCE] },
		openTransport,
	);
	let changes = 0;
	const client = new Client(
		{ name: "c", version: "1" },
		{ capabilities: { roots: {} }, versionNegotiation: { mode: "legacy" } },
	);
	client.setRequestHandler("roots/list", () => ({ roots: [{ uri: "file:///r", name: "mine" }] }));
	client.setNotificationHandler("notifications/tools/list_changed", () => {
		changes++;
	});
	await client.connect(new StreamableHTTPClientTransport(new URL(url)));
	t.after(() => client.close());
	await until(() => changes > 0, "the server tells that its tools have changed");
	assert.deepEqual(
		(await client.listTools()).tools.map(({ name }) => name),
		["mine"],
	);
});
