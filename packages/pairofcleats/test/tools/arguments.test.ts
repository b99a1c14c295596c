import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { TestClient } from "libmcp/testing";
import { verifies } from "../../../../e2e/verifies.ts";
import { TOOL_NAMES, toolOf } from "../../src/registry/registry.ts";
import { HANDLERS } from "../../src/tools/handlers.ts";
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
	search: { repoPath: repoPath("search", { query: "session" }) },
	download_models: { cacheDir: refused("download_models", { cacheDir: "/elsewhere" }, "FORBIDDEN") },
	download_extensions: {
		provider: refused("download_extensions", { provider: "other" }, "INVALID_REQUEST"),
		platform: refused("download_extensions", { platform: "plan9" }, "CAPABILITY_MISSING"),
		arch: refused("download_extensions", { arch: "pdp11" }, "CAPABILITY_MISSING"),
	},
	compact_sqlite_index: { repoPath: repoPath("compact_sqlite_index", { dryRun: true }) },
	clean_artifacts: { repoPath: repoPath("clean_artifacts", { dryRun: true }) },
	cache_gc: {
		maxGb: async (client) =>
			errorCodeOf(await client.call("cache_gc", { dryRun: true })) === "INVALID_REQUEST" &&
			"removals" in resultOf(await client.call("cache_gc", { dryRun: true, maxGb: 0 })),
	},
	triage_ingest: {
		repoPath: repoPath("triage_ingest", FINDINGS),
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
	},
	triage_context_pack: { repoPath: refused("triage_context_pack", { recordId: "x", repoPath: "/" }, "FORBIDDEN") },
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

/** Search is covered by the parity tests, and the maintenance tools by their own tests, which mention the argument. */
function isShownElsewhere(tool: string, argument: string): boolean {
	if (tool === "search") return argument in CHANGES || argument === "backend";
	const folder = fileURLToPath(new URL("../", import.meta.url));
	return globSync("{assets,triage,maintenance}/**/*.test.ts", { cwd: folder }).some((file) =>
		new RegExp(`\\b${argument}\\b`).test(readFileSync(folder + file, "utf8")),
	);
}
