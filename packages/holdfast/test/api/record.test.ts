import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import fc from "fast-check";
import { createGateway, LOCAL_VIEWER, loadConfig } from "metatools";
import { until } from "../../../../e2e/until.ts";
import { Calls, maskSecrets } from "../../src/record/calls.ts";
import { combineWatches, HostWitness } from "../../src/record/hostWitness.ts";
import { Recorder } from "../../src/record/recorder.ts";
import { ServerLogs } from "../../src/record/serverLogs.ts";
import { Timeline } from "../../src/record/timeline.ts";
import { Traffic } from "../../src/record/traffic.ts";

test("what looks like a secret is masked by its key or by its form, at any depth, and nothing else is", () => {
	assert.deepEqual(
		maskSecrets({
			apiKey: "k",
			nested: [{ Authorization: "Bearer abc", note: "Bearer abc123" }],
			password: "p",
			url: "https://x",
			tokens: 12,
			text: "ghp_0123456789012345678901234567890123456",
		}),
		{
			apiKey: "••••",
			nested: [{ Authorization: "••••", note: "••••" }],
			password: "••••",
			url: "https://x",
			tokens: 12,
			text: "••••",
		},
	);
	assert.deepEqual(
		maskSecrets({
			passwords: ["a", ["b"], 3],
			command: "curl -H 'Authorization: Bearer abc.def' https://me:hunter2@host/x",
			log: "used AKIAABCDEFGHIJKLMNOP and github_pat_0123456789abcdefghijkl, then went on",
			session: { user: "ada" },
			plain: "sk-8 is a train, eyJ no token",
		}),
		{
			passwords: ["••••", ["••••"], 3],
			command: "curl -H 'Authorization: •••• https://me:••••@host/x",
			log: "used •••• and ••••, then went on",
			session: { user: "ada" },
			plain: "sk-8 is a train, eyJ no token",
		},
	);
	const shown = {
		author: "Ada",
		authors: ["Ada"],
		authority: "the mayor",
		passage: "it was a dark night",
		passed: "yes",
		signature: "export function lantern()",
		tokenizer: "cl100k",
		secretary: "Grace",
		primary_key: "id",
		PWD: "/srv/work",
		told: 'no bearer token; Bearer authentication needed: Bearer realm="https://example.com/1"',
		help: "Basic knowledge of https://example.com:8080/x@y and me@host.example",
	};
	assert.deepEqual(maskSecrets(shown), shown);
	for (const [text, masked] of [
		["redis://:hunter2secret@cache:6379", "redis://:••••@cache:6379"],
		["postgres://me:hun/ter2@host/db", "postgres://me:••••@host/db"],
		[`https://${"0a".repeat(20)}@github.com/x.git`, "https://••••@github.com/x.git"],
		["Authorization: Basic dXNlcjpwYXNz then", "Authorization: •••• then"],
		[`paid with sk_live_${"a1".repeat(12)}`, "paid with ••••"],
		["-----BEGIN RSA PRIVATE KEY-----\nMIIE+/=\nab\n-----END RSA PRIVATE KEY-----\nend", "••••\nend"],
	])
		assert.equal(maskSecrets(text), masked);
	const numbers = { password: 12345678, db_secret: 1, passwords: 2, max_tokens: 3, pass: 4 };
	assert.deepEqual(maskSecrets(numbers), { password: "••••", db_secret: "••••", passwords: 2, max_tokens: 3, pass: 4 });
	const names =
		"pwd dbPwd DB_PWD accessKey STRIPE_KEY auth x-auth OAuthToken authorisation authentication dbPass passcode X-Amz-Signature client_secret APIKey";
	for (const name of names.split(" ")) assert.deepEqual(maskSecrets({ [name]: "k7" }), { [name]: "••••" }, name);
	fc.assert(
		fc.property(fc.jsonValue(), fc.string({ minLength: 1 }), (value, secret) => {
			const masked = JSON.stringify(maskSecrets({ value, secret: `s3cr3t-${secret}` }));
			assert.doesNotMatch(masked, /s3cr3t-/);
		}),
	);
});

test("secrets are masked however many a text has", () => {
	const header = Buffer.from('{"alg":"HS256"}').toString("base64url");
	const token = (index: number) => `${header}.${"p".repeat(900)}${index}.${"s".repeat(80)}`;
	for (const between of [" ", "\n", ",", '","', "; Bearer "]) {
		const text = Array.from({ length: 300 }, (_, index) => token(index)).join(between);
		const shown = String(maskSecrets(text)).slice(0, 20_000);
		assert.equal(/p{20}|s{20}/.test(shown), false, JSON.stringify(between));
	}
});

test("a token of three parts is masked however long its first part is, and wherever it stands", () => {
	const token = (length: number): string => `eyJ${"a".repeat(length)}.b-c.d_e`;
	for (const text of [token(10), token(9_000), `id-${token(10)}`, `(${token(10)})`])
		assert.equal(maskSecrets(text), text.replace(/eyJ[^)]*/, "••••"));
	// As many beginnings as the text has letters for, and no end.
	const endless = "eyJ-".repeat(9_000);
	assert.equal(maskSecrets(endless), endless);
});

test("traffic goes on by the clock when that is put back, and forgets what has not happened yet", () => {
	let now = Date.UTC(2026, 0, 2);
	const traffic = new Traffic(() => now);
	traffic.ended("shop", "shop:buy", 5, false);
	now -= 86_400_000;
	for (let minutes = 0; minutes < 120; minutes++) {
		traffic.ended("shop", "shop:buy", 5, false);
		now += 60_000;
	}
	now -= 60_000;
	assert.deepEqual(
		Object.values(traffic.totals()).map(({ calls }) => calls),
		[60, 60, 60],
	);
	assert.equal(traffic.series("*").callsPerSecond.filter((rate) => rate > 0).length, 60);
});

test("the last two hundred calls are kept, and a large result is cut", () => {
	const calls = new Calls();
	for (let count = 0; count < 250; count++) {
		const began = calls.began("shop:buy", "shop", { count });
		if (count % 2 === 0) calls.ended(began, 1, { outcome: "ok", result: "x".repeat(30_000) });
	}
	assert.equal(calls.latest.length, 200);
	assert.equal(calls.get(1), undefined);
	assert.deepEqual(calls.get(250)?.args, { count: 249 });
	assert.ok(JSON.stringify(calls.get(249)).length < 25_000);
	assert.equal(calls.running("shop:buy")?.id, 250);
});

test("the console's page says how much of the record is kept", () => {
	const page = readFileSync(new URL("../../../../docs/console.md", import.meta.url), "utf8").replace(/\s+/g, " ");
	const [, entries = "", callCount = ""] =
		/about ([\d,]+) timeline entries .*?an hour of traffic, (\d+) calls\./.exec(page) ?? [];
	const [most, calls, timeline] = [Number(entries.replace(",", "")), new Calls(), new Timeline()];
	for (let n = 0; n < Number(callCount) + 5; n += 1) calls.began("a:b", "a", {});
	assert.equal(calls.latest.length, Number(callCount));
	for (let n = 0; n < most * 1.5; n += 1)
		timeline.add({ kind: "fault", server: "a", level: "bad", summary: "died", record: {} });
	const kept = timeline.page({ limit: 1 }).total;
	assert.ok(kept >= most && kept <= most * 1.1, `${kept} of ${most}`);
});

test("what is too long to keep is cut where it is long, so that the rest can still be read", () => {
	const calls = new Calls();
	const message = `no such database\n${"at query ".repeat(6_000)}`;
	const began = calls.began("shop:buy", "shop", { ids: Array.from({ length: 20_000 }, (_, id) => id), last: true });
	const { error, args } = calls.ended(began, 1, { outcome: "error", error: { code: "failed", message, retry: false } });
	assert.ok(typeof error === "object" && error !== null && "message" in error && "code" in error);
	assert.equal(error.code, "failed");
	assert.match(String(error.message), /^no such database\nat query .*… 34,\d{3} characters more$/s);
	assert.match(JSON.stringify(args), /^\{"ids":\[0,1,2,.*,"… \d+ more"\],"…":"1 more"\}$/);
	for (const kept of [error, args]) assert.ok(JSON.stringify(kept).length < 40_000);
});

test("a call of a tool that nobody has is counted once", () => {
	const traffic = new Traffic();
	traffic.ended("(unknown)", "(unknown)", 1, true);
	assert.equal(new Map(Object.entries(traffic.totals())).get("(unknown)")?.calls, 1);
});

test("a call is recorded under its server, also while that has not listed its tools", {
	timeout: 120_000,
}, async (t) => {
	const folder = mkdtempSync(join(tmpdir(), "holdfast-record-"));
	t.after(() => rmSync(folder, { recursive: true, force: true }));
	const configFile = join(folder, "metatools.json");
	writeFileSync(
		configFile,
		JSON.stringify({ mcpServers: { Late: { command: process.execPath, args: ["-e", SERVER] } } }),
	);
	const config = loadConfig({ flags: {}, configFile, environment: { XDG_STATE_HOME: folder } });
	const recorder = new Recorder();
	const gateway = createGateway(config, { command: "holdfast", aroundRuns: recorder.aroundRuns });
	t.after(() => gateway.stop());
	recorder.attach(gateway);
	gateway.start();
	const running = gateway.runner.run({
		toolId: "Late:echo",
		args: {},
		viewer: LOCAL_VIEWER,
		signal: AbortSignal.timeout(100_000),
	});
	assert.equal(recorder.calls.latest[0]?.server, "Late");
	assert.equal((await running).structured, "here");
	assert.deepEqual(
		recorder.calls.latest.map(({ toolId, server, outcome }) => [toolId, server, outcome]),
		[["Late:echo", "Late", "ok"]],
	);
	assert.deepEqual(Object.keys(recorder.traffic.totals()).toSorted(), ["*", "Late", "Late:echo"]);
});

test("what a server quotes of its command and of others' secrets is neither in the timeline nor in its file", {
	timeout: 120_000,
}, async (t) => {
	const folder = mkdtempSync(join(tmpdir(), "holdfast-record-"));
	t.after(() => rmSync(folder, { recursive: true, force: true }));
	const configFile = join(folder, "metatools.json");
	const script = `${SERVER}; setTimeout(() => {
		console.error("Error: 401 for", process.argv[2], "and ghp_" + "a".repeat(36));
		process.exit(3);
	}, 100)`;
	const args = ["-e", script, "--", "--header", "Authorization: Bearer hunter2"];
	writeFileSync(configFile, JSON.stringify({ mcpServers: { Shop: { command: process.execPath, args } } }));
	const config = loadConfig({ flags: {}, configFile, environment: { XDG_STATE_HOME: folder } });
	const recorder = new Recorder();
	const witness = new HostWitness(recorder);
	const logs = new ServerLogs(folder, () => {});
	const watch = combineWatches({ host: (...given) => witness.host(...given) }, logs);
	const gateway = createGateway(config, { command: "holdfast", watch });
	t.after(() => gateway.stop());
	gateway.start();
	const ended = (text: string) => text.includes("Error: 401 for Authorization: [secret] and [secret]");
	const read = () => readFileSync(join(folder, "Shop.jsonl"), "utf8");
	await until(() => ended(JSON.stringify(recorder.timeline.page({}))) && ended(read()));
	assert.doesNotMatch(JSON.stringify(recorder.timeline.page({})) + read(), /hunter2|ghp_/);
});

test("the timeline keeps ten thousand entries and pages through them without a gap", () => {
	const timeline = new Timeline();
	for (let count = 0; count < 12_500; count++)
		timeline.add({ kind: "fault", server: "shop", level: "bad", summary: `n${count}`, record: {} });
	const seen: number[] = [];
	for (let before: number | undefined = Number.MAX_SAFE_INTEGER; before !== undefined; ) {
		const page = timeline.page({ before, limit: 999 });
		seen.push(...page.entries.map(({ id }) => id));
		before = page.next;
	}
	assert.equal(seen[0], 12_500);
	assert.ok(seen.length >= 10_000 && seen.length <= 11_000);
	assert.ok(seen.every((id, place) => place === 0 || id === Number(seen[place - 1]) - 1));
	assert.deepEqual(timeline.extend(12_500, { outcome: "ok" })?.record, { outcome: "ok" });
	assert.equal(timeline.extend(1, {}), undefined);
});

test("the timeline of a server that says much before each crash keeps the latest of it, within some tens of megabytes", () => {
	const timeline = new Timeline();
	const stderr = Array.from({ length: 40 }, () => "x".repeat(2_000));
	const fault = { kind: "fault", server: "shop", level: "bad", summary: "process.exit", record: { stderr } } as const;
	for (let count = 1; count <= 500; count++) timeline.add(fault);
	const kept = timeline.page({ limit: 1_000 }).entries;
	assert.ok(JSON.stringify(kept).length < 40_000_000);
	assert.deepEqual([kept[0]?.id, kept.at(-1)?.id], [500, 501 - kept.length], "the oldest are gone, without a gap");
	const begun = timeline.add({ ...fault, record: {} });
	for (let count = 1; count <= 1_000; count++) timeline.extend(begun.id, { ...fault.record, count });
	timeline.add(fault);
	assert.ok(timeline.page({}).total > 300, "what is said again of one entry counts once");
});

test("traffic forgets what is older than an hour, and its quantiles are within a fifth of the truth", () => {
	let now = 1_000_000_000;
	const traffic = new Traffic(() => now);
	for (let ms = 1; ms <= 1_000; ms++) traffic.ended("shop", "shop:buy", ms, ms > 900);
	const [totals] = Object.entries(traffic.totals()).flatMap(([key, found]) => (key === "shop:buy" ? [found] : []));
	assert.ok(totals !== undefined);
	assert.deepEqual([totals.calls, totals.errors], [1_000, 100]);
	assert.ok(Math.abs(Number(totals.p50) - 500) <= 100, String(totals.p50));
	assert.ok(Math.abs(Number(totals.p99) - 990) <= 198, String(totals.p99));
	assert.equal(traffic.series("shop").callsPerSecond.at(-1), 100);
	now += 3_700_000;
	assert.deepEqual(traffic.totals(), {});
	assert.ok(traffic.series("shop").callsPerSecond.every((rate) => rate === 0));
});

test("names of tools nobody has are many, and take no more room than some hundreds", () => {
	const traffic = new Traffic();
	for (let count = 0; count < 5_000; count++) traffic.ended("shop", `shop:tool${count}`, 1, false);
	const totals = traffic.totals();
	assert.ok(Object.keys(totals).length <= 202);
	assert.equal(new Map(Object.entries(totals)).get("*")?.calls, 5_000);
});

/** A server with one tool. */
const SERVER = `
const results = {
	initialize: { protocolVersion: "2025-11-25", capabilities: { tools: {} }, serverInfo: { name: "late", version: "1" } },
	"tools/list": { tools: [{ name: "echo", inputSchema: { type: "object" } }] },
	"tools/call": { content: [{ type: "text", text: "here" }] },
};
require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
	const { id, method } = JSON.parse(line);
	const result = results[method];
	const answer = result === undefined ? { error: { code: -32601, message: "no" } } : { result };
	if (id !== undefined) console.log(JSON.stringify({ jsonrpc: "2.0", id, ...answer }));
});`;
