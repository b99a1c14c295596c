import assert from "node:assert/strict";
import { readdirSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { verifies } from "../../../../e2e/verifies.ts";
import { ERROR_TABLE } from "../../src/index.ts";
import { at, envelopeOf, listAt, resultOf, type Served, serve } from "../server/serving.ts";
import { type TestWorkspace, workspaceOf } from "./workspace.ts";

const cleanUp: (() => unknown)[] = [];
let indexed: TestWorkspace;
let shared: Served;

before(async () => {
	const t = { after: (undo: () => unknown) => void cleanUp.unshift(undo) };
	indexed = await workspaceOf(t);
	const other = await workspaceOf(t, undefined, { indexed: false, name: "second" });
	shared = await serve(t, indexed, { args: ["--repo", other.root] });
});
after(async () => {
	for (const undo of cleanUp) await undo();
});

verifies(
	["001-6.5.2-tool-index-status", "001-6.5.2-tool-build-index", "001-6.5.2-tool-search"],
	"status says that there is no index, a build makes one, search ranks its hits, and status sees the disk move on",
	async (t) => {
		const space = await workspaceOf(t, undefined, { indexed: false });
		const { client } = await serve(t, space);
		assert.equal(at(resultOf(await client.call("index_status")), "/status/indexed"), false);
		const { build } = resultOf(await client.call("build_index"));
		assert.equal(at(build, "/kind"), "build");
		assert.equal(at(build, "/files/indexed"), 3);
		const status = resultOf(await client.call("index_status")).status;
		assert.equal(at(status, "/indexed"), true);
		assert.equal(at(status, "/files"), 3);
		assert.ok(Number(at(status, "/indexBytes")) > 0 && Number(at(status, "/textBytes")) > 0);
		assert.deepEqual(at(status, "/stale"), { changed: 0, added: 0, removed: 0 });
		const hits = listAt(resultOf(await client.call("search", { query: "openSession" })), "/search/hits");
		assert.equal(at(hits[0], "/name"), "openSession");
		const scores = hits.map((hit) => Number(at(hit, "/score")));
		assert.deepEqual(
			scores,
			[...scores].sort((a, b) => b - a),
		);
		writeFileSync(join(space.root, "src/late.ts"), "export const lateArrival = 1;\n");
		utimesSync(join(space.root, "src/token.py"), new Date(), new Date(Date.now() - 60_000));
		assert.equal(at(resultOf(await client.call("index_status")), "/status/stale/added"), 1);
	},
);

verifies(
	"001-6.5.2-tool-config-status",
	"config_status reports the active configuration, with warnings as objects",
	async (t) => {
		const space = await workspaceOf(t, undefined, { indexed: false });
		const { client } = await serve(t, space, {
			env: { PAIROFCLEATS_QUEUE_MAX: "7", PAIROFCLEATS_TOOL_TIMEOUT_MS: "90000" },
		});
		const answer = await client.call("config_status");
		const { config, warnings, capabilities } = resultOf(answer);
		assert.equal(at(config, "/queueMax"), 7);
		assert.equal(at(config, "/timeoutsMs/build_index"), 90_000);
		assert.equal(at(config, "/transport"), "sdk");
		assert.equal(typeof at(capabilities, "/docs/mammoth"), "boolean");
		assert.ok(listAt(warnings, "").some((warning) => at(warning, "/code") === "index_missing"));
		for (const warning of listAt(warnings, "")) assert.equal(typeof at(warning, "/message"), "string");
		assert.deepEqual(envelopeOf(answer)._meta.warnings, warnings);
	},
);

test("with several repositories, a search that names none says which one it covers", async (t) => {
	const warningsOf = async (args: object): Promise<unknown> =>
		at(envelopeOf(await shared.client.call("search", { query: "session", ...args })), "/_meta/warnings");
	assert.deepEqual(await warningsOf({}), [
		{
			code: "default_repository",
			message: "only repo was searched; repoPath names another repository: second",
			field: "repoPath",
		},
	]);
	assert.equal(await warningsOf({ repoPath: "repo" }), undefined);
	const { client } = await serve(t, indexed);
	assert.equal(at(envelopeOf(await client.call("search", { query: "session" })), "/_meta/warnings"), undefined);
});

verifies("000-6-code-capability-missing", "data that only a host has is CAPABILITY_MISSING without one", async () => {
	const { client } = shared;
	const envelope = envelopeOf(await client.call("config_status", { host: true }));
	assert.equal(at(envelope, "/error/code"), "CAPABILITY_MISSING");
	assert.match(String(at(envelope, "/error/message")), /^host: /);
	for (const [tool, args, said] of [
		["download_extensions", { platform: "plan9" }, "plan9"],
		["download_extensions", { arch: "pdp11" }, "pdp11"],
		["check_status", { host: true }, "host: "],
	] as const) {
		const answer = await client.call(tool, args);
		assert.equal(answer.result?.isError, true, tool);
		assert.equal(at(envelopeOf(answer), "/error/code"), "CAPABILITY_MISSING", tool);
		assert.ok(String(at(envelopeOf(answer), "/error/message")).includes(said), tool);
	}
	assert.deepEqual([ERROR_TABLE.CAPABILITY_MISSING.http, ERROR_TABLE.CAPABILITY_MISSING.rpc], [501, -32603]);
});

verifies(
	"001-6.5.2-tool-build-sqlite-index",
	"build_sqlite_index leaves a SQLite file whose answers equal those of the index before it",
	async (t) => {
		const space = await workspaceOf(t, undefined, { indexed: false });
		const { client } = await serve(t, space);
		await client.call("build_index");
		const queries = ["session", "parse_token", '"token of a user"', "/open\\w+/"];
		const ask = async (): Promise<unknown[]> => {
			const answers: unknown[] = [];
			for (const query of queries) {
				const { search } = resultOf(await client.call("search", { query, output: "full" }));
				// A busy machine may still be reading the files, which an answer says.
				answers.push({ ...Object(search), warnings: [] });
			}
			return answers;
		};
		const before = await ask();
		const { sqlite } = resultOf(await client.call("build_sqlite_index"));
		assert.match(String(at(sqlite, "/file")), /\.sqlite$/);
		assert.ok(Number(at(sqlite, "/bytes")) > 0);
		assert.equal(at(sqlite, "/checked/files"), 3);
		assert.deepEqual(await ask(), before);
		const file = findFile(space.cacheRoot, String(at(sqlite, "/file")));
		const { DatabaseSync } = await import("node:sqlite");
		const database = new DatabaseSync(file, { readOnly: true });
		t.after(() => database.close());
		assert.equal(Object.values(database.prepare("PRAGMA integrity_check").get() ?? {})[0], "ok");
	},
);

verifies(
	"001-6.5.2-tool-report-artifacts",
	"report_artifacts lists each file of the index with its size on disk",
	async () => {
		const { client } = shared;
		await client.call("search", { query: "session" });
		const { artifacts } = resultOf(await client.call("report_artifacts"));
		const folder = join(indexed.cacheRoot, "repos", String(at(artifacts, "/id")));
		const onDisk = readdirSync(folder)
			.sort()
			.map((name) => ({ name, bytes: statSync(join(folder, name)).size }));
		assert.deepEqual(listAt(artifacts, "/files"), onDisk);
		assert.equal(
			at(artifacts, "/totalBytes"),
			onDisk.reduce((sum, { bytes }) => sum + bytes, 0),
		);
		assert.equal(at(artifacts, "/indexed"), true);
	},
);

verifies(
	["000-3.1-deprecated-alias", "000-3.2-tool-index-build", "000-3.2-tool-check-status"],
	"the two old names answer like their targets and say that they are deprecated",
	async () => {
		const { client } = shared;
		const tools = listAt(await client.request("tools/list"), "/result/tools");
		for (const [old, target] of [
			["index_build", "build_index"],
			["check_status", "config_status"],
		] as const) {
			const [mine, theirs] = [old, target].map((name) => tools.find((tool) => at(tool, "/name") === name));
			assert.equal(at(mine, "/_meta/deprecated"), true);
			assert.equal(at(mine, "/_meta/aliasOf"), target);
			assert.match(String(at(mine, "/description")), new RegExp(`^Deprecated: use ${target}`));
			assert.equal(at(theirs, "/_meta/deprecated"), undefined);
			for (const part of ["/inputSchema", "/outputSchema"]) assert.deepEqual(at(mine, part), at(theirs, part));
		}
		assert.deepEqual(resultOf(await client.call("check_status")), resultOf(await client.call("config_status")));
		const [built, again] = [await client.call("index_build"), await client.call("build_index")].map(
			(answer) => resultOf(answer).build,
		);
		for (const part of ["/kind", "/files", "/chunks", "/bytes"]) assert.deepEqual(at(built, part), at(again, part));
		const bad = await Promise.all([client.call("index_build", { mode: 1 }), client.call("build_index", { mode: 1 })]);
		assert.deepEqual(bad[0]?.error, bad[1]?.error);
	},
);

verifies(
	"000-3.2-tool-show-file",
	"show_file gives the text of a file, whole or by lines, and nothing outside",
	async () => {
		const { client } = shared;
		const whole = resultOf(await client.call("show_file", { path: "docs/guide.md" }));
		assert.equal(
			at(whole, "/file/text"),
			"# Sessions\n\nA session holds the token of a user.\n\n## Tokens\n\nTokens expire after a day.",
		);
		const lines = resultOf(await client.call("show_file", { path: "docs/guide.md", startLine: 3, endLine: 3 }));
		assert.equal(at(lines, "/file/text"), "A session holds the token of a user.");
		for (const path of ["../cache", "/etc/passwd", "docs/../../x"]) {
			const envelope = envelopeOf(await client.call("show_file", { path }));
			assert.equal(at(envelope, "/error/code"), "NOT_FOUND", path);
		}
	},
);

verifies(
	"000-3.2-tool-workspace-status",
	"workspace_status lists every repository and the state of its index",
	async () => {
		const { client } = shared;
		const repositories = listAt(resultOf(await client.call("workspace_status")), "/repositories");
		assert.deepEqual(
			repositories.map((one) => [at(one, "/repo"), at(one, "/default"), at(one, "/index/indexed")]),
			[
				["repo", true, true],
				["second", false, false],
			],
		);
	},
);

function findFile(folder: string, name: string): string {
	const found = readdirSync(folder, { recursive: true, encoding: "utf8" }).find((path) => path.endsWith(name));
	if (found === undefined) throw new Error(`no ${name}`);
	return join(folder, found);
}
