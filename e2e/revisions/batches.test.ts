// Batches, which one revision has: taken from its clients on stdio and over HTTP, and refused from all others.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { verifies } from "../verifies.ts";
import type { Json } from "./releases.ts";
import { FEATURES, folderOfFile, HOLDFAST, METATOOLS, PAIROFCLEATS, SYNESTHETIC, serving } from "./running.ts";

const folder = folderOfFile();
const config = join(folder, "metatools.json");
const features = { command: process.execPath, args: FEATURES };
writeFileSync(config, JSON.stringify({ mcpServers: { features } }));
const state = { HOME: folder, XDG_STATE_HOME: folder, XDG_CONFIG_HOME: folder, XDG_RUNTIME_DIR: folder };
const gateway = await serving([METATOOLS, "serve", "--transport=streamable", "--port=0", "-c", config], state);

const hello = (protocolVersion: string): Json => ({
	jsonrpc: "2.0",
	id: 0,
	method: "initialize",
	params: { protocolVersion, capabilities: {}, clientInfo: { name: "raw", version: "1" } },
});
const BATCH = [
	{ jsonrpc: "2.0", id: 1, method: "ping" },
	{ jsonrpc: "2.0", method: "notifications/initialized" },
	{ jsonrpc: "2.0", id: "two", method: "tools/list" },
];

const SERVERS: Readonly<Record<string, readonly string[]>> = {
	"libmcp's server": FEATURES,
	"the SDK's server": [...FEATURES, "--sdk"],
	"holdfast host": [HOLDFAST, "host", "--", process.execPath, ...FEATURES],
	"the gateway": [METATOOLS, "serve", "-c", config],
	pairofcleats: [PAIROFCLEATS, "mcp", "--repo", folder],
	synesthetic: [SYNESTHETIC],
	"synesthetic in one process": [SYNESTHETIC, "--direct"],
};

for (const [name, args] of Object.entries(SERVERS))
	verifies("revisions-batches", `${name} takes a batch on stdio from a client of 2025-03-26 only`, async () => {
		for (const revision of ["2025-03-26", "2025-06-18"]) {
			const child = spawn(process.execPath, args, {
				stdio: ["pipe", "pipe", "ignore"],
				env: { ...process.env, ...state },
			});
			const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
			const read = async (): Promise<unknown> => JSON.parse((await lines.next()).value ?? "null");
			const say = (message: unknown): void => void child.stdin.write(`${JSON.stringify(message)}\n`);
			say(hello(revision));
			assert.equal(((await read()) as { result: Json }).result.protocolVersion, revision);
			say(BATCH);
			const first = await read();
			if (revision === "2025-03-26") {
				// Some answer each message by itself.
				const answers = (Array.isArray(first) ? first : [first, await read()]) as Json[];
				assert.deepEqual(answers.map(({ id }) => id).toSorted(), [1, "two"]);
				const list = answers.find(({ id }) => id === "two")?.result as { tools: unknown[] };
				assert.ok(list.tools.length > 0);
			} else assert.equal((first as { error: Json }).error.code, -32600);
			const ended = new Promise((resolve) => child.once("exit", resolve));
			child.stdin.end();
			await ended;
		}
	});

for (const path of ["", "/features"])
	verifies("revisions-batches", `/mcp${path} takes a batch over HTTP from a client of 2025-03-26 only`, async () => {
		for (const revision of ["2025-03-26", "2025-06-18"]) {
			const headers: Record<string, string> = {
				"content-type": "application/json",
				accept: "application/json, text/event-stream",
			};
			const post = (body: unknown): Promise<Response> =>
				fetch(`${gateway}${path}`, { method: "POST", headers, body: JSON.stringify(body) });
			const opened = await post(hello(revision));
			headers["mcp-session-id"] = opened.headers.get("mcp-session-id") ?? "";
			assert.match(await opened.text(), new RegExp(`"protocolVersion":"${revision}"`));
			const response = await post(BATCH);
			assert.equal(response.status, revision === "2025-03-26" ? 200 : 400);
			const answers = (await response.json()) as Json[];
			if (revision === "2025-03-26") assert.deepEqual(answers.map(({ id }) => id).toSorted(), [1, "two"]);
			else continue;
			assert.equal((await post([BATCH[1]])).status, 202, "of notifications alone nothing is answered");
			const inside = (await (await post([hello(revision), [BATCH[0]]])).json()) as { error: Json }[];
			assert.deepEqual(
				inside.map(({ error }) => error.code),
				[-32600, -32600],
				"no handshake and no batch in a batch",
			);
			const many = Array.from({ length: 101 }, (_, id) => ({ jsonrpc: "2.0", id, method: "ping" }));
			assert.match(await (await post(many)).text(), /batch: expected 1 to 100 messages, got 101/);
			assert.match(await (await post([])).text(), /got 0/);
		}
	});
