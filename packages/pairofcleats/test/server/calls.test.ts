import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { Ajv2020 } from "ajv/dist/2020.js";
import type { Answer } from "libmcp/testing";
import { until } from "../../../../e2e/until.ts";
import { verifies } from "../../../../e2e/verifies.ts";
import { FILES, workspaceOf } from "../tools/workspace.ts";
import { at, envelopeOf, errorCodeOf, listAt, replacing, resultOf, type Served, serve } from "./serving.ts";

/** For tests that change nothing. */
let shared: Served;
const cleanUp: (() => unknown)[] = [];
before(async () => {
	const t = { after: (undo: () => unknown) => void cleanUp.unshift(undo) };
	shared = await serve(t, await workspaceOf(t));
});
after(async () => {
	for (const undo of cleanUp) await undo();
});

verifies(
	[
		"001-6.7-success-result",
		"001-6.7-structured-content",
		"001-6.7-compact-json",
		"001-4.2-success-envelope",
		"001-4.4-meta-versions",
		"001-4.4-meta-ts",
		"001-4.4-meta-duration-ms",
		"001-4.3-extra-data-placement",
	],
	"a success is one text item with the compact envelope, which is the structured content too",
	async () => {
		const { client } = shared;
		const first = await client.call("search", { query: "openSession" });
		const { content, structuredContent, isError } = first.result ?? {};
		assert.equal(isError, false);
		assert.equal(listAt(content, "").length, 1);
		assert.equal(at(content, "/0/type"), "text");
		const text = String(at(content, "/0/text"));
		assert.equal(text, JSON.stringify(JSON.parse(text)));
		assert.deepEqual(JSON.parse(text), structuredContent);
		assert.deepEqual(Object.keys(JSON.parse(text)), ["ok", "result", "_meta"]);
		assert.deepEqual(Object.keys(envelopeOf(first)._meta), [
			"schemaVersion",
			"toolingVersion",
			"ts",
			"requestId",
			"repo",
			"durationMs",
		]);
		const { _meta } = envelopeOf(first);
		assert.equal(_meta.schemaVersion, "2.0.1");
		assert.match(_meta.toolingVersion, /^\d+\.\d+\.\d+/);
		assert.match(_meta.ts, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
		assert.ok((_meta.durationMs ?? -1) >= 0);
	},
);

verifies(
	[
		"001-6.7-failure-result",
		"001-4.2-error-envelope",
		"001-4.2-error-code-message",
		"001-5.2-tool-error-envelope",
		"000-6-code-not-found",
		"000-6-code-no-index",
		"000-6-code-forbidden",
	],
	"a failing tool is flagged and its envelope names code, message and details",
	async (t) => {
		const space = await workspaceOf(t);
		const bare = join(space.base, "bare");
		mkdirSync(bare);
		const { client } = await serve(t, space, { args: ["--repo", bare] });
		const missing = await client.call("show_file", { path: "no/such.ts" });
		const noIndex = await client.call("search", { query: "x", repoPath: bare });
		const outside = await client.call("search", { query: "x", repoPath: "/" });
		for (const [answer, code] of [
			[missing, "NOT_FOUND"],
			[noIndex, "NO_INDEX"],
			[outside, "FORBIDDEN"],
		] as const) {
			assert.equal(answer.result?.isError, true);
			const envelope = envelopeOf(answer);
			assert.deepEqual(JSON.parse(String(at(answer.result, "/content/0/text"))), envelope);
			assert.deepEqual(Object.keys(envelope), ["ok", "error", "_meta"]);
			assert.equal(errorCodeOf(answer), code);
			assert.ok(!envelope.ok && envelope.error.message.length > 0);
		}
		assert.match(String(at(envelopeOf(noIndex), "/error/details/hint")), /index build/);
	},
);

verifies(
	["001-6.6-invalid-params", "001-6.6-invalid-details", "001-6.6-unknown-argument-sdk", "001-6.6-malformed-call"],
	"wrong arguments and malformed calls are -32602 with every violation named",
	async () => {
		const { client } = shared;
		const bad = await client.call("search", { query: 7, top: "many", colour: "red" });
		assert.equal(bad.error?.code, -32602);
		assert.equal(at(bad.error, "/data/code"), "INVALID_REQUEST");
		const details = at(bad.error, "/data/details");
		assert.ok(Array.isArray(details));
		for (const one of details)
			for (const key of ["instancePath", "keyword", "message"]) assert.equal(typeof one[key], "string");
		const named = details.map((one) => one.instancePath || at(one, "/params/additionalProperty"));
		assert.deepEqual(named.sort(), ["/query", "/top", "colour"]);
		for (const params of [{}, { name: 7 }, { name: "search", arguments: [] }, { name: "search", arguments: "x" }]) {
			const { error } = await client.request("tools/call", params);
			assert.equal(error?.code, -32602, JSON.stringify(params));
			assert.equal(at(error, "/data/code"), "INVALID_REQUEST");
			assert.ok(Array.isArray(at(error, "/data/details")), JSON.stringify(error));
		}
	},
);

verifies(
	["001-6.6-validated-against-schema", "000-4.1-reserved-argument", "000-6-code-invalid-request"],
	"arguments of every tool are checked before any work, and reserved ones are refused when set",
	async () => {
		const { client } = shared;
		const tools = at(await client.request("tools/list"), "/result/tools");
		assert.ok(Array.isArray(tools));
		let reserved = 0;
		for (const { name, inputSchema } of tools) {
			const unknown = await client.call(name, { noSuchArgument: 1 });
			assert.equal(unknown.error?.code, -32602, name);
			assert.ok(JSON.stringify(unknown.error).includes("noSuchArgument"), name);
			for (const [argument, schema] of Object.entries(inputSchema.properties)) {
				if (typeof schema !== "object" || schema === null || !("not" in schema)) continue;
				reserved += 1;
				const refused = await client.call(name, { [argument]: true });
				assert.equal(refused.error?.code, -32602, `${name}.${argument}`);
				assert.equal(at(refused.error, "/data/code"), "INVALID_REQUEST");
				assert.ok(JSON.stringify(refused.error).includes(`/${argument}`));
			}
		}
		assert.ok(reserved > 0);
	},
);

verifies("001-5.1-code-unknown-tool", "a call to a tool that does not exist is -32602 with UNKNOWN_TOOL", async () => {
	const { client } = shared;
	const { error } = await client.call("no_such_tool");
	assert.equal(error?.code, -32602);
	assert.equal(at(error, "/data/code"), "UNKNOWN_TOOL");
});

verifies(
	"001-6.7-render-porcelain",
	"the text is human-readable only on request, and the structured content is still the envelope",
	async () => {
		const { client } = shared;
		const answer = await client.call("search", { query: "openSession", render: "porcelain" });
		const text = String(at(answer.result, "/content/0/text"));
		assert.match(text, /^\d+ hits? of \d+ in \d+ files?/);
		assert.ok(text.includes("src/session.ts:") && text.includes("openSession"));
		assert.equal(envelopeOf(answer).ok, true);
		const failed = await client.call("show_file", { path: "none", render: "porcelain" });
		assert.match(String(at(failed.result, "/content/0/text")), /^NOT_FOUND: /);
		assert.equal(errorCodeOf(failed), "NOT_FOUND");
		const file = await client.call("show_file", {
			path: "src/session.ts",
			startLine: 3,
			endLine: 5,
			render: "porcelain",
		});
		assert.deepEqual(String(at(file.result, "/content/0/text")).split("\n"), [
			"src/session.ts:3-5 of 15 lines",
			"  3: /** Opens a session for a user. */",
			"  4: export async function openSession(user: string): Promise<string> {",
			'  5:   const text = await readFile(user, "utf8");',
		]);
		const sizes = await client.call("report_artifacts", { render: "porcelain" });
		assert.match(String(at(sizes.result, "/content/0/text")), /^repository: repo\n.*\nFILE +SIZE\n/s);
		const json = await client.call("search", { query: "openSession", render: "json" });
		assert.deepEqual(resultOf(json), resultOf(answer));
	},
);

verifies(
	["001-4.4-meta-request-id", "001-4.4-meta-warnings"],
	"the request id joins envelope and log, and warnings are objects with a code",
	async () => {
		const { client, stderr } = shared;
		const answer = await client.call(
			"search",
			{ query: "session", lang: "" },
			{ "pairofcleats/requestId": "trace-4711" },
		);
		const { _meta } = envelopeOf(answer);
		assert.equal(_meta.requestId, "trace-4711");
		await until(() => stderr().includes('"trace-4711"'), "the line of the log");
		assert.ok(Array.isArray(_meta.warnings) && _meta.warnings.length > 0);
		for (const warning of _meta.warnings) {
			assert.equal(typeof warning.code, "string");
			assert.equal(typeof warning.message, "string");
		}
		const plain = await client.request("tools/call", { name: "index_status" }, "by-id");
		assert.equal(envelopeOf(plain)._meta.requestId, "by-id");
	},
);

verifies(
	["001-4.4-meta-repo", "001-9.1-repo-path"],
	"the repository is named as the caller named it, and no path of the server is told",
	async (t) => {
		const space = await workspaceOf(t);
		const other = join(space.base, "other");
		mkdirSync(other);
		writeFileSync(join(other, "only.ts"), "export const onlyHere = 1;\n");
		const { client } = await serve(t, space, { args: ["--repo", other] });
		const own = await client.call("search", { query: "openSession" });
		assert.equal(envelopeOf(own)._meta.repo, "repo");
		assert.ok(!JSON.stringify(own).includes(space.base));
		assert.equal(resultOf(await client.call("build_index", { repoPath: other })).repo, other);
		const there = await client.call("search", { query: "onlyHere", repoPath: other });
		assert.equal(envelopeOf(there)._meta.repo, other);
		assert.equal(at(resultOf(there), "/search/hits/0/path"), "only.ts");
		for (const tool of ["index_status", "config_status", "report_artifacts", "workspace_status"]) {
			assert.ok(!JSON.stringify(await client.call(tool)).includes(space.base), tool);
		}
	},
);

verifies(
	"000-6-code-internal",
	"an exception inside a tool is INTERNAL and reveals nothing about itself, and the server keeps running",
	async (t) => {
		const space = await workspaceOf(t);
		const broken = `export const showFile = async () => { throw new TypeError("broken in ${space.root}"); };`;
		const { client, stderr } = await serve(t, space, { nodeArgs: replacing("/tools/searchTools.js", broken) });
		const answer = await client.call("show_file", { path: "src/session.ts" });
		assert.equal(errorCodeOf(answer), "INTERNAL");
		assert.ok(!JSON.stringify(answer).includes(space.base));
		assert.doesNotMatch(JSON.stringify(answer), /\bat .*\.js:\d+/);
		assert.match(stderr(), /INTERNAL .*TypeError: broken/);
		assert.equal(listAt(await client.request("tools/list"), "/result/tools").length, 21);
	},
);

verifies("000-4.1-deterministic-calls", "the same call on an unchanged repository gives the same payload", async () => {
	const { client } = shared;
	for (const [tool, args] of [
		["search", { query: "session token", explain: true, output: "full" }],
		["index_status", {}],
		["config_status", {}],
		["report_artifacts", {}],
		["show_file", { path: "src/session.ts" }],
		["workspace_status", {}],
	] as const) {
		await client.call(tool, args);
		const payloads = [await client.call(tool, args), await client.call(tool, args)].map(resultOf);
		assert.deepEqual(payloads[0], payloads[1], tool);
	}
});

verifies(
	"002-replay-pairofcleats-declares",
	"every tool declares its contract; a worker killed in the middle of a read is replaced and the call answered",
	async (t) => {
		const space = await workspaceOf(t, { ...FILES, ...bulk() });
		const { client, living, child } = await serve(t, space, { hosted: true });
		const tools = at(await client.request("tools/list"), "/result/tools");
		assert.ok(Array.isArray(tools));
		for (const tool of tools) {
			const kind = at(tool, "/_meta/io.libmcp~1effect/recovery/kind");
			assert.ok(kind === "replay_safe" || kind === "at_most_once", tool.name);
		}
		assert.equal(
			at(
				tools.find(({ name }) => name === "triage_decision"),
				"/_meta/io.libmcp~1effect/recovery/kind",
			),
			"at_most_once",
		);
		const calls = Array.from({ length: 8 }, () => client.call("search", { query: "/work\\d+_3.*input/", top: 5 }));
		const worker = living().find((pid) => pid !== child.pid && commandOf(pid).includes("--direct"));
		assert.ok(worker !== undefined);
		process.kill(worker, "SIGKILL");
		for (const answer of await Promise.all(calls)) assert.equal(errorCodeOf(answer), undefined, JSON.stringify(answer));
		assert.deepEqual(client.violations, []);
	},
);

verifies(
	"002-telemetry-pairofcleats-exposes",
	"run by default, the server tells its client health and telemetry in the common form",
	async (t) => {
		const { client } = await serve(t, await workspaceOf(t), { hosted: true });
		await client.call("search", { query: "session" });
		const report = resultOf(await client.call("config_status", { host: true })).host;
		assert.equal(at(report, "/health/generation"), 1);
		assert.equal(at(report, "/health/restartCount"), 0);
		assert.ok(Number(at(report, "/telemetry/totals/requests")) >= 2, JSON.stringify(report));
		assert.equal(resultOf(await client.call("config_status")).host, undefined);
		assert.equal(listAt(await client.request("tools/list"), "/result/tools").length, 21);
	},
);

verifies(
	"001-6.4-tools-capability",
	"under the host listChanged is true, since the host sends the notification",
	async (t) => {
		const { client } = await serve(t, await workspaceOf(t), { hosted: true, raw: true });
		const { result } = await client.request("initialize", {
			protocolVersion: "2025-11-25",
			capabilities: {},
			clientInfo: { name: "test", version: "1.0.0" },
		});
		assert.deepEqual(at(result, "/capabilities/tools"), { listChanged: true });
	},
);

verifies(
	"000-6-code-forbidden",
	"a root declared by the client is accessible, and a link out of the workspace is not",
	async (t) => {
		const space = await workspaceOf(t);
		const declared = await workspaceOf(t, { "a.ts": "export const declaredHere = 1;\n" }, { indexed: false });
		const secret = await workspaceOf(t, { "b.ts": "export const secret = 1;\n" });
		symlinkSync(secret.root, join(space.root, "link"));
		const { client } = await serve(t, space);
		let roots = [{ uri: `file://${declared.root}` }];
		client.onRequest = (method) => (method === "roots/list" ? { roots } : undefined);
		assert.equal(resultOf(await client.call("index_status", { repoPath: declared.root })).repo, declared.root);
		assert.equal(errorCodeOf(await client.call("index_status", { repoPath: join(space.root, "link") })), "FORBIDDEN");
		assert.equal(errorCodeOf(await client.call("index_status", { repoPath: secret.root })), "FORBIDDEN");
		assert.equal(errorCodeOf(await client.call("index_status", { repoPath: "/no/such/folder" })), "FORBIDDEN");
		assert.equal(errorCodeOf(await client.call("index_status", { repoPath: join(space.root, "none") })), "NOT_FOUND");
		roots = [];
		client.notify("notifications/roots/list_changed");
		assert.equal(errorCodeOf(await client.call("index_status", { repoPath: declared.root })), "FORBIDDEN");
	},
);

verifies(
	"001-6.7-structured-content",
	"successes and failures of every tool meet the output schema that the list gives",
	async (t) => {
		const space = await workspaceOf(t);
		const { client } = await serve(t, space);
		const ajv = new Ajv2020({ strict: false });
		const tools = at(await client.request("tools/list"), "/result/tools");
		assert.ok(Array.isArray(tools));
		const minimal: Record<string, Record<string, unknown>> = {
			search: { query: "session" },
			show_file: { path: "src/session.ts" },
			triage_ingest: { source: "manual", inputPath: "none.json" },
			triage_decision: { finding: "none", status: "fix" },
			triage_context_pack: { recordId: "none" },
			download_models: { cacheDir: join(space.base, "none") },
			bootstrap: { skipModels: true, skipDicts: true },
			cache_gc: { dryRun: true },
			clean_artifacts: { dryRun: true },
		};
		for (const { name, outputSchema } of tools) {
			if (name.startsWith("download_")) continue;
			const answers: Answer[] = [await client.call(name, minimal[name] ?? {})];
			if ("repoPath" in (tools.find((tool) => tool.name === name)?.inputSchema.properties ?? {})) {
				answers.push(await client.call(name, { ...minimal[name], repoPath: "/" }));
			}
			for (const answer of answers) {
				const envelope = envelopeOf(answer);
				assert.ok(ajv.validate(outputSchema, envelope), `${name}: ${ajv.errorsText()} ${JSON.stringify(envelope)}`);
			}
		}
	},
);

function bulk(): Record<string, string> {
	const lines = Array.from({ length: 200 }, (_, at) => `export const work${at}_3 = (input: string) => input;`).join(
		"\n",
	);
	return Object.fromEntries(Array.from({ length: 20 }, (_, at) => [`bulk/b${at}.ts`, lines]));
}

function commandOf(pid: number): string {
	try {
		return execFileSync("ps", ["-o", "args=", "-p", String(pid)], { encoding: "utf8" });
	} catch {
		return "";
	}
}

test("nearly correct calls are understood, or the error says what was meant", async (t) => {
	const space = await workspaceOf(t);
	const second = await workspaceOf(t, { "only.ts": "export const onlyHere = 1;\n" }, { name: "second" });
	const { client } = await serve(t, space, { args: ["--repo", second.root] });
	const says = async (name: string, args: Record<string, unknown>) => {
		const answer = await client.call(name, args);
		return answer.error?.message ?? at(answer, "/result/structuredContent/error/message");
	};
	assert.equal(await says("serch", { query: "x" }), 'no tool is called "serch"; did you mean search?');
	assert.equal(await says("search", { query: "x", langs: "go" }), "langs: no such argument; did you mean lang?");
	assert.equal(
		await says("show_file", { path: "session.ts" }),
		'path: expected an indexed file, got "session.ts"; there is src/session.ts',
	);
	assert.equal(
		await says("show_file", { path: "src/session.ts", startLine: 99 }),
		"startLine: expected a line from 1 to 15, got 99",
	);
	assert.equal(
		await says("search", { query: "x", repoPath: "/etc" }),
		"repoPath: expected a folder inside an allowed repository; workspace_status names them",
	);
	const whole = join(space.root, "src");
	assert.equal(
		at(resultOf(await client.call("search", { query: "openSession", path: `${whole}/` })), "/search/hits/0/path"),
		"src/session.ts",
	);
	assert.equal(
		at(resultOf(await client.call("show_file", { path: join(whole, "token.py") })), "/file/path"),
		"src/token.py",
	);
	const { repositories } = resultOf(await client.call("workspace_status", {}));
	assert.equal(at(repositories, "/1/repo"), "second");
	assert.equal(at(resultOf(await client.call("index_status", { repoPath: "second" })), "/repo"), "second");
	assert.equal(at(resultOf(await client.call("index_status", { repoPath: "" })), "/repo"), "repo");
});
