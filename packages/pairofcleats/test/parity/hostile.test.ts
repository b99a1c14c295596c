import assert from "node:assert/strict";
import { test } from "node:test";
import { seededRandom } from "libmcp/testing";
import { ERROR_TABLE } from "../../src/index.ts";
import { serveApi } from "../http/api.ts";
import { at, listAt, serve } from "../server/serving.ts";
import { workspaceOf } from "../tools/workspace.ts";

const HOSTILE: readonly unknown[] = [
	null,
	true,
	0,
	-1,
	1e308,
	0.5,
	"",
	" ",
	"\u0000",
	"../../etc/passwd",
	"/(/",
	"/(a+)+$/",
	"--help",
	"x".repeat(30_000),
	"\ud800",
	"__proto__",
	[],
	[[]],
	["x", 7],
	{},
	{ $ref: "#" },
	{ constructor: { prototype: 1 } },
	'{"a":',
	"AND OR (",
	'"unclosed',
];
const COUNT = 500;
/** These tools use the network or remove the index, so only their refusals are tested here. */
const ONLY_REFUSED = new Set([
	"bootstrap",
	"build_index",
	"build_sqlite_index",
	"index_build",
	"cache_gc",
	"clean_artifacts",
]);

test("500 requests mutated from the schemas get a correct result or a refusal, never INTERNAL, never silence", async (t) => {
	const space = await workspaceOf(t);
	const { client } = await serve(t, space);
	const api = await serveApi(t, space);
	const random = seededRandom(20_260_728);
	const pick = <Item>(items: readonly Item[]): Item => {
		const item = items[Math.floor(random() * items.length)];
		if (item === undefined) throw new Error("nothing to pick from");
		return item;
	};
	const tools = listAt(await client.request("tools/list"), "/result/tools");
	const codes = new Map<string, number>();
	for (let round = 0; round < COUNT; round++) {
		const tool = pick(tools);
		const name = String(at(tool, "/name"));
		const args = mutated(tool, random, pick);
		if (ONLY_REFUSED.has(name) || name.startsWith("download_")) args.hostile = pick(HOSTILE);
		const answer = await client.call(name, args);
		const said = JSON.stringify([name, args]).slice(0, 300);
		const code = String(at(answer.error, "/data/code") ?? at(answer.result, "/structuredContent/error/code") ?? "ok");
		if (answer.error !== undefined) assert.equal(answer.error.code, -32602, said);
		assert.ok(
			code === "ok" || (code in ERROR_TABLE && code !== "INTERNAL" && code !== "TOOL_TIMEOUT"),
			`${code}: ${said}`,
		);
		codes.set(code, (codes.get(code) ?? 0) + 1);
		if (name !== "search") continue;
		const { status, body, text } = await api.post("/search", args);
		assert.ok(status === 200 || (status >= 400 && status < 500), `${status}: ${said} ${text.slice(0, 200)}`);
		assert.equal(at(body, "/error/code") ?? "ok", code, said);
	}
	assert.deepEqual(client.violations, []);
	assert.ok((codes.get("INVALID_REQUEST") ?? 0) > 100 && (codes.get("ok") ?? 0) > 10, JSON.stringify([...codes]));
	assert.equal(at(await client.call("index_status"), "/result/isError"), false);
});

type Pick = <Item>(items: readonly Item[]) => Item;

/** Arguments that look valid, with up to three hostile ones: mostly of the right type, some of any type. */
function mutated(tool: unknown, random: () => number, pick: Pick): Record<string, unknown> {
	const properties = Object.entries(Object(at(tool, "/inputSchema/properties")));
	const args: Record<string, unknown> = {};
	for (const name of Object.values(Object(at(tool, "/inputSchema/required")))) args[String(name)] = "session";
	const hostile = Math.floor(random() * 4);
	for (let count = 0; count < hostile; count++) {
		const [own, schema] = pick(properties);
		const name = random() < 0.1 ? pick(["__proto__", "constructor", "nothing", "query "]) : own;
		const value = random() < 0.25 ? pick(HOSTILE) : ofType(schema, pick);
		Object.defineProperty(args, name, { value, enumerable: true, configurable: true, writable: true });
	}
	return args;
}

function ofType(schema: unknown, pick: Pick): unknown {
	const choices = at(schema, "/enum");
	if (Array.isArray(choices)) return pick(choices);
	const type = at(schema, "/type");
	const texts = HOSTILE.filter((value) => typeof value === "string");
	switch (Array.isArray(type) ? pick(type) : type) {
		case "string":
			return pick(texts);
		case "integer":
		case "number":
			return pick([0, 1, 7, 1_000_000, Number.MAX_SAFE_INTEGER]);
		case "boolean":
			return pick([true, false]);
		case "array":
			return [pick(texts), pick(texts)];
		default:
			return { key: pick(texts) };
	}
}
