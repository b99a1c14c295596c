import assert from "node:assert/strict";
import {
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
import { join } from "node:path";
import { after, before, test } from "node:test";
import { verifies } from "../../../../e2e/verifies.ts";
import type { ErrorCode } from "../../src/contract/errors.ts";
import { triageFolder } from "../../src/index/recordFiles.ts";
import type { Hit } from "../../src/query/result.ts";
import { type Decision, isExpired } from "../../src/records/record.ts";
import type { ToolName } from "../../src/registry/registry.ts";
import { ToolRunner } from "../../src/tools/toolRunner.ts";
import { Workspace } from "../../src/workspace/workspace.ts";
import { runCaptured } from "../cli/captured.ts";

const folder = mkdtempSync(join(tmpdir(), "cleats-triage-"));
const root = join(folder, "app");
let workspace: Workspace;
let runner: ToolRunner;

/** Data in the scanners' formats: several findings, some with several packages. */
const ALERTS = [
	{
		number: 7,
		dependency: { package: { ecosystem: "npm", name: "lodash" }, manifest_path: "package.json" },
		security_advisory: {
			ghsa_id: "GHSA-aaaa-bbbb-cccc",
			cve_id: "CVE-2021-23337",
			summary: "Command injection in lodash",
			severity: "high",
			cwes: [{ cwe_id: "CWE-77" }],
			references: [{ url: "https://example.com/a" }],
			cvss: { score: 7.2, vector_string: "CVSS:3.1/AV:N" },
		},
		security_vulnerability: {
			package: { ecosystem: "npm", name: "lodash" },
			severity: "high",
			vulnerable_version_range: "< 4.17.21",
			first_patched_version: { identifier: "4.17.21" },
		},
	},
	{
		number: 8,
		dependency: { package: { ecosystem: "npm", name: "lodash-es" }, manifest_path: "package.json" },
		security_advisory: {
			ghsa_id: "GHSA-aaaa-bbbb-cccc",
			cve_id: "CVE-2021-23337",
			summary: "Command injection in lodash",
			severity: "high",
		},
	},
	{ number: 9, dependency: {} },
];
const INSPECTOR = {
	findings: [
		{
			findingArn: "arn:aws:inspector2:eu-west-1:1:finding/x",
			severity: "CRITICAL",
			title: "CVE-2022-0001 - openssl, zlib",
			awsAccountId: "1",
			packageVulnerabilityDetails: {
				vulnerabilityId: "CVE-2022-0001",
				vulnerablePackages: [
					{ name: "openssl", version: "1.1", packageManager: "OS" },
					{ name: "zlib", version: "1.2", packageManager: "OS" },
				],
			},
			resources: [
				{ id: "i-1", type: "AWS_EC2_INSTANCE", region: "eu-west-1" },
				{ id: "i-2", type: "AWS_EC2_INSTANCE", region: "eu-west-1" },
			],
		},
	],
};

before(() => {
	mkdirSync(join(root, "src"), { recursive: true });
	writeFileSync(
		join(root, "package.json"),
		JSON.stringify({ name: "app", dependencies: { lodash: "4.17.0" } }, null, 2),
	);
	writeFileSync(
		join(root, "src", "render.js"),
		'import template from "lodash";\n\nexport function render(source) {\n\treturn template(source)();\n}\n',
	);
	writeFileSync(join(root, "alerts.json"), JSON.stringify({ alerts: ALERTS }));
	writeFileSync(join(root, "inspector.json"), JSON.stringify(INSPECTOR));
	writeFileSync(
		join(root, "mixed.jsonl"),
		`${JSON.stringify({ vulnId: "X-1", package: "left-pad", severity: "low" })}\nnot json\n[]\n${JSON.stringify({ title: "no id at all" })}\n`,
	);
	process.env.PAIROFCLEATS_DATA_ROOT = join(folder, "data");
	workspace = new Workspace({ repositories: [root], open: { cacheRoot: join(folder, "cache"), freshnessMs: 0 } });
	runner = new ToolRunner(workspace);
});
after(async () => {
	await workspace.close();
	delete process.env.PAIROFCLEATS_DATA_ROOT;
	rmSync(folder, { recursive: true, force: true });
});

// biome-ignore lint/suspicious/noExplicitAny: answers are looked into by tests alone
async function call(name: ToolName, args: Record<string, unknown>): Promise<any> {
	const envelope = await runner.run(name, args, { requestId: "t", signal: AbortSignal.timeout(60_000) });
	return envelope.ok ? envelope.result : envelope.error;
}

async function refused(name: ToolName, args: Record<string, unknown>, code: ErrorCode, message: RegExp): Promise<void> {
	const error = await call(name, args);
	assert.equal(error.code, code);
	assert.match(error.message, message);
}

verifies(
	"001-6.5.2-tool-triage-ingest",
	"findings are stored one per package, bad reports are named, and a records search finds them at once",
	async () => {
		await call("build_index", {});
		const first = await call("triage_ingest", {
			source: "dependabot",
			inputPath: "alerts.json",
			meta: { team: "web", ticket: "T-1" },
		});
		assert.equal(first.total, 3);
		assert.equal(first.written, 2);
		assert.equal(first.recordIds.length, 2, "the same advisory in two packages is two findings");
		assert.deepEqual(first.errors, [
			{ index: 2, message: "dependency.package.name: expected the package, got nothing" },
		]);
		const again = await call("triage_ingest", { source: "dependabot", inputPath: "alerts.json" });
		assert.deepEqual(again.recordIds, first.recordIds);
		assert.deepEqual(
			again.records.map((record: { outcome: string }) => record.outcome),
			["updated", "updated"],
		);
		const { search } = await call("search", { query: "*", mode: "records", meta: { "package.name": "lodash-es" } });
		assert.equal(search.hits.length, 1);
		assert.ok(search.hits[0].path.includes(first.recordIds[1]));
	},
);

void test("every package on every resource of one Inspector finding becomes a record of its own", async () => {
	const { recordIds } = await call("triage_ingest", { source: "aws_inspector", inputPath: "inspector.json" });
	assert.equal(recordIds.length, 4);
});

void test("meta finds findings by the short names of their fields, beside other records with a field of that name", async () => {
	const found = async (meta: string): Promise<number> => {
		const { search } = await call("search", { query: "*", mode: "records", meta });
		assert.deepEqual(search.warnings ?? [], []);
		return search.totals.matches;
	};
	assert.equal(await found("severity=low"), 1, "a line of mixed.jsonl");
	assert.equal(await found("severity=critical"), 4);
	assert.equal(await found("vulnId=CVE-2022-0001"), 4);
	assert.equal(await found("packageName=zlib"), 2);
	assert.equal(await found("packageEcosystem=npm"), 2);
	assert.equal(await found("assetId=i-1"), 2);
	assert.equal(await found("cve=CVE-2021-23337"), 2);
});

void test("JSON Lines: good records are kept, bad ones reported by index with the reason", async () => {
	const { written, errors } = await call("triage_ingest", { source: "generic", inputPath: "mixed.jsonl" });
	assert.equal(written, 2);
	assert.deepEqual(
		errors.map((error: { index: number }) => error.index),
		[1, 2],
	);
	assert.match(errors[1].message, /expected an object, got \[\]/);
});

void test("only files of the repository are read", async () => {
	symlinkSync("/etc/passwd", join(root, "link.json"));
	await refused("triage_ingest", { source: "generic", inputPath: "/etc/passwd" }, "FORBIDDEN", /inside the repository/);
	await refused("triage_ingest", { source: "generic", inputPath: "link.json" }, "FORBIDDEN", /inside the repository/);
	await refused("triage_ingest", { source: "generic", inputPath: "none.json" }, "NOT_FOUND", /no file "none\.json"/);
});

verifies(
	["001-6.5.2-tool-triage-decision", "001-6.5.2-tool-triage-context-pack"],
	"decisions add up to a history, the newest in force, and the pack has the code that matters",
	async () => {
		const { recordIds } = await call("triage_ingest", { source: "dependabot", inputPath: "alerts.json" });
		const [finding] = recordIds;
		const first = await call("triage_decision", {
			finding,
			status: "defer",
			reviewer: "ann",
			justification: "after the release",
			expires: "2999-01-31",
		});
		const second = await call("triage_decision", {
			finding,
			status: "fix",
			codes: ["reachable"],
			evidence: ["src/render.js:4"],
		});
		assert.notEqual(first.recordId, second.recordId);
		const pack = await call("triage_context_pack", { recordId: finding, outPath: "out/pack.json" });
		assert.equal(pack.finding.vuln.cve, "CVE-2021-23337");
		assert.deepEqual(
			pack.history.map((decision: Decision) => decision.status),
			["defer", "fix"],
		);
		assert.equal(pack.inForce.recordId, second.recordId);
		const paths = pack.evidence.flatMap((item: { hits: { path: string }[] }) => item.hits.map((hit) => hit.path));
		assert.ok(paths.includes("src/render.js"), "the import is evidence");
		assert.ok(paths.includes("package.json"), "the manifest is evidence");
		assert.equal(JSON.parse(readFileSync(join(root, "out/pack.json"), "utf8")).recordId, finding);
	},
);

void test("a search of records tells each finding's title, severity, place and decision, and the id to go on with", async () => {
	const { recordIds } = await call("triage_ingest", { source: "aws_inspector", inputPath: "inspector.json" });
	const [undecided, finding] = recordIds;
	await call("triage_decision", { finding, status: "accept" });
	const { recordId } = await call("triage_decision", { finding, status: "defer", expires: "2999-01-31" });
	const listed = async (meta: Record<string, string>) => {
		const { search } = await call("search", { query: "*", mode: "records", top: 50, meta });
		return search.hits.map(({ name, record }: Hit) => ({ name, ...record }));
	};
	const title = "CVE-2022-0001 - openssl, zlib";
	const about = { name: title, title, severity: "critical" };
	const found = await listed({ vulnId: "CVE-2022-0001", recordType: "finding" });
	const one = (id: string) => found.find((hit: { recordId: string }) => hit.recordId === id);
	assert.deepEqual(one(undecided), {
		...about,
		recordId: undecided,
		recordType: "finding",
		where: "openssl@1.1",
		decision: null,
	});
	const held = { decision: "defer", expiresAt: "2999-01-31T00:00:00.000Z" };
	assert.deepEqual(one(finding), { ...about, recordId: finding, recordType: "finding", where: "zlib@1.2", ...held });
	const [decided] = (await listed({ recordId })).filter((hit: { recordId: string }) => hit.recordId === recordId);
	assert.deepEqual(decided, { ...about, recordId, recordType: "decision", ...held, finding });
	const { search } = await call("search", { query: "*", mode: "records", meta: { recordId: finding } });
	const pack = await call("triage_context_pack", { recordId: search.hits[0].path });
	assert.equal(pack.recordId, finding);
	const { lines } = await runCaptured([
		"search",
		"*",
		"--mode",
		"records",
		"--meta",
		`recordId=${finding}`,
		"--repo",
		root,
	]);
	assert.match(lines[0] ?? "", /record CVE-2022-0001 - openssl, zlib \(critical, defer\)/);
});

void test("a new decision holds over one that a clock ahead of time has dated in the future", async () => {
	const { recordIds } = await call("triage_ingest", { source: "aws_inspector", inputPath: "inspector.json" });
	const [finding] = recordIds;
	const { recordId } = await call("triage_decision", { finding, status: "accept" });
	const file = join(triageFolder(join(folder, "data"), realpathSync(root)), `${recordId}.json`);
	const early = { ...JSON.parse(readFileSync(file, "utf8")), createdAt: "2999-01-01T00:00:00.000Z" };
	writeFileSync(file, JSON.stringify(early));
	for (const status of ["fix", "defer"]) {
		await call("triage_decision", { finding, status });
		const { inForce } = await call("triage_context_pack", { recordId: finding });
		assert.equal(inForce.status, status);
	}
	const { lines } = await runCaptured(["triage", "list", "--json", "--repo", root]);
	const listed: { recordId: string; decision: string }[] = JSON.parse(lines.join(""));
	assert.equal(listed.find((one) => one.recordId === finding)?.decision, "defer");
});

void test("a decision needs a known finding and a future expiry, and an expired one no longer counts", async () => {
	await refused("triage_decision", { finding: "finding-0", status: "fix" }, "NOT_FOUND", /no finding "finding-0"/);
	await refused("triage_decision", { finding: "../../etc/passwd", status: "fix" }, "NOT_FOUND", /no finding/);
	const { recordIds } = await call("triage_ingest", { source: "generic", inputPath: "mixed.jsonl" });
	await refused(
		"triage_decision",
		{ finding: recordIds[0], status: "fix", expires: "yesterday" },
		"INVALID_REQUEST",
		/expires: expected a date/,
	);
	for (const expires of ["2999-02-30", "2999-06-31", "2999-02-30T10:00:00Z", "2999", "2999-06"])
		await refused(
			"triage_decision",
			{ finding: recordIds[0], status: "fix", expires },
			"INVALID_REQUEST",
			/expires: expected a date/,
		);
	const { expiresAt } = await call("triage_decision", {
		finding: recordIds[0],
		status: "fix",
		expires: "2999-01-31T10:00",
	});
	assert.equal(expiresAt, "2999-01-31T10:00:00.000Z");
	await refused(
		"triage_decision",
		{ finding: recordIds[0], status: "fix", expires: "2001-01-01" },
		"INVALID_REQUEST",
		/a time in the future/,
	);
	const decision = { expiresAt: "2030-01-01T00:00:00.000Z" } as Decision;
	assert.equal(isExpired(decision, Date.parse("2029-12-31")), false);
	assert.equal(isExpired(decision, Date.parse("2030-01-01")), true);
});

void test("code without a package's name is not a use of it, even if it is similar in meaning", async () => {
	writeFileSync(join(root, "unused.json"), JSON.stringify([{ vulnId: "X-2", package: "payment" }]));
	const { recordIds } = await call("triage_ingest", { source: "generic", inputPath: "unused.json" });
	rmSync(join(root, "unused.json"));
	const { evidence } = await call("triage_context_pack", { recordId: recordIds[0] });
	assert.deepEqual(
		evidence.filter(({ why }: { why: string }) => why === "uses of the package"),
		[],
	);
});

void test("names that look like operators of a search leave the pack with what the others find", async () => {
	mkdirSync(join(root, "odd"));
	writeFileSync(join(root, "odd", "-x.js"), "export const odd = 1;\n");
	const names = ["-dash", "@scope/", "OR", "foo (bar", 'ca"fe', "io.github:a/b/", "-", "*"];
	const reports = names.map((name, index) => ({ vulnId: "lodash", title: `t${index}`, package: { name } }));
	const located = { vulnId: "lodash", title: "t", path: "odd/-x.js" };
	writeFileSync(join(root, "odd.json"), JSON.stringify([...reports, located]));
	await call("build_index", {});
	const { recordIds } = await call("triage_ingest", { source: "generic", inputPath: "odd.json" });
	rmSync(join(root, "odd.json"));
	assert.equal(recordIds.length, names.length + 1);
	for (const [index, recordId] of recordIds.entries()) {
		const { evidence, message } = await call("triage_context_pack", { recordId });
		const why = evidence?.map((item: { why: string }) => item.why) ?? [message];
		assert.ok(why.includes("mentions of the advisory"), `${names[index] ?? "-x.js"}: ${why.join()}`);
		if (index === names.length) assert.ok(why.includes("the file the scanner names"), why.join());
	}
	rmSync(join(root, "odd"), { recursive: true });
});

void test("a pack is written inside the repository or not at all", async () => {
	const { recordIds } = await call("triage_ingest", { source: "generic", inputPath: "mixed.jsonl" });
	await refused(
		"triage_context_pack",
		{ recordId: recordIds[0], outPath: "../pack.json" },
		"FORBIDDEN",
		/inside the repository/,
	);
	const outside = mkdtempSync(join(tmpdir(), "cleats-outside-"));
	symlinkSync(outside, join(root, "away"));
	for (const outPath of ["away/pack.json", "away/further/pack.json"])
		await refused("triage_context_pack", { recordId: recordIds[0], outPath }, "FORBIDDEN", /inside the repository/);
	assert.deepEqual(readdirSync(outside), []);
	rmSync(outside, { recursive: true });
});

void test("a pack replaces an earlier pack, but no other file, link or folder, and nothing of git", async () => {
	const { recordIds } = await call("triage_ingest", { source: "generic", inputPath: "mixed.jsonl" });
	const write = (outPath: string, recordId: string = recordIds[0]) => ({ recordId, outPath });
	mkdirSync(join(root, ".git", "hooks"), { recursive: true });
	writeFileSync(join(root, ".git", "HEAD"), "ref: refs/heads/main\n");
	symlinkSync(".git", join(root, "inner"));
	symlinkSync("package.json", join(root, "linked.json"));
	writeFileSync(join(root, "empty.json"), "");
	const before = new Map(files().map((path) => [path, readFileSync(path, "utf8")]));
	for (const outPath of [".git/HEAD", ".GIT/config", "inner/HEAD", ".git/hooks/pre-commit", "src/.git/x", ".git"])
		await refused("triage_context_pack", write(outPath), "FORBIDDEN", /^outPath: expected a file outside \.git$/);
	for (const outPath of ["src/render.js", "package.json", "linked.json", "empty.json", "src"])
		await refused("triage_context_pack", write(outPath), "INVALID_REQUEST", /a new file, or an earlier context pack/);
	assert.deepEqual(new Map(files().map((path) => [path, readFileSync(path, "utf8")])), before);
	await call("triage_context_pack", write("out/again.json"));
	await call("triage_context_pack", write("out/again.json", recordIds[1]));
	assert.equal(JSON.parse(readFileSync(join(root, "out/again.json"), "utf8")).recordId, recordIds[1]);
	for (const name of [".git", "inner", "linked.json", "empty.json", "out"])
		rmSync(join(root, name), { recursive: true });
});

function files(): string[] {
	return readdirSync(root, { recursive: true, withFileTypes: true })
		.filter((entry) => entry.isFile() || entry.isSymbolicLink())
		.map((entry) => join(entry.parentPath, entry.name))
		.filter((path) => statSync(path, { throwIfNoEntry: false })?.isFile());
}

void test("a path that cannot be a file is the caller's error and leaves nothing behind", async () => {
	const { recordIds } = await call("triage_ingest", { source: "generic", inputPath: "mixed.jsonl" });
	const before = readdirSync(root);
	for (const outPath of ["src", "package.json/x", "x\0y", "x\0y/z", "n".repeat(300), `${"n/".repeat(3_000)}x`])
		await refused("triage_context_pack", { recordId: recordIds[0], outPath }, "INVALID_REQUEST", /^outPath: expected/);
	await refused("triage_ingest", { source: "osv", inputPath: "src" }, "INVALID_REQUEST", /^inputPath: expected a file/);
	for (const dir of ["\0", "n".repeat(3_000)])
		for (const name of ["download_dictionaries", "download_extensions", "verify_extensions"] as const)
			await refused(name, { dir }, "INVALID_REQUEST", /^dir: expected a folder/);
	assert.deepEqual(readdirSync(root), before);
});

void test("a context pack written twice to an indexed path is not its own evidence", async () => {
	const { recordIds } = await call("triage_ingest", { source: "dependabot", inputPath: "alerts.json" });
	const args = { recordId: recordIds[0], outPath: "docs/pack.json" };
	const first = await call("triage_context_pack", args);
	await call("build_index", {});
	const second = await call("triage_context_pack", args);
	// In any order, because the words of one more file change the ranking.
	assert.deepEqual(placesIn(second.evidence), placesIn(first.evidence));
	rmSync(join(root, "docs"), { recursive: true });
	await call("build_index", {});
});

function placesIn(evidence: { why: string; hits: { path: string; startLine: number }[] }[]): string[] {
	return evidence.flatMap(({ why, hits }) => hits.map(({ path, startLine }) => `${why}: ${path}:${startLine}`)).sort();
}

void test("cleaning the cache leaves findings and decisions where they are", async () => {
	const { recordIds } = await call("triage_ingest", { source: "dependabot", inputPath: "alerts.json" });
	const cleaned = await call("clean_artifacts", {});
	assert.equal(cleaned.removals[0].outcome, "removed");
	await call("build_index", {});
	const pack = await call("triage_context_pack", { recordId: recordIds[0] });
	assert.equal(pack.history.length, 2);
});
