import assert from "node:assert/strict";
import { test } from "node:test";
import { EventBudget } from "../../src/http/eventLog.ts";
import { HttpSession } from "../../src/http/httpSession.ts";
import { SessionStore } from "../../src/http/sessionStore.ts";
import { RpcServer } from "../../src/server/session/rpcServer.ts";

const server = new RpcServer({
	dispatcher: async () => ({}),
	description: { info: { name: "s", version: "1" }, capabilities: {} },
});
const budget = new EventBudget(1_000);
const sessionOf = (id: string): HttpSession => new HttpSession(server, { principal: { id, scopes: [] }, budget });
const ids = (store: SessionStore): string[] => [...store].map(({ id }) => id);

test("a caller's new sessions end that caller's own, and not another's", () => {
	const store = new SessionStore({ idleMs: 60_000, maxSessions: 3 });
	const alices = [sessionOf("alice"), sessionOf("alice")];
	for (const session of alices) store.add(session);
	const bobs = Array.from({ length: 10 }, () => sessionOf("bob"));
	for (const session of bobs) {
		assert.equal(store.add(session), true);
		store.get(session.id);
	}
	assert.deepEqual(
		ids(store),
		[...alices, ...bobs.slice(-1)].map(({ id }) => id),
	);
});

test("a caller without a session gets the place of the one unused longest", () => {
	const store = new SessionStore({ idleMs: 60_000, maxSessions: 2 });
	const [first, second, bobs] = [sessionOf("alice"), sessionOf("alice"), sessionOf("bob")];
	store.add(first);
	store.add(second);
	store.get(first.id);
	store.add(bobs);
	assert.deepEqual(ids(store), [first.id, bobs.id]);
});

test("a session that its client never used makes room before one in use, whoever has it", () => {
	const store = new SessionStore({ idleMs: 60_000, maxSessions: 3 });
	const [used, left, bobs] = [sessionOf("alice"), sessionOf("alice"), sessionOf("bob")];
	for (const session of [used, left, bobs]) store.add(session);
	store.get(used.id);
	store.get(bobs.id);
	left.lastSeen -= 11_000;
	const next = sessionOf("bob");
	store.add(next);
	assert.deepEqual(ids(store), [used.id, bobs.id, next.id]);
});

test("a session that is busy makes no room", () => {
	const store = new SessionStore({ idleMs: 60_000, maxSessions: 1 });
	const busy = sessionOf("alice");
	busy.active = 1;
	store.add(busy);
	assert.equal(store.add(sessionOf("alice")), false);
	assert.deepEqual(ids(store), [busy.id]);
});
