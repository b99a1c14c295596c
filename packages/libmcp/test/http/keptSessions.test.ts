import { deepEqual, equal, match, notEqual, ok } from "node:assert/strict";
import { after, test } from "node:test";
import { verifies } from "../../../../e2e/verifies.ts";
import type { Dispatcher, RpcContext, Session } from "../../src/server/protocol/dispatcher.ts";
import { openStore } from "../../src/store/openStore.ts";
import type { Batch, Store } from "../../src/store/store.ts";
import { StoreProblem } from "../../src/store/storeProblem.ts";
import { call, errorOf, events, INITIALIZE, openSession, post, request, type Served, serve } from "./serving.ts";

type Running = { readonly text: string; readonly context: RpcContext; answer(text: string): void };

/** A server whose calls last until the test answers them, with what each of its processes has run. */
type Life = Served & { readonly ran: string[]; readonly running: Running[]; readonly restored: Session[] };

/** One process after another with the same store; a new one takes the lease away from the one before. */
async function lives(options: { store?: Store } = {}): Promise<{ next(): Promise<Life>; store: Store }> {
	const store = options.store ?? (await openStore("memory:"));
	after(() => store.close());
	let count = 0;
	const next = async (): Promise<Life> => {
		const lease = await store.acquire("gateway", `life ${++count}`, 0);
		ok(lease !== undefined);
		const ran: string[] = [];
		const running: Running[] = [];
		const restored: Session[] = [];
		const dispatcher: Dispatcher = async (method, params, context) => {
			if (method === "logging/setLevel") {
				context.session?.notes?.set("level", (params as { level: string }).level);
				return {};
			}
			if (method !== "tools/call") return { level: context.session?.notes?.get("level") };
			const { name, arguments: given } = params as { name: string; arguments: { text: string } };
			if (name === "connecting") await new Promise(() => {});
			if (name === "echo") return { content: [{ type: "text", text: given.text }] };
			await context.dispatching?.(name === "read" ? "convergent" : "never_replay");
			ran.push(given.text);
			if (name === "ask") return { asked: await context.request("roots/list") };
			if (name === "report") context.notify("notifications/message", { level: "info", data: "under way" });
			return new Promise((resolve) => {
				const answer = (text: string): void => resolve({ content: [{ type: "text", text }] });
				running.push({ text: given.text, context, answer });
			});
		};
		const served = await serve({
			endpoint: {
				dispatcher,
				keeping: {
					store,
					scope: "/mcp",
					fence: lease,
					handlersTell: true,
					onRestored: (session) => restored.push(session),
				},
			},
		});
		return { ...served, ran, running, restored };
	};
	return { next, store };
}

/** A POST whose stream is read as it comes; resolves with its first event. */
async function begin(
	url: string,
	session: Record<string, string>,
	message: unknown,
): Promise<{ first: string; rest: Promise<string>; leave(): void }> {
	const abort = new AbortController();
	const response = await fetch(url, {
		method: "POST",
		headers: { ...session, "content-type": "application/json", accept: "application/json, text/event-stream" },
		body: JSON.stringify(message),
		signal: abort.signal,
	});
	equal(response.headers.get("content-type"), "text/event-stream");
	const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
	ok(reader !== undefined);
	let text = "";
	const firstId = (): string | undefined => /^id: (\S+)\n.*?\n\n/ms.exec(text)?.[1];
	while (firstId() === undefined) text += (await reader.read()).value ?? "";
	const rest = (async () => {
		for (;;) {
			const { value, done } = await reader.read();
			if (done) return text;
			text += value;
		}
	})();
	rest.catch(() => {});
	return { first: firstId() ?? "", rest, leave: () => abort.abort() };
}

async function resume(url: string, session: Record<string, string>, lastEventId: string): Promise<Response> {
	return fetch(url, { headers: { ...session, accept: "text/event-stream", "last-event-id": lastEventId } });
}

async function until(isSo: () => boolean): Promise<void> {
	while (!isSo()) await new Promise((resolve) => setTimeout(resolve, 5));
}

verifies("store-session-survives", "a session goes on in the next process, with what it had agreed on", async () => {
	const { next } = await lives();
	const first = await next();
	const session = await openSession(first.url);
	await post(first.url, request(2, "logging/setLevel", { level: "warning" }), session);
	const second = await next();
	const answered = await post(second.url, request(3, "tools/list"), session);
	equal(answered.body, '{"jsonrpc":"2.0","id":3,"result":{"level":"warning"}}');
	equal(second.restored.length, 1);
	deepEqual(second.restored[0]?.client?.capabilities, { roots: {} });
	// Only the first request brings it back, also if two come at once.
	const third = await next();
	await Promise.all([4, 5].map((id) => post(third.url, request(id, "tools/list"), session)));
	equal(third.restored.length, 1);
	const ended = await fetch(third.url, { method: "DELETE", headers: session });
	equal(ended.status, 204);
	const fourth = await next();
	equal((await post(fourth.url, request(6, "tools/list"), session)).status, 404);
});

verifies("store-session-own-caller", "a kept session is its own caller's, and of its own endpoint", async () => {
	const store = await openStore("memory:");
	const authenticate = async (request: { headers: { authorization?: string | undefined } }) => ({
		id: request.headers.authorization ?? "",
		scopes: [],
	});
	const open = (scope: string) => serve({ endpoint: { keeping: { store, scope } }, front: { authenticate } });
	const first = await open("/mcp");
	const session = await openSession(first.url, { authorization: "ann" });
	const [again, other] = [await open("/mcp"), await open("/other")];
	equal((await post(again.url, request(2, "ping"), { ...session, authorization: "bob" })).status, 404);
	equal((await post(other.url, request(2, "ping"), session)).status, 404);
	equal((await post(again.url, request(2, "ping"), session)).status, 200);
});

verifies(
	"store-replay-safe-call-again",
	"a call that may be repeated is, and is answered on its own stream",
	async () => {
		const { next } = await lives();
		const first = await next();
		const session = await openSession(first.url);
		const begun = await begin(first.url, session, call(2, "read", "page"));
		const second = await next();
		const resumed = resume(second.url, session, begun.first);
		await until(() => second.running.length === 1);
		second.running[0]?.answer("read again");
		const body = await (await resumed).text();
		const [stream] = begun.first.split("-");
		deepEqual(
			events(body).map(({ id, data }) => [id?.split("-")[0], data]),
			[[stream, '{"jsonrpc":"2.0","id":2,"result":{"content":[{"type":"text","text":"read again"}]}}']],
		);
		deepEqual([first.ran, second.ran], [["page"], ["page"]]);
		// Its answer is kept: the third process sends it again to whoever missed it, and runs nothing.
		const third = await next();
		equal(await (await resume(third.url, session, begun.first)).text(), body);
		deepEqual(third.ran, []);
		begun.leave();
	},
);

verifies(
	"store-undeclared-call-ambiguous",
	"a call that nobody declared is not repeated; its outcome is unknown",
	async () => {
		const { next } = await lives();
		const first = await next();
		const session = await openSession(first.url);
		const begun = await begin(first.url, session, call(2, "write", "row"));
		const second = await next();
		const answer = events(await (await resume(second.url, session, begun.first)).text()).at(-1)?.data ?? "{}";
		const { id, error } = JSON.parse(answer);
		deepEqual([id, error.code, error.data.fault.class], [2, -32603, "ambiguous_outcome"]);
		equal(
			error.message,
			"The server ended during this call; it may or may not have taken effect, so check before repeating it.",
		);
		match(error.data.fault.detail, /was begun and not answered: the gateway that ran it was ended and started again/);
		deepEqual([first.ran, second.ran], [["row"], []]);
		// The process before this one has lost the lease: what its call says now is nobody's answer.
		first.running[0]?.answer("late");
		const third = await next();
		const again = events(await (await resume(third.url, session, begun.first)).text());
		deepEqual(
			again.map(({ data }) => data),
			[answer],
		);
		begun.leave();
	},
);

test("a call that had not reached its server yet is begun by the next process", async () => {
	const { next } = await lives();
	const first = await next();
	const session = await openSession(first.url);
	const begun = await begin(first.url, session, call(2, "connecting", "row"));
	const second = await next();
	// Here it waits again, so the one after that has it too.
	const waiting = resume(second.url, session, begun.first);
	await until(() => second.restored.length === 1);
	const third = await next();
	const answer = await Promise.race([
		resume(third.url, session, begun.first).then((response) => response.headers.get("content-type")),
		waiting.then(() => "text/event-stream"),
	]);
	equal(answer, "text/event-stream");
	deepEqual([first.ran, second.ran, third.ran], [[], [], []]);
	begun.leave();
});

verifies(
	"store-first-event-in-time",
	"a call that lasts becomes a stream soon, and a short one leaves no trace",
	async () => {
		const batches: Batch[] = [];
		const plain = await openStore("memory:");
		const store: Store = Object.create(plain, {
			write: {
				value: (batch: Batch) => {
					batches.push(batch);
					return plain.write(batch);
				},
			},
			session: { value: (id: string) => plain.session(id) },
			kept: { value: (id: string) => plain.kept(id) },
			acquire: { value: plain.acquire.bind(plain) },
			close: { value: () => plain.close() },
		});
		const { next } = await lives({ store });
		const life = await next();
		const session = await openSession(life.url);
		const before = batches.length;
		const answered = await post(life.url, call(2, "echo", "short"), session);
		equal(answered.headers.get("content-type"), "application/json");
		equal(batches.length, before);
		const started = performance.now();
		const begun = await begin(life.url, session, call(3, "write", "row"));
		ok(performance.now() - started >= 90);
		const written = batches
			.slice(before)
			.flatMap(({ writes, durability }) => writes.map(({ kind }) => [kind, durability]));
		deepEqual(written, [
			["accept-call", "sync"],
			["dispatch-call", "sync"],
			["add-event", "sync"],
		]);
		life.running[0]?.answer("done");
		match(await begun.rest, /"text":"done"/);
		deepEqual(
			batches.at(-1)?.writes.map(({ kind }) => kind),
			["add-event", "answer-call"],
		);
		// An earlier revision has no event without data, so its stream begins with what there is to say.
		const opened = await post(life.url, request(1, "initialize", { ...INITIALIZE, protocolVersion: "2025-06-18" }));
		const old = { "mcp-session-id": opened.headers.get("mcp-session-id") ?? "" };
		const slow = post(life.url, call(4, "write", "old"), old);
		await until(() => life.running.length === 2);
		await new Promise((resolve) => setTimeout(resolve, 200));
		life.running[1]?.answer("late");
		equal((await slow).headers.get("content-type"), "application/json");
	},
);

test("no event comes twice or out of order for a client that resumes, whoever serves it", async () => {
	const { next } = await lives();
	const first = await next();
	const session = await openSession(first.url);
	const begun = await begin(first.url, session, call(2, "report", "row"));
	const standing = await fetch(first.url, { headers: { ...session, accept: "text/event-stream" } });
	const reader = standing.body?.pipeThrough(new TextDecoderStream()).getReader();
	for (const n of [1, 2]) first.endpoint.notify("notifications/tools/list_changed", { n });
	let text = "";
	while (!text.includes('"n":2')) text += (await reader?.read())?.value ?? "";
	const heard = [...events(text)];
	first.endpoint.notify("notifications/tools/list_changed", { n: 3 });
	// What is on its way to the store may be lost with the process; what the client has may not.
	const second = await next();
	const resumed = await resume(second.url, session, heard.at(-1)?.id ?? "");
	const next2 = resumed.body?.pipeThrough(new TextDecoderStream()).getReader();
	second.endpoint.notify("notifications/tools/list_changed", { n: 4 });
	text = "";
	while (!text.includes('"n":4')) text += (await next2?.read())?.value ?? "";
	heard.push(...events(text));
	const numbers = heard.map(({ data }) => JSON.parse(data).params.n);
	deepEqual(numbers, [...new Set(numbers)].toSorted());
	deepEqual(numbers.slice(0, 2), [1, 2]);
	const ids = heard.map(({ id }) => Number(id?.split("-")[1]));
	deepEqual(
		ids,
		ids.toSorted((a, b) => a - b),
	);
	await next2?.cancel();
	await reader?.cancel();
	begun.leave();
});

test("a question that was open is withdrawn, and asked again under an id of its own where the call runs again", async () => {
	const { next } = await lives();
	const first = await next();
	const session = await openSession(first.url);
	const begun = await begin(first.url, session, call(2, "ask", "roots"));
	await until(() => first.ran.length === 1);
	const second = await next();
	const body = await (await resume(second.url, session, begun.first)).text();
	const [asked, withdrawn, answer] = events(body).map(({ data }) => JSON.parse(data));
	equal(asked.method, "roots/list");
	deepEqual([withdrawn.method, withdrawn.params.requestId], ["notifications/cancelled", asked.id]);
	equal(answer.error.data.fault.class, "ambiguous_outcome");
	const again = await begin(second.url, session, call(3, "ask", "roots"));
	await until(() => second.ran.length === 1);
	again.leave();
	const third = await next();
	const later = await (await resume(third.url, session, again.first)).text();
	notEqual(JSON.parse(events(later)[0]?.data ?? "{}").id, asked.id);
	begun.leave();
});

test("a process that is told to stop leaves its sessions and their calls to the next one", async () => {
	const { next } = await lives();
	const first = await next();
	const session = await openSession(first.url);
	const begun = await begin(first.url, session, call(2, "read", "page"));
	const closing = first.listener.close([first.endpoint], 50);
	const said = await begun.rest;
	equal(events(said).length, 0, "it says nothing that the next process would contradict");
	await closing;
	const second = await next();
	const resumed = resume(second.url, session, begun.first);
	await until(() => second.running.length === 1);
	second.running[0]?.answer("done");
	match(await (await resumed).text(), /"text":"done"/);
});

verifies(
	"store-unavailable-is-told",
	"where a session cannot be kept, none is opened, and the reason is told",
	async () => {
		const plain = await openStore("memory:");
		let isFull: boolean = true;
		const store: Store = Object.create(plain, {
			write: {
				value: (batch: Batch) =>
					isFull ? Promise.reject(new StoreProblem("UNAVAILABLE", "the disk is full")) : plain.write(batch),
			},
			session: { value: (id: string) => plain.session(id) },
			kept: { value: (id: string) => plain.kept(id) },
		});
		const { url } = await serve({ endpoint: { keeping: { store, scope: "/mcp" } } });
		const refused = await post(url, request(1, "initialize", INITIALIZE));
		deepEqual([refused.status, errorOf(refused).data.code], [503, "STORE_UNAVAILABLE"]);
		equal(refused.headers.get("retry-after"), "5");
		isFull = false;
		const session = await openSession(url);
		isFull = true;
		// A short call needs no store; one that lasts is answered without a promise once the store is back.
		equal((await post(url, call(2, "echo", "short"), session)).status, 200);
		const held = post(url, call(3, "hold", "streaming"), session);
		await new Promise((resolve) => setTimeout(resolve, 200));
		isFull = false;
		const resumedAt = await Promise.race([held, new Promise((resolve) => setTimeout(() => resolve("waits"), 50))]);
		equal(resumedAt, "waits");
	},
);

verifies("store-holds-no-secret", "what is kept shows neither the session's id nor what was said", async () => {
	const plain = await openStore("memory:");
	const rows: string[] = [];
	const store: Store = Object.create(plain, {
		write: {
			value: (batch: Batch) => {
				rows.push(JSON.stringify(batch));
				return plain.write(batch);
			},
		},
		acquire: { value: plain.acquire.bind(plain) },
		close: { value: () => plain.close() },
		session: { value: (id: string) => plain.session(id) },
		kept: { value: (id: string) => plain.kept(id) },
	});
	const { next } = await lives({ store });
	const life = await next();
	const session = await openSession(life.url);
	const begun = await begin(life.url, session, call(2, "report", "my password"));
	life.running[0]?.answer("its answer");
	await begun.rest;
	const written = rows.join("\n");
	match(written, /accept-call/);
	for (const secret of [String(session["mcp-session-id"]), "my password", "its answer", "under way", "raw"])
		ok(!written.includes(secret), secret);
});
