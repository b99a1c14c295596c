import { deepEqual, equal, ok, rejects } from "node:assert/strict";
import { describe, test } from "node:test";
import type { Store, Write } from "../../src/store/store.ts";
import { StoreProblem } from "../../src/store/storeProblem.ts";
import type { World } from "../../src/world/world.ts";

/** The code of the StoreProblem that a promise must reject with. */
export async function refused(code: string, promise: Promise<unknown>): Promise<void> {
	await rejects(promise, (error) => error instanceof StoreProblem && error.code === code);
}

/** A world whose clock a test moves. */
export function testWorld(): World & { advance(ms: number): void } {
	let now = 1_800_000_000_000;
	let ids = 0;
	return {
		now: () => now,
		advance: (ms) => {
			now += ms;
		},
		randomId: () => `id-${++ids}`,
		after: (ms, run) => {
			const timer = setTimeout(run, ms);
			return () => clearTimeout(timer);
		},
		soon: (run) => void setImmediate(run),
	};
}

const SESSION = { id: "s1", scope: "/mcp", epoch: 1, seenAt: 1_000, state: "{}" };
const CALL = { session: "s1", call: 7, contract: "convergent", request: '{"id":1}' } as const;

/** What every store must do; `open` makes an empty one. */
export function storeSuite(name: string, open: (world: World) => Promise<Store>): void {
	const world = testWorld();
	const withStore = (title: string, run: (store: Store) => Promise<void>): void => {
		test(title, async () => {
			const store = await open(world);
			try {
				await run(store);
			} finally {
				await store.close();
			}
		});
	};
	const put = (store: Store, ...writes: Write[]): Promise<void> => store.write({ writes, durability: "async" });

	describe(`${name} keeps`, () => {
		withStore("a session until it ends, with its events and calls", async (store) => {
			await put(store, { kind: "put-session", row: SESSION });
			await put(store, { kind: "touch-session", session: "s1", seenAt: 2_000 });
			await put(store, { kind: "touch-session", session: "nobody", seenAt: 2_000 });
			deepEqual(await store.session("s1"), { ...SESSION, seenAt: 2_000 });
			equal(await store.session("nobody"), undefined);
			await put(store, { kind: "add-event", row: { session: "s1", stream: 7, number: 1, text: "one" } });
			await put(store, { kind: "accept-call", row: CALL });
			await put(store, { kind: "end-session", session: "s1" });
			equal(await store.session("s1"), undefined);
			deepEqual(await store.kept("s1"), { events: [], calls: [] });
		});
		withStore("events by number, whatever the order of their text, until they are dropped", async (store) => {
			for (const number of [2, 10, 9, 1])
				await put(store, { kind: "add-event", row: { session: "s1", stream: 0, number, text: `é ${number}` } });
			await put(store, { kind: "drop-events", session: "s1", numbers: [2, 77] });
			const { events } = await store.kept("s1");
			deepEqual(events, [
				{ session: "s1", stream: 0, number: 1, text: "é 1" },
				{ session: "s1", stream: 0, number: 9, text: "é 9" },
				{ session: "s1", stream: 0, number: 10, text: "é 10" },
			]);
			const again: Write = { kind: "add-event", row: { session: "s1", stream: 0, number: 9, text: "other" } };
			await refused("OUT_OF_ORDER", put(store, again));
		});
		withStore("idle sessions no longer than asked, and only of that scope", async (store) => {
			await put(store, { kind: "put-session", row: SESSION });
			await put(store, { kind: "put-session", row: { ...SESSION, id: "s2", seenAt: 5_000 } });
			await put(store, { kind: "put-session", row: { ...SESSION, id: "s3", scope: "/other" } });
			await put(store, { kind: "end-idle-sessions", scope: "/mcp", seenBefore: 5_000 });
			const left = await Promise.all(["s1", "s2", "s3"].map(async (id) => (await store.session(id)) !== undefined));
			deepEqual(left, [false, true, true]);
		});
		withStore("a session's owner, which only one of those who believe the same can change", async (store) => {
			const claim = (owner: string, was: string | null): Write => ({
				kind: "claim-session",
				session: "s1",
				owner,
				was,
			});
			await refused("CHANGED_MEANWHILE", put(store, claim("a", null)));
			await put(store, { kind: "put-session", row: SESSION });
			await put(store, claim("a", null));
			const settled = await Promise.allSettled([put(store, claim("b", "a")), put(store, claim("c", "a"))]);
			deepEqual(
				settled.map(({ status }) => status),
				["fulfilled", "rejected"],
			);
			await refused("CHANGED_MEANWHILE", put(store, claim("d", null)));
			deepEqual(await store.session("s1"), { ...SESSION, owner: "b" });
			await put(store, { kind: "put-session", row: { ...SESSION, owner: "e" } });
			equal((await store.session("s1"))?.owner, "e");
		});
		withStore("values until they expire, and changes one only if it is what the writer thinks", async (store) => {
			const row = { space: "tasks", key: "t1", value: "working", expiresAt: world.now() + 1_000 };
			await put(store, { kind: "set-value", row, was: null });
			await refused("CHANGED_MEANWHILE", put(store, { kind: "set-value", row, was: null }));
			await put(store, { kind: "set-value", row: { ...row, value: "done" }, was: "working" });
			deepEqual(await store.values("tasks"), [{ ...row, value: "done" }]);
			await put(store, { kind: "set-value", row: { space: "tasks", key: "a", value: "" } });
			deepEqual(
				(await store.values("tasks")).map(({ key }) => key),
				["a", "t1"],
			);
			world.advance(1_000);
			equal(await store.value("tasks", "t1"), undefined);
			await put(store, { kind: "unset-value", space: "tasks", key: "a" });
			deepEqual(await store.values("tasks"), []);
		});
	});

	describe(`${name} lets a call`, () => {
		withStore("go from accepted over dispatched to answered, and never back", async (store) => {
			const { session, call } = CALL;
			await put(store, { kind: "accept-call", row: CALL });
			deepEqual((await store.kept("s1")).calls, [{ ...CALL, state: "accepted", attempts: 0 }]);
			await refused("OUT_OF_ORDER", put(store, { kind: "accept-call", row: CALL }));
			await put(store, { kind: "dispatch-call", session, call, contract: "never_replay" });
			await put(store, { kind: "dispatch-call", session, call, contract: "convergent" });
			// The weakest contract under which it was ever dispatched is what counts.
			const dispatched = { ...CALL, state: "dispatched", attempts: 2, contract: "never_replay" };
			deepEqual((await store.kept("s1")).calls, [dispatched]);
			await put(store, { kind: "answer-call", session, call });
			await refused("OUT_OF_ORDER", put(store, { kind: "answer-call", session, call }));
			await refused("OUT_OF_ORDER", put(store, { kind: "dispatch-call", session, call, contract: "convergent" }));
			await put(store, { kind: "forget-call", session, call });
			deepEqual((await store.kept("s1")).calls, []);
			await refused("OUT_OF_ORDER", put(store, { kind: "dispatch-call", session, call, contract: "convergent" }));
		});
	});

	describe(`${name} applies a batch`, () => {
		withStore("whole or not at all, and the other batches of the turn all the same", async (store) => {
			const event = (number: number): Write => ({
				kind: "add-event",
				row: { session: "s1", stream: 1, number, text: "" },
			});
			const settled = await Promise.allSettled([
				put(store, event(1), { kind: "accept-call", row: CALL }),
				put(store, event(2), { kind: "set-value", row: { space: "v", key: "k", value: "1" } }, event(1)),
				put(store, event(3)),
			]);
			deepEqual(
				settled.map(({ status }) => status),
				["fulfilled", "rejected", "fulfilled"],
			);
			const { events, calls } = await store.kept("s1");
			deepEqual([events.map(({ number }) => number), calls.length], [[1, 3], 1]);
			equal(await store.value("v", "k"), undefined);
		});
		withStore("in the order of the writes, synced or not", async (store) => {
			const done: number[] = [];
			await Promise.all(
				[1, 2, 3].map((number) =>
					store
						.write({
							writes: [{ kind: "set-value", row: { space: "v", key: "last", value: String(number) } }],
							durability: "sync",
						})
						.then(() => done.push(number)),
				),
			);
			deepEqual(done, [1, 2, 3]);
			equal((await store.value("v", "last"))?.value, "3");
		});
		withStore("so that a read right behind it sees it", async (store) => {
			const written = put(store, { kind: "put-session", row: SESSION });
			deepEqual(await store.session("s1"), SESSION);
			await written;
		});
	});

	describe(`${name} has leases`, () => {
		withStore("with one owner at a time, and a higher fence for each", async (store) => {
			const first = await store.acquire("node", "a", 1_000);
			equal(await store.acquire("node", "b", 1_000), undefined);
			ok(first !== undefined && (await store.renew(first, 2_000)));
			world.advance(1_500);
			equal(await store.acquire("node", "b", 1_000), undefined);
			world.advance(1_000);
			const second = await store.acquire("node", "b", 1_000);
			ok(second !== undefined && second.fence > first.fence);
			equal(await store.renew(first, 1_000), false);
			// What the old owner releases is not the new one's.
			await store.release(first);
			equal(await store.acquire("node", "c", 1_000), undefined);
			await store.release(second);
			const third = await store.acquire("node", "c", 1_000);
			ok(third !== undefined && third.fence > second.fence);
		});
		withStore("that guard writes by their fence and not by the clock", async (store) => {
			const old = await store.acquire("node", "a", 1_000);
			ok(old !== undefined);
			world.advance(5_000);
			const writes: Write[] = [{ kind: "put-session", row: SESSION }];
			await store.write({ writes, durability: "async", fence: old });
			const next = await store.acquire("node", "b", 1_000);
			ok(next !== undefined);
			await refused("FENCE_LOST", store.write({ writes, durability: "async", fence: old }));
			await store.write({ writes, durability: "sync", fence: { lease: "node", fence: next.fence } });
			await refused("FENCE_LOST", store.write({ writes, durability: "async", fence: { lease: "other", fence: 1 } }));
		});
	});

	describe(`${name} counts`, () => {
		withStore("together what all take, anew in every window", async (store) => {
			const allowance = { most: 10, windowMs: 1_000 };
			world.advance(1_000 - (world.now() % 1_000));
			const granted = await Promise.all([6, 6, 6].map((amount) => store.take("caller", amount, allowance)));
			deepEqual(
				granted.toSorted((a, b) => b - a),
				[6, 4, 0],
			);
			equal(await store.take("other", 6, allowance), 6);
			world.advance(1_000);
			equal(await store.take("caller", 6, allowance), 6);
		});
	});

	describe(`${name} tells`, () => {
		withStore("who watches a topic of what is written, and not of what is refused", async (store) => {
			const heard: string[] = [];
			const stop = await store.watch("changes", (message) => heard.push(message));
			await put(store, { kind: "publish", topic: "changes", message: "one" });
			await put(store, { kind: "publish", topic: "others", message: "two" });
			const fence = { lease: "nobody", fence: 1 };
			const told: Write = { kind: "publish", topic: "changes", message: "three" };
			await refused("FENCE_LOST", store.write({ writes: [told], durability: "async", fence }));
			await put(store, { kind: "publish", topic: "changes", message: "four" });
			await new Promise((resolve) => setTimeout(resolve, 100));
			deepEqual(heard, ["one", "four"]);
			await stop();
			await put(store, { kind: "publish", topic: "changes", message: "five" });
			await new Promise((resolve) => setTimeout(resolve, 100));
			equal(heard.length, 2);
		});
	});

	describe(`${name} when closed`, () => {
		test("has written what it was given, and refuses everything after", async () => {
			const store = await open(world);
			const written = put(store, { kind: "put-session", row: SESSION });
			await store.close();
			await written;
			await refused("CLOSED", put(store, { kind: "put-session", row: SESSION }));
			await refused("CLOSED", store.session("s1"));
			await store.close();
		});
	});
}
