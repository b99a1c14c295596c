import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import {
	lstatSync,
	mkdirSync,
	mkdtempSync,
	readdirSync,
	readFileSync,
	realpathSync,
	rmSync,
	statSync,
	symlinkSync,
	writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { text as readAll } from "node:stream/consumers";
import { after, before, describe, test } from "node:test";
import { dataRoot } from "../../src/contract/environment.ts";
import { triageFolder } from "../../src/index/recordFiles.ts";
import type { ToolName } from "../../src/registry/registry.ts";
import { ToolRunner } from "../../src/tools/toolRunner.ts";
import { Workspace } from "../../src/workspace/workspace.ts";
import { writeFiles } from "../filter/fixtureRepository.ts";
import { AFFECTED } from "../triage/reports.ts";
import { type Ran, runCaptured } from "./captured.ts";

describe("the commands that run tools", () => {
	const base = realpathSync(mkdtempSync(join(tmpdir(), "cleats-commands-")));
	const root = join(base, "app");
	const other = join(base, "other");
	const kept = { cache: process.env.PAIROFCLEATS_CACHE_ROOT, data: process.env.PAIROFCLEATS_DATA_ROOT };
	let workspace: Workspace;

	before(async () => {
		for (const [folder, files] of [
			[root, AFFECTED],
			[other, { "a.ts": "export const a = 1;\n" }],
		] as const) {
			mkdirSync(folder);
			writeFiles(folder, files);
		}
		process.env.PAIROFCLEATS_CACHE_ROOT = join(base, "cache");
		process.env.PAIROFCLEATS_DATA_ROOT = join(base, "data");
		workspace = new Workspace({ repositories: [root] });
		for (const repository of [root, other])
			assert.equal((await runCaptured(["index", "build", "--repo", repository])).code, 0);
	});
	after(async () => {
		await workspace.close();
		restore("PAIROFCLEATS_CACHE_ROOT", kept.cache);
		restore("PAIROFCLEATS_DATA_ROOT", kept.data);
		rmSync(base, { recursive: true, force: true });
	});

	const call = (...argv: string[]): Promise<Ran> => runCaptured([...argv, "--repo", root]);
	const json = async (...argv: string[]) => {
		const { code, lines, errors } = await call(...argv, "--json");
		assert.equal(code, 0, errors.join());
		return JSON.parse(lines.join("\n"));
	};
	const tool = async (name: ToolName, args: Record<string, unknown> = {}) => {
		const runner = new ToolRunner(workspace);
		const envelope = await runner.run(name, args, { requestId: "t", signal: AbortSignal.timeout(60_000) });
		assert.ok(envelope.ok, JSON.stringify(envelope));
		return JSON.parse(JSON.stringify(envelope.result));
	};

	test("with --json each prints exactly the result of its tool", async () => {
		for (const [argv, name, args] of [
			[["cache", "report", "--all-repos"], "report_artifacts", { allRepos: true }],
			[["cache", "gc", "--max-bytes", "0", "--dry-run"], "cache_gc", { maxBytes: 0, dryRun: true }],
			[["cache", "clean", "--all", "--dry-run"], "clean_artifacts", { all: true, dryRun: true }],
			[["cache", "compact", "--dry-run"], "compact_sqlite_index", { dryRun: true }],
			[["extensions", "verify"], "verify_extensions", {}],
			[["download", "models"], "download_models", {}],
			[
				["bootstrap", "--skip-models", "--skip-dicts", "--skip-index"],
				"bootstrap",
				{ skipModels: true, skipDicts: true, skipIndex: true },
			],
		] as const)
			assert.deepEqual(labelled(await json(...argv)), labelled(await tool(name, args)), argv.join(" "));
		const [first, again] = [
			await json("triage", "ingest", "osv", "osv.json"),
			await tool("triage_ingest", { source: "osv", inputPath: "osv.json" }),
		];
		assert.deepEqual(first.recordIds, again.recordIds);
		assert.deepEqual(Object.keys(first), Object.keys(again));
		const [recordId] = first.recordIds;
		const pack = await json("triage", "context", recordId);
		assert.deepEqual(labelled(pack), labelled(await tool("triage_context_pack", { recordId })));
	});

	test("for people: sizes in columns, steps with their outcomes, reports as counts and problems", async () => {
		const report = await call("cache", "report");
		assert.match(report.lines.join("\n"), /^repository: .*\n(?:.*\n)*index: index-\d+\.sqlite\n/);
		assertAligned(report.lines, /^FILE +SIZE$/);
		const gc = await call("cache", "gc", "--max-bytes", "0", "--dry-run");
		assert.match(gc.lines[0] ?? "", /^1 entry would go \(\d.*B\); nothing was removed$/);
		assertAligned(gc.lines, /^ENTRY +SIZE +REASON +OUTCOME$/);
		assert.match(gc.lines.at(-1) ?? "", /^other-[0-9a-f]{12} +\S+ \w+ +quota +would go$/);
		const steps = await call("bootstrap", "--skip-models", "--skip-dicts");
		assert.deepEqual(
			steps.lines.slice(1, 5).map((line) => line.split(/ +/).slice(0, 2).join(" ")),
			["skipped models", "skipped dictionaries", "done index", "done verify"],
		);
		assert.equal(steps.lines.at(-1), "the repository is searchable");
		writeFileSync(join(root, "bad.json"), JSON.stringify([{ vulnId: "B-1", title: "T" }, 7]));
		const ingest = await call("triage", "ingest", "generic", "bad.json");
		assert.equal(ingest.lines[0], "2 reports of generic: 1 new, 0 updated, 1 problem");
		assert.equal(ingest.code, 1, "not all of it was taken in");
		assert.match(ingest.lines.join("\n"), /\n1 +expected an object, got 7\n/);
		const verify = await call("extensions", "verify");
		assert.match(verify.lines[1] ?? "", /^sqlite-vec +no +not tried +not tried$/);
	});

	test("scanner output cannot send control sequences to the terminal", async () => {
		writeFileSync(join(root, "evil.json"), JSON.stringify([{ vulnId: "E-1", title: "a\u001b[2Jb\u202ec" }]));
		const { recordIds } = await json("triage", "ingest", "generic", "evil.json");
		const decided = await call("triage", "decide", recordIds[0], "accept", "--justification", "x\u001b]0;y\u0007");
		assert.match(decided.lines[0] ?? "", /^accept: finding-/);
		const { lines } = await call("triage", "context", recordIds[0]);
		assert.ok(lines.includes("title: a\\x1b[2Jb\\u202ec"), lines.join("\n"));
		assert.ok(lines.every((line) => !/[\p{Cc}\u202e]/u.test(line)));
	});

	test("a listing and a context tell until when a decision holds, and a listing fits the terminal", async () => {
		const title = "A title that does not fit beside everything else that a listing tells of a finding";
		const report = [{ vulnId: "L-1", title, severity: "critical", path: "src/render.js", line: 4 }];
		writeFileSync(join(root, "long.json"), JSON.stringify(report));
		const [finding] = (await json("triage", "ingest", "generic", "long.json")).recordIds;
		await call("triage", "decide", finding, "false_positive", "--expires", "2999-01-31");
		const { lines } = await call("triage", "context", finding);
		assert.ok(lines.includes("in force: false_positive until 2999-01-31T00:00:00.000Z"), lines.join("\n"));
		const listed = (await json("triage", "list")).find(({ recordId }: { recordId: string }) => recordId === finding);
		assert.equal(listed.expiresAt, "2999-01-31T00:00:00.000Z");
		const row = `${finding}  critical  false_positive  2999-01-31`;
		const piped = await call("triage", "list");
		assert.match(piped.lines.find((line) => line.startsWith(row)) ?? "", new RegExp(` src/render.js:4 +${title}$`));
		const watched = await runCaptured(["triage", "list", "--repo", root], { watched: true, columns: 80 });
		assert.deepEqual(
			watched.lines.filter((line) => line.length > 80),
			[],
		);
		const at = watched.lines.indexOf(row);
		assert.match(watched.lines[at + 1] ?? "", /^ {2}src\/render\.js:4 {2}A title that does not/);
	});

	test("the code in a context is indented as in its file, without escaped tabs", async () => {
		const report = [{ vulnId: "T-1", title: "t", path: "src/render.js", line: 4 }];
		writeFileSync(join(root, "tabs.json"), JSON.stringify(report));
		const { recordIds } = await json("triage", "ingest", "generic", "tabs.json");
		const { lines } = await call("triage", "context", recordIds[0]);
		assert.ok(lines.includes("        return template(source)();"), lines.join("\n"));
	});

	test("errors have the documented exit codes, and are printed as JSON on request", async () => {
		assert.equal((await call("triage", "mislay")).code, 2);
		assert.equal((await call("triage", "decide", "finding-0")).code, 2);
		assert.equal((await call("triage", "ingest", "gossip", "osv.json")).code, 2);
		assert.equal((await call("cache", "gc")).code, 2);
		assert.equal((await call("triage", "ingest", "osv", "none.json")).code, 1);
		assert.equal((await call("triage", "decide", "finding-0", "fix")).code, 1);
		const bare = join(base, "bare");
		mkdirSync(bare);
		const refused = await runCaptured(["cache", "compact", "--repo", bare, "--json"]);
		assert.equal(refused.code, 3);
		assert.equal(JSON.parse(refused.lines.join("\n")).error.code, "NO_INDEX");
	});

	test("--help lists every action with its flags and their descriptions", async () => {
		for (const [name, ...said] of [
			["triage", "triage ingest <dependabot|aws_inspector|", "--meta JSON", "--expires TEXT", "triage import <file>"],
			["cache", "cache gc", "--max-age-days N", "--dry-run"],
			["bootstrap", "--skip-models"],
			["download", "download dictionaries", "--url TEXT...", "--allow-unverified"],
			["extensions", "extensions verify", "--path TEXT"],
		] as const) {
			const { code, lines } = await runCaptured([name, "--help"]);
			assert.equal(code, 0);
			for (const words of said) assert.ok(lines.join("\n").includes(words), `${name}: ${words}`);
			assert.deepEqual((await runCaptured(["help", name])).lines, lines);
			assert.ok(!lines.join("\n").includes("--render"));
		}
	});

	test("importing an export elsewhere gives the same records, reports bad lines and replaces no decision", async () => {
		const { recordIds } = await json("triage", "ingest", "dependabot", "dependabot.json");
		const made = await json("triage", "decide", recordIds[0], "accept", "--reviewer", "ann");
		const file = join(base, "records.jsonl");
		const { records } = await json("triage", "export", file);
		assert.equal(statSync(file).mode & 0o777, 0o600);
		const lines = readFileSync(file, "utf8").trimEnd().split("\n");
		assert.equal(lines.length, records);

		const elsewhere = async (path: string): Promise<Ran> => runCaptured(["triage", "import", path, "--repo", other]);
		assert.deepEqual((await elsewhere(file)).lines, [`${records} new, 0 updated, 0 there already, no bad lines`]);
		const back = join(base, "back.jsonl");
		await runCaptured(["triage", "export", back, "--repo", other]);
		assert.equal(readFileSync(back, "utf8"), readFileSync(file, "utf8"));
		assert.deepEqual((await elsewhere(file)).lines, [`0 new, 0 updated, ${records} there already, no bad lines`]);

		const neighbour = join(base, "records.jsonl.new");
		writeFileSync(neighbour, "somebody's");
		const link = join(base, "link.jsonl");
		symlinkSync(file, link);
		assert.equal((await call("triage", "export", link)).code, 0);
		assert.ok(lstatSync(link).isSymbolicLink());
		assert.equal(readFileSync(neighbour, "utf8"), "somebody's");
		const names = readdirSync(base);
		assert.equal((await call("triage", "export", base)).code, 1);
		assert.deepEqual(readdirSync(base), names, "an export that fails leaves nothing");
		assert.deepEqual(
			readdirSync(dirname(base)).filter((name) => name.startsWith(`${basename(base)}.`)),
			[],
		);
		const pipe = join(base, "pipe");
		execFileSync("mkfifo", [pipe]);
		const reader = spawn("cat", [pipe], { stdio: ["ignore", "pipe", "ignore"], timeout: 20_000 });
		const piped = readAll(reader.stdout);
		const sent = await call("triage", "export", pipe);
		assert.ok(lstatSync(pipe).isFIFO(), "a pipe is written to, not replaced");
		assert.equal(await piped, readFileSync(file, "utf8"));
		assert.deepEqual([sent.lines, sent.errors], [[], [`${records} records written to ${pipe}`]]);

		const decision = JSON.parse(lines.find((line) => line.includes(made.recordId)) ?? "{}");
		const finding = JSON.parse(lines[0] ?? "{}");
		const orphan = `finding-${"0".repeat(32)}`;
		const hostile = [
			{ ...decision, status: "fix" },
			{ ...decision, recordId: "decision-../../../../tmp/x" },
			{ ...decision, recordId: `decision-${"0".repeat(32)}`, finding: orphan },
			{ ...finding, package: { name: 7 } },
			{ ...finding, updatedAt: "2999-01-01T00:00:00.000Z", vuln: { ...finding.vuln, title: "renamed" } },
		].map((record) => JSON.stringify(record));
		writeFileSync(back, [...hostile, "{half", ""].join("\n"));
		const mixed = await elsewhere(back);
		assert.equal(mixed.code, 1);
		assert.equal(mixed.lines[0], "0 new, 1 updated, 0 there already, 5 bad lines");
		for (const problem of [
			/^ *1 +recordId: another decision is recorded as/,
			/^ *2 +recordId: must match pattern/,
			/^ *3 +finding: there is no finding finding-0{32}$/,
			/^ *4 +package\.name: must be string$/,
			/^ *6 +\S/,
		])
			assert.ok(
				mixed.lines.some((line) => problem.test(line)),
				`${problem} in ${mixed.lines.join("\n")}`,
			);
		const context = await runCaptured(["triage", "context", recordIds[0], "--repo", other, "--json"]);
		assert.deepEqual(
			JSON.parse(context.lines.join("\n")).history.map(({ status }: { status: string }) => status),
			["accept"],
		);
		const broken = `decision-${"f".repeat(32)}`;
		writeFileSync(join(triageFolder(dataRoot(), realpathSync(other)), `${broken}.json`), "{");
		for (const [words, code] of [
			[["list"], 1],
			[["export", back], 1],
			[["context", recordIds[0]], 0],
		] as const) {
			const partial = await runCaptured(["triage", ...words, "--repo", other]);
			assert.equal(partial.code, code);
			assert.deepEqual(partial.errors, [`warning: 1 record left out, damaged or not readable: ${broken}`]);
		}
		assert.equal((await call("triage", "import", join(base, "none.jsonl"))).code, 1);
		assert.equal((await call("triage", "export")).code, 2);
	});
});

function restore(name: string, value: string | undefined): void {
	if (value === undefined) delete process.env[name];
	else process.env[name] = value;
}

/** The only difference allowed: each surface names the repository the way it was given. */
function labelled(result: Record<string, unknown>): Record<string, unknown> {
	return { ...result, repo: "the repository" };
}

/** Checks that in every row below the heading, the second column begins where its heading does. */
function assertAligned(lines: readonly string[], heading: RegExp): void {
	const first = lines.findIndex((line) => heading.test(line));
	assert.ok(first >= 0 && first < lines.length - 1, `${heading} in ${lines.join("\n")}`);
	const column = (lines[first] ?? "").search(/ [A-Z]/) + 1;
	for (const line of lines.slice(first + 1)) {
		if (line === "") return;
		assert.match(line.slice(column - 1, column + 1), /^ \S/, line);
	}
}
