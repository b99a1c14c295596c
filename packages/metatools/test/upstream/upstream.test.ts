import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { until } from "../../../../e2e/until.ts";
import { createPolicyGate } from "../../src/auth/policy.ts";
import { createWasmEngine } from "../../src/code/wasm/wasmEngine.ts";
import { loadDefaultConfig } from "../../src/config/load.ts";
import { Gateway } from "../../src/server/gateway.ts";
import { TIMEOUT } from "../../src/server/metatools/schemas.ts";
import { computeHostDeadlineMs } from "../../src/upstream/spec.ts";
import type { UpstreamWatch } from "../../src/upstream/upstream.ts";
import { Coalesced } from "../../src/upstream/waiting.ts";
import { testGateway, texts } from "../fixtures/gateway.ts";
import { inProcessPeers, memorySpec } from "../fixtures/inProcess.ts";
import { TOOLS } from "../fixtures/scriptedPeer.ts";

test("every page of a server's list is read", async (t) => {
	const peers = inProcessPeers();
	peers.prepare = (_name, peer) => {
		peer.pageSize = 2;
	};
	const demo = await testGateway({ peers });
	t.after(() => demo.stop());
	assert.equal(demo.gateway.catalog.tools.filter((tool) => tool.namespace === "demo").length, TOOLS.length);
});

test("starting waits for nobody: a server that never answers leaves the others usable", async (t) => {
	const peers = inProcessPeers();
	const { open } = peers;
	const never: typeof open = async (spec, events) =>
		spec.name === "mute" ? new Promise(() => {}) : open(spec, events);
	const demo = await testGateway({ peers: { ...peers, open: never }, servers: [] });
	t.after(() => demo.gateway.upstreams.apply([]));
	void demo.gateway.upstreams.apply([memorySpec("mute"), memorySpec("demo")]);
	await until(() => demo.gateway.catalog.get("demo:echo") !== undefined);
	assert.equal((await demo.data("run_tool", { tool_id: "demo:echo", args: { text: "x" } })).structured, "x");
	const details = (await demo.data("list_namespaces")).details as { namespace: string; state: string }[];
	assert.equal(details.find((entry) => entry.namespace === "mute")?.state, "connecting");
});

test("a server that cannot be reached shows why, and comes up by itself when it can", async (t) => {
	const peers = inProcessPeers();
	peers.failing.add("demo");
	const demo = await testGateway({ peers });
	t.after(() => demo.stop());
	const [status] = demo.gateway.namespaces({ id: "x" });
	assert.equal(status?.state, "failed");
	assert.match(status?.reason ?? "", /nobody listens/);
	assert(status?.since !== undefined);
	assert.match(demo.log.join("\n"), /demo: nobody listens/);
	peers.failing.clear();
	await until(() => demo.gateway.upstreams.all[0]?.state.kind === "ready");
	assert.equal((await demo.data("run_tool", { tool_id: "demo:echo", args: { text: "x" } })).structured, "x");
});

test("a search names the servers whose tools it cannot know, because they could not be connected", async (t) => {
	const peers = inProcessPeers();
	peers.failing.add("github");
	const demo = await testGateway({ peers, servers: ["demo", "github"] });
	t.after(() => demo.stop());
	const github = demo.gateway.upstreams.all.find(({ spec }) => spec.name === "github");
	const told = async () => texts(await demo.call("search_tools", { query: "repeat a text" }));
	await until(async () => /\nnot connected: github; list_namespaces says why$/.test(await told()));
	assert.doesNotMatch(await told(), /not connected/, "once is enough");
	const asked = texts(await demo.call("search_tools", { query: "repeat a text on github" }));
	assert.match(asked, /\nnot connected: github; /);
	peers.failing.clear();
	github?.reconnect();
	await until(() => github?.state.kind === "ready");
	assert.doesNotMatch(await told(), /not connected/);
	await peers.drop("github");
	peers.failing.add("github");
	await until(() => github?.state.kind === "failed");
	assert.doesNotMatch(await told(), /not connected/, "its tools stay listed");
});

test("whoever asks for a reconnection of a server that is down need not wait for the next attempt", async (t) => {
	const peers = inProcessPeers();
	peers.failing.add("demo");
	const waits: number[] = [];
	const watch: UpstreamWatch = {
		state(_server, state) {
			if (state.kind === "failed" && state.retryAt !== undefined)
				waits.push(Date.parse(state.retryAt) - Date.parse(state.since));
		},
	};
	const demo = await testGateway({ peers, watch });
	t.after(() => demo.stop());
	await until(() => (waits.at(-1) ?? 0) > 1_400);
	const before = waits.length;
	demo.gateway.upstreams.all[0]?.reconnect();
	await until(() => waits.length > before);
	// The waits grow with each attempt by itself, and begin anew with one that was asked for.
	assert.ok((waits[before] ?? Number.POSITIVE_INFINITY) < 700, waits.join(", "));
});

test("a server whose entry has a mistake shows it, and the others are served", async (t) => {
	const reason = "mcpServers.odd.url: expected the environment variable X to be set";
	const odd = { kind: "unusable", name: "odd", namespace: "odd", protocol: "auto", reason } as const;
	const demo = await testGateway({ config: { servers: [odd, memorySpec("demo")] } });
	t.after(() => demo.stop());
	const states = demo.gateway.namespaces({ id: "x" }).map(({ namespace, state, reason }) => [namespace, state, reason]);
	assert.deepEqual(
		states.find(([namespace]) => namespace === "odd"),
		["odd", "failed", reason],
	);
	assert.equal((await demo.data("run_tool", { tool_id: "demo:echo", args: { text: "x" } })).structured, "x");
	const { message, retryable } = await demo.error("run_tool", { tool_id: "odd:any" });
	assert.match(String(message), /The server odd is not available: mcpServers\.odd\.url/);
	assert.equal(retryable, false, "nothing but a change of the file helps");
	await demo.gateway.upstreams.apply([{ ...odd, reason: "another mistake" }, memorySpec("demo")]);
	const [{ reason: next, problems } = {}] = demo.gateway.namespaces({ id: "x" });
	assert.deepEqual([next, problems], ["another mistake", undefined]);
	await demo.gateway.upstreams.apply([memorySpec("odd")]);
	await until(() =>
		demo.gateway.upstreams.all.some(({ spec, state }) => spec.name === "odd" && state.kind === "ready"),
	);
});

test("a server that takes long to fail is tried less and less often, like one that fails at once", async (t) => {
	const real = performance.now.bind(performance);
	let passedMs = 0;
	t.mock.method(performance, "now", () => real() + passedMs);
	const waits: number[] = [];
	const demo = await testGateway({
		openTransport: async () => {
			passedMs += 20_000;
			throw Object.assign(new Error("nobody listens"), { code: "ECONNREFUSED" });
		},
		watch: {
			state: (_server, state) => {
				if (state.kind === "failed") waits.push(Date.parse(state.retryAt ?? "") - Date.parse(state.since));
			},
		},
	});
	t.after(() => demo.stop());
	await until(() => waits.length >= 3);
	const [first = 0, second = 0, third = 0] = waits;
	assert(first < second && second < third, waits.join(" "));
});

test("a server that is tried again still says why it failed", async (t) => {
	const peers = inProcessPeers();
	peers.failing.add("demo");
	let tries = 0;
	const open: typeof peers.open = (...from) => (tries++ === 0 ? peers.open(...from) : new Promise(() => {}));
	const demo = await testGateway({ peers: { ...peers, open } });
	t.after(() => demo.stop());
	await until(() => tries === 2);
	const [status] = demo.gateway.namespaces({ id: "x" });
	assert.equal(status?.state, "connecting");
	assert.match(status?.reason ?? "", /nobody listens/);
});

test("tools stay listed while their server is away, and a call says that it is away", async (t) => {
	const peers = inProcessPeers();
	const demo = await testGateway({ peers });
	t.after(() => demo.stop());
	peers.failing.add("demo");
	await peers.drop("demo");
	await until(() => demo.gateway.upstreams.all[0]?.state.kind === "failed");
	assert(demo.gateway.catalog.get("demo:echo") !== undefined);
	const error = await demo.error("run_tool", { tool_id: "demo:echo", args: { text: "x" } });
	assert.equal(error.code, "no_backends");
	assert.equal(error.retryable, true);
	assert.match(String(error.message), /The server demo is not available/);
});

test("a call that comes while its server is starting waits for it", async (t) => {
	const peers = inProcessPeers();
	const demo = await testGateway({ peers });
	t.after(() => demo.stop());
	await peers.drop("demo");
	await until(
		() =>
			demo.gateway.upstreams.all[0]?.state.kind === "connecting" ||
			demo.gateway.upstreams.all[0]?.state.kind === "failed",
	);
	await until(() => demo.gateway.upstreams.all[0]?.state.kind !== "failed");
	assert.equal((await demo.data("run_tool", { tool_id: "demo:echo", args: { text: "again" } })).structured, "again");
});

test("a call whose time is up while it waits for its server has not been made, whatever its tool declares", async (t) => {
	const peers = inProcessPeers();
	let tries = 0;
	const open: typeof peers.open = (...from) => (tries++ === 0 ? peers.open(...from) : new Promise(() => {}));
	const demo = await testGateway({ peers: { ...peers, open } });
	t.after(() => demo.stop());
	await peers.drop("demo");
	await until(() => tries === 2);
	const { code, message, retryable, details } = await demo.error("run_tool", { tool_id: "demo:count", timeout_ms: 50 });
	assert.deepEqual([code, retryable, details], ["timeout", true, undefined]);
	assert.equal(
		message,
		"Nothing was called: after 50 ms the server of demo:count is still connecting; list_namespaces tells when it is ready.",
	);
	const steps = [{ tool_id: "demo:count" }];
	const chain = await demo.error("run_chain", { steps, timeout_ms: 50 });
	assert.match(String(chain.message), /Nothing was called/);
});

test("list_changed updates the catalogue at once; a flood of them causes few readings", async (t) => {
	const peers = inProcessPeers();
	let lists = 0;
	peers.prepare = (_name, peer) => {
		const receive = peer.receive.bind(peer);
		peer.receive = (message) => {
			if (message.method === "tools/list") lists++;
			return receive(message);
		};
	};
	const demo = await testGateway({ peers });
	t.after(() => demo.stop());
	await demo.data("run_tool", { tool_id: "demo:learn" });
	await until(() => demo.gateway.catalog.get("demo:learned") !== undefined);
	lists = 0;
	for (let n = 0; n < 10_000; n++) peers.of("demo").notifyToolsChanged();
	assert.equal((await demo.data("run_tool", { tool_id: "demo:echo", args: { text: "alive" } })).structured, "alive");
	await new Promise((resolve) => setTimeout(resolve, 600));
	assert(lists <= 4 * 3, `${lists} pages were read`);
});

test("a tool that a server has just announced is waited for, not called unknown", async (t) => {
	const demo = await testGateway();
	t.after(() => demo.stop());
	// Twice, since the second list is read only after a pause.
	for (const name of ["learned", "learned_more"]) {
		const peer = demo.peers.of("demo");
		peer.onCall = (called) => {
			if (called === "learn") peer.tools = [...peer.tools, { name, inputSchema: { type: "object" } }];
		};
		await demo.data("run_tool", { tool_id: "demo:learn" });
		assert.equal((await demo.data("run_tool", { tool_id: `demo:${name}` })).structured, `${name} 1`);
	}
	const began = performance.now();
	assert.equal((await demo.error("run_tool", { tool_id: "demo:never" })).code, "tool_not_found");
	assert(performance.now() - began < 3_000, "what was not announced is not waited for");
});

test("a changed schema replaces the old one", async (t) => {
	const demo = await testGateway();
	t.after(() => demo.stop());
	const peer = demo.peers.of("demo");
	peer.tools = peer.tools.map((tool) =>
		tool.name === "echo" ? { ...tool, inputSchema: { type: "object", required: ["loud"] } } : tool,
	);
	peer.notifyToolsChanged();
	await until(() => JSON.stringify(demo.gateway.catalog.get("demo:echo")?.definition.inputSchema).includes("loud"));
	assert.match(
		String((await demo.error("run_tool", { tool_id: "demo:echo", args: { text: "x" } })).message),
		/args\/loud/,
	);
});

test("a changed configuration starts what is new, stops what is gone and leaves the rest alone", async (t) => {
	const demo = await testGateway({ servers: ["demo", "other"] });
	t.after(() => demo.stop());
	const standard = loadDefaultConfig();
	await demo.gateway.apply({ ...standard, servers: [memorySpec("demo"), memorySpec("third")] });
	await until(() => demo.gateway.catalog.get("third:echo") !== undefined);
	assert.equal(demo.gateway.catalog.get("other:echo"), undefined);
	assert.deepEqual(demo.peers.opened, ["demo", "other", "third"]);
	assert.equal((await demo.error("run_tool", { tool_id: "other:echo", args: { text: "x" } })).code, "tool_not_found");
});

test("a server that gets another namespace leaves nothing behind under the old one", async (t) => {
	const peers = inProcessPeers();
	const servers = [memorySpec("a_b"), memorySpec("a b", "a_b_c8687a")];
	const demo = await testGateway({ peers, config: { servers } });
	t.after(() => demo.stop());
	const { catalog } = demo.gateway;
	await demo.gateway.apply({ ...loadDefaultConfig(), servers: [memorySpec("a b", "a_b")] });
	await until(() => catalog.toolsOf("a_b_c8687a").length === 0 && catalog.toolsOf("a_b").length > 0);
	assert.ok(!catalog.namespaces.includes("a_b_c8687a"));
	await demo.data("run_tool", { tool_id: "a_b:count" });
	assert.ok(peers.of("a b").calls.includes("count"));
	assert.equal((await demo.error("run_tool", { tool_id: "a_b_c8687a:count" })).code, "tool_not_found");
	const told = "a b: its namespace is a_b now, not a_b_c8687a; rules and approvals go by the namespace";
	assert.ok(demo.log.includes(told), demo.log.join("\n"));
});

test("a server that takes over a namespace has its own tools there or none, never those of the server before", async (t) => {
	const peers = inProcessPeers();
	const demo = await testGateway({ peers, config: { servers: [memorySpec("a b", "a_b")] } });
	t.after(() => demo.stop());
	const { catalog } = demo.gateway;
	const servers = [memorySpec("a_b"), memorySpec("a b", "a_b_c8687a")];
	peers.failing.add("a_b");
	await demo.gateway.apply({ ...loadDefaultConfig(), servers });
	await until(() => catalog.toolsOf("a_b_c8687a").length > 0 && catalog.toolsOf("a_b").length === 0);
	assert.match(
		String((await demo.error("run_tool", { tool_id: "a_b:count" })).message),
		/^The server a_b is not available/,
	);
	peers.failing.clear();
	await until(() => catalog.toolsOf("a_b").length > 0);
	await demo.data("run_tool", { tool_id: "a_b:count" });
	assert.ok(peers.of("a_b").calls.includes("count"));

	await demo.gateway.apply({ ...loadDefaultConfig(), servers: [memorySpec("a b", "a_b")] });
	await until(() => catalog.toolsOf("a_b_c8687a").length === 0 && catalog.toolsOf("a_b").length > 0);
	await demo.gateway.apply({ ...loadDefaultConfig(), servers });
	await until(() => catalog.toolsOf("a_b_c8687a").length > 0);
	await demo.data("run_tool", { tool_id: "a_b:echo", args: { text: "x" } });
	assert.ok(peers.of("a_b").calls.includes("echo"), "what it listed first is not taken away from it");
});

test("tools can be chosen per server", async (t) => {
	const demo = await testGateway({
		config: { servers: [{ ...memorySpec("demo"), include: ["count*", "echo"], exclude: ["*safely"] }] },
	});
	t.after(() => demo.stop());
	assert.deepEqual(
		demo.gateway.catalog.tools.filter((tool) => tool.namespace === "demo").map((tool) => tool.name),
		["count", "echo"],
	);
	assert.deepEqual(demo.gateway.upstreams.all[0]?.problems, []);
});

test("a chosen tool that the server does not have is told, with the one that is probably meant", async (t) => {
	const demo = await testGateway({
		config: { servers: [{ ...memorySpec("demo"), include: ["ecko", "nosuch*"], exclude: ["gone", "gone*"] }] },
	});
	t.after(() => demo.stop());
	const problems = [
		"include: no tool is called ecko; did you mean echo?",
		"include: no tool is called nosuch*",
		"exclude: no tool is called gone",
	];
	assert.deepEqual(demo.gateway.upstreams.all[0]?.problems, problems);
	const listed = JSON.stringify(await demo.data("list_namespaces"));
	for (const problem of problems) assert(listed.includes(problem), listed);
});

test("a server goes on when its entry changes only in which tools are taken, and how long they may run", async (t) => {
	const demo = await testGateway({ servers: ["demo"] });
	t.after(() => demo.stop());
	const { catalog, upstreams } = demo.gateway;
	const [before] = upstreams.all;
	const apply = (changes: object) =>
		demo.gateway.apply({ ...loadDefaultConfig(), servers: [{ ...memorySpec("demo"), ...changes }] });
	await apply({ include: ["echo", "count*"], exclude: ["count"], executionTimeoutMs: 60_000 });
	const names = () => catalog.tools.filter(({ namespace }) => namespace === "demo").map(({ name }) => name);
	assert.deepEqual(names(), ["count_safely", "echo"]);
	assert.equal(demo.gateway.timeoutOf("demo"), 60_000);
	before?.refresh();
	await before?.settled(AbortSignal.timeout(5_000));
	assert.deepEqual(names(), ["count_safely", "echo"]);
	await apply({ executionTimeoutMs: 3_600_000 });
	assert(names().includes("count"));
	assert.deepEqual([upstreams.all[0] === before, demo.peers.opened], [true, ["demo"]]);
	await apply({ executionTimeoutMs: 7_200_000 });
	await until(() => upstreams.all[0] !== before);
});

test("the host of a server waits for a call as long as timeout_ms may ask for, or as its entry says", () => {
	assert.equal(computeHostDeadlineMs(memorySpec("demo")), TIMEOUT.maximum);
	assert.equal(computeHostDeadlineMs({ ...memorySpec("demo"), executionTimeoutMs: 7_200_000 }), 7_200_000);
});

test("an upgraded server takes over once it is connected; calls at the old one finish there", async (t) => {
	const peers = inProcessPeers();
	const demo = await testGateway({ peers });
	t.after(() => demo.stop());
	const old = peers.of("demo");
	const running = demo.data("run_tool", { tool_id: "demo:slow", args: { ms: 400 } });
	await until(() => old.calls.includes("slow"));
	const standard = loadDefaultConfig();
	await demo.gateway.apply({ ...standard, servers: [{ ...memorySpec("demo"), args: ["v2"] }] });
	assert.equal((await demo.data("run_tool", { tool_id: "demo:echo", args: { text: "no gap" } })).structured, "no gap");
	await until(
		() =>
			peers.of("demo") !== old &&
			demo.gateway.upstreams.all[0]?.spec.kind === "stdio" &&
			demo.gateway.upstreams.all[0].spec.args[0] === "v2",
	);
	await demo.data("run_tool", { tool_id: "demo:count" });
	assert(peers.of("demo").calls.includes("count") && !old.calls.includes("count"));
	assert.equal((await running).structured, "late");
});

test("a call at a server that was upgraded finishes there, though the clock is set forward meanwhile", async (t) => {
	t.mock.timers.enable({ apis: ["Date"], now: Date.now() });
	const peers = inProcessPeers();
	const demo = await testGateway({ peers });
	t.after(() => demo.stop());
	const old = peers.of("demo");
	const running = demo.data("run_tool", { tool_id: "demo:slow", args: { ms: 1_500 } });
	await until(() => old.calls.includes("slow"));
	await demo.gateway.apply({ ...loadDefaultConfig(), servers: [{ ...memorySpec("demo"), args: ["v2"] }] });
	await until(() => peers.of("demo") !== old);
	await demo.data("run_tool", { tool_id: "demo:echo", args: { text: "x" } });
	t.mock.timers.tick(3_600_000);
	assert.equal((await running).structured, "late");
});

test("an upgrade that does not come up leaves the old server answering", async (t) => {
	const peers = inProcessPeers();
	const demo = await testGateway({ peers });
	t.after(() => demo.stop());
	peers.failing.add("demo");
	const standard = loadDefaultConfig();
	await demo.gateway.apply({ ...standard, servers: [{ ...memorySpec("demo"), args: ["broken"] }] });
	await until(() => demo.log.some((line) => line.includes("nobody listens")));
	assert.equal(
		(await demo.data("run_tool", { tool_id: "demo:echo", args: { text: "still here" } })).structured,
		"still here",
	);
	await demo.gateway.apply({ ...standard, servers: [memorySpec("demo")] });
	assert.equal(
		(await demo.data("run_tool", { tool_id: "demo:echo", args: { text: "as before" } })).structured,
		"as before",
	);
});

test("a change announced while the first list is being read is not missed", async (t) => {
	const peers = inProcessPeers();
	peers.prepare = (_name, peer) => {
		const receive = peer.receive.bind(peer);
		let told = false;
		peer.receive = (message) => {
			const answered = receive(message);
			if (message.method === "tools/list" && message.params?.cursor !== undefined && !told) {
				told = true;
				peer.tools = [{ name: "early", inputSchema: { type: "object" } }, ...peer.tools];
				peer.notifyToolsChanged();
			}
			return answered;
		};
	};
	const demo = await testGateway({ peers });
	t.after(() => demo.stop());
	await until(() => demo.gateway.catalog.get("demo:early") !== undefined);
});

test("an answer that is none fails its call at once, saying what came", async (t) => {
	const odd = new Map<string, unknown>([
		["null", null],
		["number", 5],
		["text", "done"],
		["list", [1]],
		["nothing", undefined],
	]);
	const demo = await testGateway({
		tools: [...odd.keys()].map((name) => ({ name, inputSchema: { type: "object" } })),
	});
	t.after(() => demo.stop());
	for (const [name, value] of odd) demo.peers.of("demo").answers.set(name, value);
	for (const [name, got] of [
		["null", "null"],
		["number", "5"],
		["text", '"done"'],
		["list", "[1]"],
		["nothing", "none"],
	] as const) {
		const error = await demo.error("run_tool", { tool_id: `demo:${name}` });
		assert.equal(error.code, "execution_failed");
		assert.equal(error.message, `The server's answer is unusable: result: expected an object, got ${got}`);
	}
});

test("a definition or a value nested without end is left out or refused, and said", async (t) => {
	const nested = (depth: number): Record<string, unknown> => {
		let schema: Record<string, unknown> = { type: "string" };
		for (let level = 0; level < depth; level++) schema = { properties: { a: schema } };
		return schema;
	};
	const demo = await testGateway({
		tools: [
			{ name: "fine", inputSchema: nested(50) },
			{ name: "deep", inputSchema: nested(400) },
			{ name: "deeper", inputSchema: nested(30_000) },
		],
	});
	t.after(() => demo.stop());
	const names = demo.gateway.catalog.tools.filter((tool) => tool.namespace === "demo").map((tool) => tool.name);
	assert.deepEqual(names, ["fine"]);
	assert.deepEqual(demo.gateway.namespaces({ id: "x" })[0]?.problems, [
		'"deep" is left out: its definition is nested more than 200 levels deep',
		'"deeper" is left out: its definition is nested more than 200 levels deep',
	]);
	await demo.data("describe_tool", { tool_id: "demo:fine", detail_level: "full" });
	for (const depth of [1_000, 30_000]) {
		demo.peers.of("demo").answers.set("fine", { content: [], structuredContent: nested(depth) });
		const error = await demo.error("run_tool", { tool_id: "demo:fine" });
		assert.equal(error.code, "execution_failed");
		assert.equal(error.message, "The value is nested too deeply to be passed on.");
	}
});

/** Its servers come when the gate is opened. */
async function gatewayOfLateServers(t: TestContext, options: Parameters<typeof testGateway>[0] = {}) {
	const peers = inProcessPeers();
	const gate = Promise.withResolvers<void>();
	const late: typeof peers.open = async (spec, events) => {
		await gate.promise;
		return peers.open(spec, events);
	};
	const demo = await testGateway({ ...options, peers: { ...peers, open: late }, wait: false });
	t.after(() => demo.stop());
	return { demo, gate };
}

test("a search right at the start waits a little for servers that are about to come", async (t) => {
	const { demo, gate } = await gatewayOfLateServers(t);
	const search = demo.call("search_tools", { query: "repeat a text" });
	await new Promise((resolve) => setTimeout(resolve, 100));
	gate.resolve();
	assert.match(texts(await search), /^demo:echo /m);
});

test("a tool of a server that is still connecting is waited for, and a search says who is still to come", async (t) => {
	const { demo, gate } = await gatewayOfLateServers(t);
	const running = demo.data("run_tool", { tool_id: "demo:echo", args: { text: "x" } });
	const described = demo.data("describe_tool", { tool_id: "demo:echo", detail_level: "summary" });
	const search = await demo.call("search_tools", { query: "repeat a text" });
	assert.match(texts(search), /^no tools found.*\nstill connecting: demo$/s);
	const inVain = await demo.error("run_tool", { tool_id: "demo:echo", args: {}, timeout_ms: 50 });
	assert.deepEqual([inVain.code, inVain.retryable], ["timeout", true]);
	assert.equal(
		inVain.message,
		"Nothing was called: after 50 ms the server of demo:echo is still connecting; list_namespaces tells when it is ready.",
	);
	const elsewhere = await demo.error("run_tool", { tool_id: "other:echo" });
	assert.equal(elsewhere.code, "tool_not_found");
	gate.resolve();
	assert.equal((await running).structured, "x");
	assert.equal((await described).summary, "Repeat a text");
	assert.doesNotMatch(texts(await demo.call("search_tools", { query: "repeat a text" })), /still connecting/);
});

test("skills, and code that asks for a tool, wait for its server", async (t) => {
	const { demo, gate } = await gatewayOfLateServers(t, { codeEngine: createWasmEngine() });
	const skill = { name: "repeat", steps: [{ id: "one", tool_id: "demo:echo", inputs: { text: "x" } }] };
	const run = demo.data("run_skill", { skill });
	const planned = demo.data("plan_skill", { skill });
	const code = "(await tools.describe('demo:echo')).summary";
	const described = demo.data("execute_code", { language: "javascript", code });
	const inVain = await demo.error("run_skill", { skill, timeout_ms: 50 });
	assert.deepEqual([inVain.code, inVain.retryable], ["timeout", true]);
	assert.match(String(inVain.message), /^Nothing was called: after 50 ms the server of demo:echo is still connecting/);
	gate.resolve();
	assert.deepEqual((await run).results, [{ step_id: "one", value: "x" }]);
	assert.deepEqual((await planned).plan, skill);
	assert.equal((await described).value, "Repeat a text");
});

test("a caller whose rules name single tools waits for them and their server as one that may see all of it", async (t) => {
	const rules = { local: { allow: ["demo:echo"] } };
	const { demo, gate } = await gatewayOfLateServers(t, { gates: [createPolicyGate(() => rules)] });
	const running = demo.data("run_tool", { tool_id: "demo:echo", args: { text: "x" } });
	assert.match(texts(await demo.call("search_tools", { query: "repeat a text" })), /\nstill connecting: demo$/);
	assert.match(texts(await demo.call("list_namespaces")), /demo +connecting/);
	for (const tool_id of ["demo:count", "other:echo"])
		assert.equal((await demo.error("run_tool", { tool_id })).code, "tool_not_found", "the rest does not exist for it");
	gate.resolve();
	assert.equal((await running).structured, "x");
});

test("a tool of a server that never came up is missing because of its server, and why is said", async (t) => {
	const peers = inProcessPeers();
	peers.failing.add("demo");
	const demo = await testGateway({ peers, wait: false });
	t.after(() => demo.stop());
	const error = await demo.error("run_tool", { tool_id: "demo:echo", args: { text: "x" } });
	assert.equal(error.code, "no_backends");
	assert.match(String(error.message), /The server demo is not available: .*nobody listens/);
	const skill = await demo.error("run_skill", { skill: { steps: [{ tool_id: "demo:echo" }] } });
	assert.deepEqual([skill.code, skill.message], [error.code, error.message]);
});

test("the health of a server tells how often in a row it could not be connected, and why", async (t) => {
	const peers = inProcessPeers();
	peers.failing.add("demo");
	const demo = await testGateway({ peers, wait: false });
	t.after(() => demo.stop());
	const health = () => Object(demo.gateway.health()).upstreams.demo;
	await until(() => health().consecutiveFailures >= 2);
	const { class: kind, code, detail, retry } = health().lastFault;
	assert.deepEqual([kind, code, retry], ["transport", "connect_failed", "later"]);
	assert.match(detail, /nobody listens/);
	peers.failing.delete("demo");
	await until(() => health().state === "ready");
	assert.equal(health().consecutiveFailures, 0);
});

test("servers are listed as connecting before the first of them is started", async () => {
	const gateway = new Gateway({ config: { ...loadDefaultConfig(), servers: [memorySpec("one"), memorySpec("two")] } });
	const states = gateway.namespaces({ id: "x" }).map(({ namespace, state }) => `${namespace} ${state}`);
	assert.deepEqual(states, ["one connecting", "two connecting", "local ready"]);
	await gateway.stop();
});

test("a list that takes long is read less often, however often it is said to have changed", async () => {
	const stop = new AbortController();
	let runs = 0;
	const reading = new Coalesced(
		async () => {
			runs++;
			await new Promise((resolve) => setTimeout(resolve, 50));
		},
		1,
		stop.signal,
	);
	const began = performance.now();
	const storm = setInterval(() => reading.request(), 1);
	await new Promise((resolve) => setTimeout(resolve, 1_000));
	clearInterval(storm);
	stop.abort();
	// A fifth of the time at most, however late this machine's timers are.
	const most = 1 + (performance.now() - began) / 240;
	assert(runs >= 1 && runs <= most, `${runs} times, at most ${most}`);
});
