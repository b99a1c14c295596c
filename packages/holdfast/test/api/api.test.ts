import assert from "node:assert/strict";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { Validator } from "@seriousme/openapi-schema-validator";
import { createParser } from "eventsource-parser";
import { until } from "../../../../e2e/until.ts";
import { ENDPOINTS } from "../../src/api/openapi.ts";
import { type StartedProduct, startedProduct } from "../console/startedProduct.ts";

let started: StartedProduct;
before(async () => {
	started = await startedProduct();
	await until(async () => (await serverNamed("hostile")).state === "ready", "the server is ready");
});
after(() => started.close());

test("servers are told with their state, and one that fails says why", async () => {
	const hostile = await serverNamed("hostile");
	assert.equal(hostile.state, "ready");
	assert.equal(hostile.tools, 4);
	assert.equal(typeof hostile.pid, "number");
	await until(async () => (await serverNamed("broken")).state === "failed", "the broken one has failed");
	assert.match(String((await serverNamed("broken")).reason), /no such database/);
});

test("calls in flight are counted also at a server that is reached by its address", async (t) => {
	const mcpServers = { far: { url: `${started.address}/mcp/hostile` } };
	const gateway = await startedProduct({ sections: { mcpServers } });
	t.after(() => gateway.close());
	const far = async (): Promise<Json> => {
		const answer: Json = await (await fetch(`${gateway.address}/api/servers`)).json();
		return answer.servers[0];
	};
	await until(async () => (await far()).state === "ready", "it is connected");
	assert.equal((await far()).inFlight, 0);
	const stop = new AbortController();
	const called = fetch(`${gateway.address}/api/tools/far%3Aslow/run`, {
		method: "POST",
		headers: { "content-type": "application/json" },
		body: '{"args":{"ms":60000}}',
		signal: stop.signal,
	}).catch(() => {});
	await until(async () => (await far()).inFlight === 1, "it is counted");
	stop.abort();
	await called;
	await until(async () => (await far()).inFlight === 0, "it is over");
});

test("a tool is found, described, run, and the call remembered with its secrets masked", async () => {
	const found = await get("/api/tools?q=word+of+welcome");
	assert.equal(found.tools[0].id, "hostile:greet");
	const described = await get("/api/tools/hostile%3Agreet");
	assert.match(described.declaration, /declare const tools/);
	const ran = await post("/api/tools/hostile%3Agreet/run", { args: { name: "Ada", password: "hunter2" } });
	assert.equal(ran.status, 200);
	assert.deepEqual(ran.json.structured.args, { name: "Ada", password: "hunter2" });
	const { calls } = await get("/api/calls");
	assert.equal(calls[0].toolId, "hostile:greet");
	assert.equal("args" in calls[0], false);
	const { call } = await get(`/api/calls/${calls[0].id}`);
	assert.equal(call.args.password, "••••");
	assert.equal(call.result.args.password, "••••");
	assert.equal(call.outcome, "ok");
	for (const name of readdirSync(started.folder, { recursive: true, withFileTypes: true })) {
		if (name.isFile()) assert.doesNotMatch(readFileSync(join(name.parentPath, name.name), "utf8"), /hunter2/);
	}
});

test("a tool whose name has other letters is found and shown by it, beside an id that every client accepts", async () => {
	const found = await get("/api/tools?q=検索");
	assert.deepEqual([found.tools[0].id, found.tools[0].declaredName], ["hostile:_4707be", "بحث 検索"]);
	const { tool } = await get(`/api/tools/${encodeURIComponent(found.tools[0].id)}`);
	assert.equal(tool.declaredName, "بحث 検索");
	assert.equal((await get("/api/tools/hostile%3Agreet")).tool.declaredName, undefined);
});

test("every refusal is one envelope that names the field, what was expected and what came", async () => {
	const cases: readonly [method: string, path: string, body: unknown, status: number, code: string, says: RegExp][] = [
		["GET", "/api/nothing", undefined, 404, "not_found", /nothing at "\/api\/nothing"/],
		["GET", "/api/chain", undefined, 405, "method_not_allowed", /expected POST, got GET/],
		["GET", "/api/timeline?limit=0", undefined, 400, "invalid_request", /query\/limit/],
		[
			"GET",
			"/api/timeline?kinds=party",
			undefined,
			400,
			"invalid_request",
			/query\/kinds: expected some of fault.*"party"/,
		],
		[
			"GET",
			"/api/servers?constructor=1",
			undefined,
			400,
			"invalid_request",
			/query\/constructor: expected no parameters/,
		],
		["GET", "/api/traffic?server=x", undefined, 400, "invalid_request", /^query\/server: expected the parameter of$/],
		["GET", "/api/servers?x=1", undefined, 400, "invalid_request", /^query\/x: expected no parameters$/],
		["GET", "/api/timeline?colour=red", undefined, 400, "invalid_request", /query\/colour: expected one of kinds/],
		["GET", "/api/timeline/999999", undefined, 404, "not_found", /no entry "999999"/],
		["GET", "/api/tools/%E0%A4%A", undefined, 400, "invalid_request", /path\/id: expected percent-encoded/],
		["POST", "/api/servers/nobody/restart", {}, 404, "not_found", /no server is called "nobody"/],
		["POST", "/api/servers/hostile/restart", { force: 1 }, 400, "invalid_request", /body.*force/],
		["POST", "/api/chain", { steps: [] }, 400, "invalid_request", /body\/steps/],
		["POST", "/api/tools/hostile:greet/run", { args: { times: 0 } }, 400, "validation_input", /args/],
		["POST", "/api/tools/hostile:fail/run", { args: {} }, 502, "execution_failed", /failed/],
		["POST", "/api/tools/hostile:none/run", { args: {} }, 404, "not_found", /hostile:none/],
		["POST", "/api/search", { query: "x" }, 503, "unavailable", /code search is not connected/],
		["POST", "/api/approvals", { id: "x", fingerprint: "y" }, 404, "not_found", /does not wait/],
	];
	for (const [method, path, body, status, code, says] of cases) {
		const answer = await ask(method, path, body);
		assert.equal(answer.status, status, `${method} ${path}`);
		assert.equal(answer.json.error.code, code, `${method} ${path}`);
		assert.match(answer.json.error.message, says);
	}
	const plain = await fetch(`${started.address}/api/chain`, { method: "POST", body: "{}" });
	assert.equal(plain.status, 415);
	const broken = await fetch(`${started.address}/api/chain`, {
		method: "POST",
		headers: { "content-type": "application/json" },
		body: "{",
	});
	assert.match(
		await broken.text(),
		/"invalid_request","message":"body: expected JSON, got text that is not \(.*position 1/,
	);
});

test("a chain is refused for the same mistakes as with run_chain, before anything is called", async () => {
	const mistakes: readonly [step: object, says: RegExp][] = [
		[{ map: { over: [1, 2], parallel: 0 } }, /body\/steps\/0\/map\/parallel: expected 1 or more, got 0/],
		[{ map: { over: [1, 2], parallel: "NaN" } }, /body\/steps\/0\/map\/parallel: expected integer/],
		[{ id: "1" }, /body\/steps\/0\/id: expected a letter/],
		[{ use_previous: true }, /body\/steps\/0\/use_previous: expected no such field in the first step/],
	];
	for (const [step, says] of mistakes) {
		const { status, json } = await post("/api/chain", { steps: [{ tool_id: "hostile:none", ...step }] });
		assert.equal(status, 400);
		assert.equal(json.error.code, "invalid_request");
		assert.match(json.error.message, says);
	}
});

test("chains and code run, and tell a failure beside what succeeded", async () => {
	const chain = await post("/api/chain", {
		steps: [
			{ tool_id: "hostile:greet", args: { name: "Ada" } },
			{ tool_id: "hostile:greet", args: { name: { $from: "steps/0/structured/args/name" } } },
			{ tool_id: "hostile:fail" },
		],
	});
	assert.equal(chain.json.results[1].structured.args.name, "Ada");
	assert.equal(chain.json.error.code, "chain_step_failed");
	const code = await post("/api/code", {
		code: "const a: number = 20; console.log('hi'); (await tools.hostile.greet({ name: 'Bo' })).args.name + (a + 1)",
	});
	assert.equal(code.json.value, "Bo21");
	assert.equal(code.json.stdout.trim(), "hi");
	assert.equal(code.json.toolCalls[0].tool_id, "hostile:greet");
	const { declarations } = await get("/api/code/types?namespace=hostile");
	assert.match(declarations, /greet\(args/);
});

test("a killed worker is on the timeline with its record, and the replayed call tells its contract and outcome", async () => {
	const { pid } = await serverNamed("hostile");
	const slow = post("/api/tools/hostile%3Aslow/run", { args: { ms: 400 } });
	await until(async () => (await serverNamed("hostile")).inFlight === 1, "the call is in flight");
	process.kill(Number(pid), "SIGKILL");
	assert.equal((await slow).status, 200);
	const { entries } = await get("/api/timeline");
	const kinds = entries.map(({ kind }: { kind: string }) => kind);
	for (const kind of ["fault", "restart", "replay"]) assert.ok(kinds.includes(kind), `${kind} in ${kinds}`);
	const replay = entries.find(({ kind }: { kind: string }) => kind === "replay");
	const { entry } = await get(`/api/timeline/${replay.id}`);
	assert.equal(entry.record.outcome, "ok");
	assert.equal(entry.record.attempts, 2);
	assert.deepEqual(entry.record.request, { ms: 400 });
	assert.equal(entry.record.contract.kind, "replay_safe");
	const onlyFaults = await get("/api/timeline?kinds=fault&server=hostile&limit=1");
	assert.equal(onlyFaults.entries.length, 1);
	assert.equal((await serverNamed("hostile")).generation, 2);
});

test("a number that JavaScript would round passes through unchanged, alone and in a chain", async () => {
	const large = "9007199254740993";
	const sent = async (path: string, body: string): Promise<string> => {
		const headers = { "content-type": "application/json" };
		return (await fetch(`${started.address}${path}`, { method: "POST", headers, body })).text();
	};
	const args = `{"name":"Ada","times":1,"of":{"id":${large}}}`;
	assert.ok((await sent("/api/tools/hostile%3Agreet/run", `{"args":${args}}`)).includes(`"args":${args}`));
	const chain = `{"steps":[{"tool_id":"hostile:greet","args":${args}}]}`;
	assert.ok((await sent("/api/chain", chain)).includes(`"args":${args}`));
});

test("restart and roll-out replace the worker while calls go on", async () => {
	const before = await serverNamed("hostile");
	assert.equal((await post("/api/servers/hostile/restart", {})).status, 200);
	await until(async () => (await serverNamed("hostile")).generation > before.generation, "another generation");
	await until(async () => (await serverNamed("hostile")).lifecycle === "ready", "it is ready");
	const rolled = await post("/api/servers/hostile/rollout", {});
	assert.equal(rolled.status, 200, JSON.stringify(rolled.json));
	assert.ok(rolled.json.generation > before.generation + 1);
	const { entries } = await get("/api/timeline?kinds=rollout");
	assert.equal(entries.length, 1, "a rollout is one entry");
	assert.equal(entries[0].summary, `rolled out, generation ${rolled.json.generation}`);
	const steps = entries[0].record.steps.map(({ step }: { step: string }) => step);
	assert.deepEqual([steps[0], steps.at(-2), steps.at(-1)], ["starting", "switching", "probation"]);
	const { host } = started.product.gateway.upstreams.all.find(({ spec }) => spec.name === "hostile") ?? {};
	assert.equal((await host?.rollout({ command: "/no/such/command", args: [] }))?.ok, false);
	const [failed, ...others] = (await get("/api/timeline?kinds=rollout")).entries;
	assert.deepEqual([failed.summary, failed.level, others.length], ["rollout given up", "bad", 1]);
	assert.equal(failed.record.step, "aborting");
	assert.equal(others[0].record.generation, rolled.json.generation, "the release before is still on probation");
	assert.equal(others[0].record.steps.at(-1).step, "probation");
	assert.equal((await post("/api/tools/hostile%3Agreet/run", { args: { name: "Ada" } })).status, 200);
});

test("a tool that changed is held, shown as it was and as it is, and runs again once approved", async () => {
	await post("/api/tools/hostile%3Agreet/run", { args: { name: "Ada" } });
	writeFileSync(started.changedFile, "");
	await until(async () => (await get("/api/approvals")).waiting.length === 1, "it is held");
	const [held] = (await get("/api/approvals")).waiting;
	assert.equal(held.id, "hostile:greet");
	assert.deepEqual(held.changed, ["description"]);
	assert.match(held.approved.description, /welcome/);
	assert.match(held.now.description, /something else/);
	const refused = await post("/api/tools/hostile%3Agreet/run", { args: { name: "Ada" } });
	assert.equal(refused.status, 502);
	assert.match(
		refused.json.error.message,
		/A person can allow it with: holdfast approve hostile:greet --config \S+config\.json$/,
	);
	assert.equal((await post("/api/approvals", { id: held.id, fingerprint: "other" })).status, 409);
	assert.equal((await post("/api/approvals", { id: held.id, fingerprint: held.fingerprint })).status, 200);
	assert.equal((await post("/api/tools/hostile%3Agreet/run", { args: { name: "Ada" } })).status, 200);
	const { entries } = await get("/api/timeline?kinds=quarantine");
	assert.deepEqual(
		entries.map(({ record }: { record: { outcome: string } }) => record.outcome),
		["approved", "held until somebody approves it"],
	);
});

test("traffic of the last hour is told for all, for a server and for a tool", async () => {
	const all = await get("/api/traffic");
	assert.equal(all.series.time.length, 360);
	assert.ok(all.totals["hostile:fail"].errors >= 1);
	assert.equal(all.totals["hostile:fail"].errors, all.totals["hostile:fail"].calls);
	const fail = await get("/api/traffic?of=hostile%3Afail");
	const total = fail.series.callsPerSecond.reduce((sum: number, rate: number) => sum + rate * 10, 0);
	assert.equal(Math.round(total), all.totals["hostile:fail"].calls);
	assert.ok(fail.series.errorRate.includes(1));
});

test("events tell of calls without their arguments", async () => {
	const stop = new AbortController();
	const response = await fetch(`${started.address}/api/events`, { signal: stop.signal });
	assert.equal(response.headers.get("content-type"), "text/event-stream");
	const seen: { event?: string | undefined; data: string }[] = [];
	const parser = createParser({ onEvent: (event) => void seen.push(event) });
	const decoder = new TextDecoder();
	const reading = (async () => {
		for await (const chunk of response.body ?? []) parser.feed(decoder.decode(chunk, { stream: true }));
	})().catch(() => {});
	await until(() => seen[0]?.event === "hello", "hello");
	await post("/api/tools/hostile%3Agreet/run", { args: { name: "Unseen" } });
	await until(() => seen.filter(({ event }) => event === "call").length === 2, "two events of the call");
	assert.doesNotMatch(JSON.stringify(seen), /Unseen/);
	stop.abort();
	await reading;
});

test("the OpenAPI document is valid and has every endpoint", async () => {
	const document = await get("/api/openapi.json");
	const result = await new Validator().validate(document);
	assert.equal(result.valid, true, JSON.stringify(result.errors));
	assert.equal(document.openapi, "3.1.0");
	for (const { method, path, id } of ENDPOINTS)
		assert.equal(document.paths[path]?.[method.toLowerCase()]?.operationId, id);
});

test("every address that the documentation shows answers", async () => {
	const page = readFileSync(new URL("../../../../docs/console.md", import.meta.url), "utf8");
	const paths = [...page.matchAll(/curl (?:-N )?http:\/\/127\.0\.0\.1:8080(\S+)/g)].map(([, path]) => path);
	assert.ok(paths.length >= 3);
	for (const path of paths) {
		const response = await fetch(`${started.address}${path}`);
		assert.equal(response.status, 200, path);
		await response.body?.cancel();
	}
});

test("pages elsewhere may not call, and a token is asked for where there is one", async () => {
	const foreign = await fetch(`${started.address}/api/servers`, { headers: { origin: "https://evil.example" } });
	assert.equal(foreign.status, 403);
	const locked = await startedProduct({ token: "open-sesame-again" });
	try {
		assert.equal((await fetch(`${locked.address}/api/servers`)).status, 401);
		const headers = { authorization: "Bearer open-sesame-again" };
		assert.equal((await fetch(`${locked.address}/api/servers`, { headers })).status, 200);
	} finally {
		await locked.close();
	}
});

test("where others can reach it, a page of this very server may call with the token, and no other page may", async () => {
	const open = await startedProduct({ token: "open-sesame-again", host: "0.0.0.0" });
	try {
		const address = `http://127.0.0.1:${new URL(open.address).port}`;
		const call = (origin: string) =>
			fetch(`${address}/api/chain`, {
				method: "POST",
				headers: { origin, authorization: "Bearer open-sesame-again", "content-type": "application/json" },
				body: JSON.stringify({ steps: [{ tool_id: "local:ping" }] }),
			});
		assert.equal((await call(address)).status, 200);
		assert.equal((await call("http://evil.example")).status, 403);
		assert.equal((await fetch(`${address}/`)).status, 200, "the page itself is open");
	} finally {
		await open.close();
	}
});

test("a restart of a server whose entry has a mistake is refused with the mistake", async () => {
	const other = await startedProduct({ sections: { mcpServers: { odd: { args: [] } } } });
	try {
		const headers = { "content-type": "application/json" };
		const refused = await fetch(`${other.address}/api/servers/odd/restart`, { method: "POST", headers, body: "{}" });
		const { error }: Json = await refused.json();
		assert.deepEqual(
			[refused.status, error.code, error.message],
			[409, "conflict", "odd cannot be started: mcpServers.odd: expected a command or a url, got neither"],
		);
	} finally {
		await other.close();
	}
});

test("the index is rebuilt once at a time, its progress told as it comes, and then searched", async () => {
	const withCode = await startedProduct({ withCode: true });
	try {
		const at = (path: string, body?: unknown) =>
			fetch(`${withCode.address}${path}`, {
				...(body !== undefined && {
					method: "POST",
					headers: { "content-type": "application/json" },
					body: JSON.stringify(body),
				}),
			});
		await until(async () => (await at("/api/index")).status === 200, "search is there");
		const missing: Json = await (await at("/api/search", { query: "lantern" })).json();
		assert.equal(missing.error.message, "the repository has no index; build one first");
		const stop = new AbortController();
		const events = await fetch(`${withCode.address}/api/events`, { signal: stop.signal });
		let told = "";
		const reading = (async () => {
			for await (const chunk of events.body ?? []) told += Buffer.from(chunk).toString("utf8");
		})().catch(() => {});
		const first = await at("/api/index/rebuild", { full: true });
		assert.equal(first.status, 202);
		assert.equal((await at("/api/index/rebuild", {})).status, 409);
		await until(() => told.includes('event: index\ndata: {"state":"done"}'), "it is done");
		assert.match(told, /event: index\ndata: \{"state":"running","progress":[\d.]+/);
		stop.abort();
		await reading;
		const found: Json = await (await at("/api/search", { query: "lightLantern" })).json();
		assert.equal(found.hits[0].path, "src/lantern.ts");
		assert.equal(typeof found.hits[0].scoreParts, "object");
		const mistyped = await at("/api/search", { query: "/[/" });
		const { error }: Json = await mistyped.json();
		assert.deepEqual([mistyped.status, error.code], [400, "invalid_request"]);
		const shown: Json = await (await at("/api/file?path=src%2Flantern.ts&startLine=2&endLine=2")).json();
		assert.match(shown.file.text, /lightLantern/);
		const gone = await at("/api/file?path=src%2Fgone.ts");
		assert.deepEqual([gone.status, ((await gone.json()) as Json).error.code], [404, "not_found"]);
	} finally {
		await withCode.close();
	}
});

/** Checked by the tests, member by member. */
type Json = ReturnType<typeof JSON.parse>;

async function ask(method: string, path: string, body?: unknown): Promise<{ status: number; json: Json }> {
	const response = await fetch(`${started.address}${path}`, {
		method,
		...(body !== undefined && { headers: { "content-type": "application/json" }, body: JSON.stringify(body) }),
	});
	return { status: response.status, json: await response.json() };
}

async function get(path: string): Promise<Json> {
	const { status, json } = await ask("GET", path);
	assert.equal(status, 200, `${path}: ${JSON.stringify(json)}`);
	return json;
}

function post(path: string, body: unknown): Promise<{ status: number; json: Json }> {
	return ask("POST", path, body);
}

async function serverNamed(name: string): Promise<Json> {
	return (await get("/api/servers")).servers.find((server: Json) => server.name === name);
}
