// A small MCP server with a taste for trouble: each call is logged before it is answered, and arguments say how to fail.
import { spawn } from "node:child_process";
import { appendFileSync, existsSync, readFileSync, writeFileSync, writeSync } from "node:fs";
import { createInterface } from "node:readline";

type Message = { id?: unknown; method?: string; params?: Record<string, unknown>; result?: unknown };
type Orders = { readonly do?: string; readonly ms?: number; readonly key?: string; readonly n?: number };

const effects = process.env.EFFECTS ?? "";
const release = process.env.RELEASE ?? "1";
const memory = new Map<string, string>();
const listening = new Set<unknown>();
const tasks = new Set<unknown>();
let level = "none";
let isOpen = false;
let lists = 0;
/** Set by a call that waits for another one to be taken for the culprit in its place. */
let ambush = false;
let victim = false;

if (process.env.MODE === "die-at-start" || existsSync(process.env.BROKEN_WHILE ?? "")) process.exit(9);

const isDeadly = process.env.MODE === "die-of-calls" || existsSync(process.env.DEADLY_IF ?? "");

const READ = { readOnlyHint: true };
const TOOLS = [
	{ name: "read", inputSchema: { type: "object" }, annotations: READ },
	{
		name: "pay",
		inputSchema: { type: "object" },
		...(mayPayTwice() && { annotations: { idempotentHint: true } }),
	},
	{
		name: "put",
		inputSchema: { type: "object" },
		_meta: { "io.libmcp/effect": { recovery: { kind: "deduplicated", key: "/key" } } },
	},
	{
		name: "bind",
		inputSchema: { type: "object" },
		...(process.env.BIND !== "undeclared" && {
			_meta: { "io.libmcp/effect": { recovery: { kind: "replay_safe" }, journal: { key: "/key" } } },
		}),
	},
	{ name: "job", inputSchema: { type: "object" } },
	{ name: "job_state", inputSchema: { type: "object" }, annotations: READ },
	...(process.env.MODE === "unreadable-effect"
		? [{ name: "refund", annotations: READ, _meta: { "io.libmcp/effect": { recovery: { kind: "never" } } } }]
		: []),
	...(release === "2" ? [{ name: "new_in_2", inputSchema: { type: "object" } }] : []),
];

createInterface({ input: process.stdin }).on("line", (line) => receive(JSON.parse(line) as Message));
process.stdin.on("end", () => {
	// A server that ends in good order completes the subscriptions it holds.
	for (const id of listening) answer(id, { resultType: "complete" });
	process.exit(0);
});

function send(message: object): void {
	process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
}

function receive({ id, method, params = {}, result }: Message): void {
	if (method === undefined) {
		send({ method: "notifications/message", params: { level: "info", data: { answered: result } } });
		return;
	}
	if (method === "notifications/initialized" && process.env.MODE === "ask-at-start") {
		send({ id: 0, method: "roots/list" });
		if (process.env.GIVES_UP !== undefined) send({ method: "notifications/cancelled", params: { requestId: 0 } });
	}
	if (method === "notifications/initialized" && process.env.LATE_TOOL_AFTER !== undefined)
		whenGone(process.env.LATE_TOOL_AFTER, () => {
			TOOLS.push({ name: "late", inputSchema: { type: "object" } });
			send({ method: "notifications/tools/list_changed" });
			appendFileSync(effects, "late \n");
		});
	if (id === undefined) return;
	if (process.env.STRICT !== undefined && !isOpen && method !== "initialize" && method !== "ping") {
		send({ id, error: { code: -32600, message: "expected a handshake first" } });
		return;
	}
	switch (method) {
		case "initialize":
			isOpen = true;
			if (process.env.MODE === "bad-version") {
				answer(id, session("1999-01-01"));
				return;
			}
			if (process.env.MODE === "no-handshake") return;
			whenGone(process.env.HANDSHAKE_HELD_WHILE, () => answer(id, session(String(params.protocolVersion))));
			return;
		case "server/discover":
			answer(id, { capabilities: { tools: {} }, serverInfo: { name: "fixture", version: release } });
			return;
		case "subscriptions/listen":
			whenGone(process.env.OPENING_HELD_WHILE, () => {
				send({
					method: "notifications/subscriptions/acknowledged",
					params: { notifications: {}, _meta: { "io.modelcontextprotocol/subscriptionId": id } },
				});
				if (process.env.OPENING_HELD_WHILE !== undefined) appendFileSync(effects, `opened  ${process.pid}\n`);
			});
			listening.add(id);
			return;
		case "logging/setLevel":
			level = String(params.level);
			answer(id, {});
			return;
		case "resources/subscribe":
			if (params.uri === process.env.LACKING) {
				refuse(id);
				return;
			}
			memory.set(`subscribed ${String(params.uri)}`, "yes");
			answer(id, {});
			return;
		case "resources/unsubscribe":
			memory.delete(`subscribed ${String(params.uri)}`);
			answer(id, {});
			return;
		case "tools/list":
			if (refusesList(params.cursor)) {
				send({ id, error: { code: -32603, message: "cannot reach the database" } });
				return;
			}
			whenGone(process.env.LISTS_HELD_WHILE, () =>
				answer(id, params.cursor === "2" ? { tools: TOOLS.slice(2) } : { tools: TOOLS.slice(0, 2), nextCursor: "2" }),
			);
			return;
		case "tasks/get":
			if (tasks.has(params.taskId)) answer(id, { taskId: params.taskId, status: "working" });
			else send({ id, error: { code: -32602, message: "no such task" } });
			return;
		case "tools/call":
			if (params.task !== undefined) {
				const taskId = `task of ${process.pid}`;
				tasks.add(taskId);
				answer(id, { task: { taskId, status: "working" } });
				return;
			}
			call(id, String(params.name), (params.arguments ?? {}) as Orders, params);
			return;
		case "ping":
			if (process.env.MODE === "deaf") return;
			if (victim) setTimeout(die, 50);
			refuse(id);
			return;
		case "plain":
			call(id, "plain", params as Orders, params);
			return;
		default:
			refuse(id);
	}
}

function mayPayTwice(): boolean {
	switch (process.env.PAY) {
		case "idempotent":
			return true;
		case "idempotent-at-first":
			return !existsSync(effects);
		default:
			return false;
	}
}

function refusesList(cursor: unknown): boolean {
	lists++;
	switch (process.env.MODE) {
		case "no-tools":
			return true;
		case "no-second-page":
			return cursor === "2";
		case "no-tools-at-first":
			return lists === 1;
		default:
			return false;
	}
}

function session(protocolVersion: string): object {
	return {
		protocolVersion,
		capabilities: { tools: {}, logging: {}, resources: { subscribe: true }, experimental: { exact: { n: 1.5 } } },
		serverInfo: { name: "fixture", version: release },
	};
}

function answer(id: unknown, result: unknown): void {
	send({ id, result });
}

function refuse(id: unknown): void {
	send({ id, error: { code: -32601, message: "no such method" } });
}

function text(id: unknown, value: unknown): void {
	answer(id, { content: [{ type: "text", text: String(value) }] });
}

function call(id: unknown, tool: string, orders: Orders, params: Record<string, unknown>): void {
	if (effects !== "" && tool !== "job_state") appendFileSync(effects, `${tool} ${orders.key ?? ""} ${process.pid}\n`);
	if (isDeadly) die();
	victim ||= ambush;
	if (tool === "bind" && existsSync(process.env.UNBOUND_WHILE ?? "")) {
		answer(id, { content: [{ type: "text", text: "no such project" }], isError: true });
		return;
	}
	if (tool === "bind") memory.set(String(orders.key), String(orders.n));
	switch (orders.do) {
		case "die":
			if (orders.ms !== undefined) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, orders.ms);
			die();
			return;
		case "ambush":
			// Strikes when a later call was read, in the second process; in the third by itself.
			ambush = attempts(orders.key) === 2;
			if (attempts(orders.key) > 2) setTimeout(die, 50);
			return;
		case "exit":
			process.exit(0);
			break;
		case "last":
			text(id, "the last word");
			process.stdout.write("", () => process.exit(0));
			return;
		case "leave":
			// Holds the output open, and does not end when it is told to.
			spawn("sh", ["-c", "trap '' TERM; sleep 60"], { stdio: ["ignore", "inherit", "ignore"] }).unref();
			die();
			return;
		case "hang":
			return;
		case "freeze":
			for (;;) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 60_000);
		case "half":
			// At once, or the answer to another request would end the line.
			writeSync(1, '{"jsonrpc":"2.0","id":');
			die();
			return;
		case "spew":
			for (let n = 0; n < (orders.n ?? 1); n++) process.stdout.write(`garbage ${n} {{{\n`);
			text(id, "spewed");
			return;
		case "big":
			text(id, "x".repeat(orders.n ?? 0));
			return;
		case "memory":
			text(id, JSON.stringify([...memory, ["level", level]]));
			return;
		case "ask":
			send({ id: 1, method: "roots/list" });
			break;
		case "release":
			text(id, release);
			return;
		case "oom":
			process.stderr.write("FATAL ERROR: Reached heap limit Allocation failed - JavaScript heap out of memory\n");
			process.abort();
			break;
		case "progress":
			progress(id, orders, params);
			return;
		case "complain":
			answer(id, { content: [], isError: true });
			return;
		case "question":
			answer(id, { resultType: "input_required", inputRequests: {} });
			return;
		case "structure":
			// A number that JavaScript would write in another way.
			process.stdout.write(
				`{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":{"structuredContent":{"content":[],"n":1.0},"content":[{"type":"text","text":"structured"}]}}\n`,
			);
			return;
		case "fail":
			send({ id, error: { code: -32050, message: "refused by the server" } });
			return;
	}
	if (tool === "job_state") {
		if (process.env.JOB_STATE === "deadly") die();
		text(id, process.env.JOB_STATE ?? "unknown");
		return;
	}
	if (tool === "job") writeFileSync(`${effects}.job`, "");
	setTimeout(() => whenGone(process.env.HELD_WHILE, () => text(id, process.pid)), orders.ms ?? 0);
}

/** A test holds back the answers for as long as a file exists. */
function whenGone(file: string | undefined, then: () => void): void {
	if (existsSync(file ?? "")) setTimeout(whenGone, 10, file, then);
	else then();
}

function die(): void {
	process.kill(process.pid, "SIGKILL");
}

/** How often a call was begun, this time included. */
function attempts(key = ""): number {
	return readFileSync(effects, "utf8")
		.split("\n")
		.filter((line) => line.split(" ")[1] === key).length;
}

function progress(id: unknown, orders: Orders, params: Record<string, unknown>): void {
	const meta = params._meta as { progressToken?: unknown } | undefined;
	let n = 0;
	const timer = setInterval(() => {
		send({ method: "notifications/progress", params: { progressToken: meta?.progressToken, progress: ++n } });
		if (n < (orders.n ?? 5)) return;
		clearInterval(timer);
		text(id, "done");
	}, orders.ms ?? 20);
}
