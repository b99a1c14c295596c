import assert from "node:assert/strict";
import { existsSync, mkdirSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { TestClient } from "libmcp/testing";
import { verifies } from "../../../../e2e/verifies.ts";
import { TOOL_NAMES, toolOf } from "../../src/registry/registry.ts";
import { HANDLERS } from "../../src/tools/handlers.ts";
import { type FileServer, fileServer } from "../assets/fileServer.ts";
import { tinyModel } from "../assets/tinyModel.ts";
import { commit, git } from "../filter/fixtureRepository.ts";
import { CHANGES } from "../parity/requests.ts";
import { at, errorCodeOf, listAt, resultOf, serve } from "../server/serving.ts";
import { FILES, workspaceOf } from "./workspace.ts";

type Shown = (client: TestClient, other: string) => Promise<boolean>;

const repoPath =
	(tool: string, more: Record<string, unknown> = {}): Shown =>
	async (client, other) =>
		resultOf(await client.call(tool, { ...more, repoPath: other })).repo === other;
const builds = (tool: string): Record<string, Shown> => ({
	repoPath: repoPath(tool),
	incremental: async (client) =>
		at(resultOf(await client.call(tool, { incremental: true })), "/build/kind") === "update",
});
const status = (tool: string): Record<string, Shown> => ({
	repoPath: repoPath(tool),
	host: async (client) => errorCodeOf(await client.call(tool, { host: true })) === "CAPABILITY_MISSING",
});
const blame = (tool: string): Record<string, Shown> => ({
	blame: async (client) => {
		const byAda = async (): Promise<number> =>
			listAt(resultOf(await client.call("search", { query: "session", chunkAuthor: "Ada" })), "/search/hits").length;
		await client.call(tool, { blame: false });
		const without = await byAda();
		await client.call(tool, { blame: true });
		return without === 0 && (await byAda()) > 0;
	},
});

const refused =
	(tool: string, args: Record<string, unknown>, code: string): Shown =>
	async (client) =>
		errorCodeOf(await client.call(tool, args)) === code;
const FINDINGS = { source: "generic", inputPath: "findings.json" };
/** What a decision is given, and where the decision in force has it. */
const DECIDED: Readonly<Record<string, readonly [value: unknown, pointer: string]>> = {
	status: ["accept", "/status"],
	justification: ["unreachable", "/justification"],
	reviewer: ["ann", "/reviewer"],
	expires: ["2999-01-31", "/expiresAt"],
	codes: [["vulnerable_code_absent"], "/codes"],
	evidence: [["src/token.py:1"], "/evidence"],
};

/** The id of the finding that is ingested. */
async function ingested(client: TestClient, other: string, more: object = {}): Promise<string> {
	const result = resultOf(await client.call("triage_ingest", { ...FINDINGS, repoPath: other, ...more }));
	return String(at(result, "/recordIds/0"));
}

/** How many indexes of folders that are no repository here a collection would remove. */
async function gone(client: TestClient, limit: object): Promise<number> {
	return listAt(resultOf(await client.call("cache_gc", { dryRun: true, ...limit })), "/removals").length;
}

let files: FileServer;

/** The arguments that all downloads share, against a server of our own. */
function fetches(tool: string, more: object = {}): Record<string, Shown> {
	const bytes = tool === "download_models" ? tinyModel() : Buffer.from("session\n");
	const serving = (): string => {
		const url = files.serve(`/${tool}`, (request, response) => {
			const isSame = request.headers["if-none-match"] === '"1"';
			response.writeHead(isSame ? 304 : 200, { etag: '"1"', "content-length": isSame ? 0 : bytes.length });
			response.end(isSame ? undefined : bytes);
		});
		return `thing=${url}`;
	};
	const outcome = async (client: TestClient, args: object): Promise<unknown> =>
		at(
			resultOf(await client.call(tool, { url: serving(), allowUnverified: true, ...more, ...args })),
			"/downloads/0/outcome",
		);
	return {
		url: async (client) => ["fetched", "present"].includes(String(await outcome(client, {}))),
		allowUnverified: async (client) =>
			errorCodeOf(await client.call(tool, { url: serving(), force: true, ...more })) !== undefined,
		force: async (client) => {
			await outcome(client, {});
			return (await outcome(client, {})) === "present" && (await outcome(client, { force: true })) === "fetched";
		},
		update: async (client) => {
			await outcome(client, { force: true });
			return (await outcome(client, {})) === "present" && (await outcome(client, { update: true })) === "unchanged";
		},
	};
}

const SKIP_ALL = { skipModels: true, skipDicts: true, skipIndex: true };
const skips =
	(step: string): Shown =>
	async (client) =>
		listAt(resultOf(await client.call("bootstrap", SKIP_ALL)), "/steps").some(
			(one) => at(one, "/step") === step && at(one, "/outcome") === "skipped",
		);

/** For each argument of each tool, a check that it has an effect. */
const SHOWN: Readonly<Record<string, Readonly<Record<string, Shown>>>> = {
	index_status: { repoPath: repoPath("index_status") },
	config_status: status("config_status"),
	check_status: status("check_status"),
	build_index: { ...builds("build_index"), ...blame("build_index") },
	index_build: { ...builds("index_build"), ...blame("index_build") },
	build_sqlite_index: {
		...builds("build_sqlite_index"),
		validate: async (client) =>
			at(resultOf(await client.call("build_sqlite_index", { validate: false })), "/sqlite/checked") === undefined,
	},
	report_artifacts: {
		repoPath: repoPath("report_artifacts"),
		allRepos: async (client) => "repositories" in resultOf(await client.call("report_artifacts", { allRepos: true })),
	},
	show_file: {
		repoPath: repoPath("show_file", { path: "docs/guide.md" }),
		path: async (client) =>
			at(resultOf(await client.call("show_file", { path: "src/token.py" })), "/file/path") === "src/token.py",
		startLine: async (client) =>
			at(resultOf(await client.call("show_file", { path: "src/token.py", startLine: 2 })), "/file/startLine") === 2,
		endLine: async (client) =>
			at(resultOf(await client.call("show_file", { path: "src/token.py", endLine: 2 })), "/file/endLine") === 2,
	},
	search: {
		repoPath: repoPath("search", { query: "session" }),
		backend: async (client) =>
			(await client.call("search", { query: "session", backend: "memory" })).error?.code === -32602 &&
			"search" in resultOf(await client.call("search", { query: "session", backend: "sqlite" })),
	},
	download_models: {
		cacheDir: refused("download_models", { cacheDir: "/elsewhere" }, "FORBIDDEN"),
		model: refused("download_models", { model: "other" }, "INVALID_REQUEST"),
		...fetches("download_models"),
	},
	download_dictionaries: {
		dir: refused("download_dictionaries", { dir: "/elsewhere" }, "FORBIDDEN"),
		lang: refused("download_dictionaries", { lang: "xx" }, "INVALID_REQUEST"),
		...fetches("download_dictionaries"),
	},
	verify_extensions: {
		dir: refused("verify_extensions", { dir: "/elsewhere" }, "FORBIDDEN"),
		path: refused("verify_extensions", { path: "../x" }, "FORBIDDEN"),
		load: async (client) => {
			// Not loadable: trying to load it is what tells the two apart.
			const url = files.serve("/vec0.so", Buffer.from("no library"));
			await client.call("download_extensions", { url: `x=${url}`, out: "vec0.so", allowUnverified: true });
			const tried = async (args: object): Promise<unknown> =>
				at(
					resultOf(await client.call("verify_extensions", { path: "vec0.so", ...args })),
					"/extensions/0/load/attempted",
				);
			return (await tried({ load: false })) === false && (await tried({})) === true;
		},
	},
	download_extensions: {
		provider: refused("download_extensions", { provider: "other" }, "INVALID_REQUEST"),
		platform: refused("download_extensions", { platform: "plan9" }, "CAPABILITY_MISSING"),
		arch: refused("download_extensions", { arch: "pdp11" }, "CAPABILITY_MISSING"),
		dir: refused("download_extensions", { dir: "/elsewhere" }, "FORBIDDEN"),
		out: refused(
			"download_extensions",
			{ url: "http://127.0.0.1:1/x", out: "../x", allowUnverified: true },
			"INVALID_REQUEST",
		),
		...fetches("download_extensions", { out: "thing.so" }),
	},
	compact_sqlite_index: {
		repoPath: repoPath("compact_sqlite_index", { dryRun: true }),
		dryRun: async (client) => {
			const file = async (): Promise<unknown> =>
				at(resultOf(await client.call("report_artifacts")), "/artifacts/index");
			const before = await file();
			await client.call("compact_sqlite_index", { dryRun: true });
			if ((await file()) !== before) return false;
			await client.call("compact_sqlite_index", { dryRun: false });
			return (await file()) !== before;
		},
		keepBackup: async (client) => {
			const backup = async (keepBackup: boolean): Promise<boolean> =>
				"backup" in resultOf(await client.call("compact_sqlite_index", { keepBackup }));
			return !(await backup(false)) && (await backup(true));
		},
	},
	clean_artifacts: {
		repoPath: repoPath("clean_artifacts", { dryRun: true }),
		all: async (client, other) => {
			const count = async (all: boolean): Promise<number> =>
				listAt(resultOf(await client.call("clean_artifacts", { repoPath: other, all, dryRun: true })), "/removals")
					.length;
			return (await count(false)) < (await count(true));
		},
		dryRun: async (client, other) => {
			const outcome = async (dryRun: boolean): Promise<unknown> =>
				at(resultOf(await client.call("clean_artifacts", { repoPath: other, dryRun })), "/removals/0/outcome");
			const isDry = (await outcome(true)) === "would_go" && (await outcome(false)) === "removed";
			await client.call("build_index", { repoPath: other });
			return isDry;
		},
	},
	cache_gc: {
		// Both repositories are in use, so nothing is removed; a limit that acts is reported with what it would take.
		dryRun: async (client) =>
			at(resultOf(await client.call("cache_gc", { dryRun: true, maxBytes: 0 })), "/dryRun") === true &&
			at(resultOf(await client.call("cache_gc", { dryRun: false, maxAgeDays: 1e6 })), "/dryRun") === false,
		maxBytes: async (client) =>
			(await gone(client, { maxBytes: 0 })) === 1 && (await gone(client, { maxBytes: 1e12 })) === 0,
		maxAgeDays: async (client) =>
			(await gone(client, { maxAgeDays: 0 })) === 1 && (await gone(client, { maxAgeDays: 1e6 })) === 0,
		maxGb: async (client) =>
			errorCodeOf(await client.call("cache_gc", { dryRun: true })) === "INVALID_REQUEST" &&
			(await gone(client, { maxGb: 0 })) === 1,
	},
	triage_ingest: {
		repoPath: repoPath("triage_ingest", FINDINGS),
		source: async (client, other) =>
			errorCodeOf(await client.call("triage_ingest", { ...FINDINGS, repoPath: other, source: "sarif" })) !== undefined,
		inputPath: refused("triage_ingest", { ...FINDINGS, inputPath: "none.json" }, "NOT_FOUND"),
		meta: async (client, other) => {
			const recordId = await ingested(client, other, { meta: { team: "blue" } });
			const pack = resultOf(await client.call("triage_context_pack", { recordId, repoPath: other }));
			return JSON.stringify(at(pack, "/finding")).includes('"blue"');
		},
		buildIndex: async (client, other) => {
			const indexed = async (): Promise<unknown> =>
				at(resultOf(await client.call("index_status", { repoPath: other })), "/status/indexed");
			await client.call("clean_artifacts", { repoPath: other });
			await client.call("triage_ingest", { ...FINDINGS, repoPath: other });
			if ((await indexed()) !== false) return false;
			await client.call("triage_ingest", { ...FINDINGS, repoPath: other, buildIndex: true });
			return (await indexed()) === true;
		},
	},
	triage_decision: {
		repoPath: refused("triage_decision", { finding: "x", status: "fix", repoPath: "/" }, "FORBIDDEN"),
		finding: refused("triage_decision", { finding: "none", status: "fix" }, "NOT_FOUND"),
		...Object.fromEntries(
			Object.entries(DECIDED).map(([name, [value, pointer]]) => [
				name,
				async (client: TestClient, other: string) => {
					const finding = await ingested(client, other);
					await client.call("triage_decision", { repoPath: other, finding, status: "fix", [name]: value });
					const pack = resultOf(await client.call("triage_context_pack", { recordId: finding, repoPath: other }));
					return JSON.stringify(at(pack, `/inForce${pointer}`) ?? "").includes(String([value].flat()[0]));
				},
			]),
		),
		meta: async (client, other) => {
			const finding = await ingested(client, other);
			await client.call("triage_decision", { repoPath: other, finding, status: "fix", meta: { team: "green" } });
			const pack = resultOf(await client.call("triage_context_pack", { recordId: finding, repoPath: other }));
			return JSON.stringify(pack).includes('"green"');
		},
	},
	triage_context_pack: {
		repoPath: refused("triage_context_pack", { recordId: "x", repoPath: "/" }, "FORBIDDEN"),
		recordId: refused("triage_context_pack", { recordId: "none" }, "NOT_FOUND"),
		outPath: async (client, other) => {
			const recordId = await ingested(client, other);
			await client.call("triage_context_pack", { repoPath: other, recordId, outPath: "pack.json" });
			return existsSync(join(other, "pack.json"));
		},
	},
	bootstrap: {
		repoPath: repoPath("bootstrap", SKIP_ALL),
		skipModels: skips("models"),
		skipDicts: skips("dictionaries"),
		skipIndex: skips("index"),
		incremental: async (client) => {
			const { skipIndex: _, ...built } = SKIP_ALL;
			const { steps } = resultOf(await client.call("bootstrap", { ...built, incremental: false }));
			return at(steps, "/2/detail/kind") === "build";
		},
	},
};

verifies(
	["000-4.2-no-ignored-argument", "000-10-test-argument-mapping"],
	"every argument of every tool acts or is refused; one that no test shows fails here",
	async (t) => {
		const space = await workspaceOf(t, undefined, { indexed: false });
		git(space.root, "init", "-q", "-b", "main");
		commit(space.root, "Ada Lovelace", "2024-01-02T03:04:05Z");
		const findings = JSON.stringify([{ id: "f1", title: "session fixation", severity: "high" }]);
		const other = await workspaceOf(t, { ...FILES, "findings.json": findings }, { indexed: false });
		const { client } = await serve(t, space, { args: ["--repo", other.root] });
		for (const repoPath of [space.root, other.root]) await client.call("build_index", { repoPath });
		files = await fileServer(t);
		// The index of a folder that is gone, for the collection.
		const stale = join(space.cacheRoot, "repos", "gone-0123456789ab");
		mkdirSync(stale);
		writeFileSync(join(stale, "index-1.sqlite"), "x".repeat(1_000));
		utimesSync(join(stale, "index-1.sqlite"), 1, 1);
		const uncovered: string[] = [];
		for (const name of TOOL_NAMES) {
			for (const [argument, schema] of Object.entries(toolOf(name).inputSchema.properties ?? {})) {
				const shown = SHOWN[name]?.[argument];
				// A tool that is not installed refuses every argument.
				if ("not" in schema || argument === "render" || HANDLERS[name].name === "absent") continue;
				if (shown !== undefined) assert.ok(await shown(client, other.root), `${name}.${argument} does nothing`);
				else if (!isShownElsewhere(name, argument)) uncovered.push(`${name}.${argument}`);
			}
		}
		assert.deepEqual(uncovered, []);
		const porcelain = await client.call("index_status", { render: "porcelain" });
		const said = String(at(porcelain.result, "/content/0/text"));
		for (const label of ["fresh", "files", "parsed", "skipped", "vectors"])
			assert.match(said, new RegExp(`^${label}: `, "m"));
		const config = await client.call("config_status", { render: "porcelain" });
		assert.match(String(at(config.result, "/content/0/text")), /^queueMax: \d+$[\s\S]*^TOOL +LIMIT IN MS$/m);
	},
	{ timeout: 240_000 },
);

/** Search is covered by the parity tests, where each argument changes the answer. */
function isShownElsewhere(tool: string, argument: string): boolean {
	return tool === "search" && argument in CHANGES;
}
