import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { isObject } from "../../src/contract/json.ts";
import type { Viewer } from "../../src/run/access.ts";
import { ResultStore } from "../../src/run/resultStore.ts";
import { createDispatcher } from "../../src/server/serving/dispatcher.ts";
import { testContext, testGateway } from "../fixtures/gateway.ts";

const MILLION = "x".repeat(1_000_000);
const ann: Viewer = { id: "ann" };
const bob: Viewer = { id: "bob" };

async function isKept(store: ResultStore, handle: string, viewer: Viewer): Promise<boolean> {
	return store.open(handle, viewer, new AbortController().signal).then(
		() => true,
		() => false,
	);
}

test("a result opens for the caller it was given to, in any session, and for nobody else", async () => {
	const store = new ResultStore();
	const handle = store.keep("hers", { ...ann, session: "one" });
	const signal = new AbortController().signal;
	assert.deepEqual(await store.open(handle, { ...ann, session: "two" }, signal), { text: "hers" });
	await assert.rejects(store.open(handle, bob, signal), /^ToolError: handle: expected one that an answer gave, got /);
});

test("whoever stores most makes room for the next result, by size and by number", async () => {
	for (const [text, count] of [
		[MILLION, 60],
		["short", 400],
	] as const) {
		const store = new ResultStore();
		const early = store.keep(text, bob);
		const many = Array.from({ length: count }, () => store.keep(text, ann));
		assert(await isKept(store, early, bob));
		assert(!(await isKept(store, many[0] ?? "", ann)));
		assert(await isKept(store, many.at(-1) ?? "", ann));
	}
});

test("sessions of one caller share fairly, and many sessions push nobody else out", async () => {
	const store = new ResultStore();
	const others = Array.from({ length: 20 }, () => store.keep("short", bob));
	const quiet = store.keep("short", { ...ann, session: "quiet" });
	for (let n = 0; n < 300; n++) store.keep("short", { ...ann, session: n % 2 === 0 ? "busy" : `s${n}` });
	assert(await isKept(store, quiet, ann), "the session that stored the most gave way");
	for (const handle of others) assert(await isKept(store, handle, bob));
});

test("a result longer than all that is kept pushes out nobody else's", async () => {
	const store = new ResultStore();
	const small = store.keep("short", bob);
	const own = store.keep(MILLION, ann);
	const huge = store.keep(MILLION.repeat(40), ann);
	assert(await isKept(store, small, bob));
	assert(await isKept(store, huge, ann));
	assert(!(await isKept(store, own, ann)));
	store.keep("next", bob);
	assert(!(await isKept(store, huge, ann)), "it goes first when the next one comes");
});

test("a busy client of a shared gateway leaves another's cut answers readable", async (t: TestContext) => {
	const { gateway, stop } = await testGateway();
	t.after(stop);
	const dispatch = createDispatcher(gateway);
	const as = async (id: string, name: string, args: object): Promise<unknown> => {
		const ended = new AbortController().signal;
		const session = {
			id,
			client: undefined,
			ended,
			notes: new Map<string, unknown>(),
			notify: () => {},
			request: async () => ({}),
		};
		return dispatch("tools/call", { name, arguments: args }, { ...testContext([]), session });
	};
	const echo = { tool_id: "demo:echo", args: { text: "long ".repeat(100) }, max_chars: 300 };
	const cut = await as("calm", "run_tool", echo);
	const [, handle] = /"handle":"(r_[\w-]+)"/.exec(JSON.stringify(isObject(cut) ? cut.structuredContent : "")) ?? [];
	for (let n = 0; n < 250; n++) await as("busy", "run_tool", echo);
	assert.match(JSON.stringify(await as("calm", "read_result", { handle })), /long long/);
});
