import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { setImmediate as nextTurn } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import type { TriageSource } from "../../src/contract/triageTerms.ts";
import { triageFolder } from "../../src/index/recordFiles.ts";
import type { Finding } from "../../src/records/record.ts";
import type { ToolName } from "../../src/registry/registry.ts";
import { ToolRunner } from "../../src/tools/toolRunner.ts";
import { Workspace } from "../../src/workspace/workspace.ts";
import { runCaptured } from "../cli/captured.ts";
import { writeFiles } from "../filter/fixtureRepository.ts";
import { REPORTS, SOURCES } from "./reports.ts";

const folder = realpathSync(mkdtempSync(join(tmpdir(), "cleats-scanners-")));
const root = join(folder, "repo");
let workspace: Workspace;
let runner: ToolRunner;

before(async () => {
	writeFiles(root, {
		"src/my dir/a b.js": "export function run(x) {\n\treturn eval(x);\n}\n",
		"src/t.py": "import yaml\n\n\ndef load(s):\n    return yaml.load(s)\n",
		"requirements.txt": "pyyaml==5.3\n",
	});
	process.env.PAIROFCLEATS_DATA_ROOT = join(folder, "data");
	process.env.PAIROFCLEATS_CACHE_ROOT = join(folder, "cache");
	workspace = new Workspace({ repositories: [root], open: { freshnessMs: 0 } });
	runner = new ToolRunner(workspace);
	await call("build_index", {});
});
after(async () => {
	await workspace.close();
	delete process.env.PAIROFCLEATS_DATA_ROOT;
	delete process.env.PAIROFCLEATS_CACHE_ROOT;
	rmSync(folder, { recursive: true, force: true });
});

// biome-ignore lint/suspicious/noExplicitAny: answers are looked into by tests alone
async function call(name: ToolName, args: Record<string, unknown>): Promise<any> {
	const envelope = await runner.run(name, args, { requestId: "t", signal: AbortSignal.timeout(60_000) });
	assert.ok(envelope.ok, JSON.stringify(envelope));
	return envelope.result;
}

async function ingest(source: string, report: unknown) {
	writeFileSync(join(root, "report.json"), typeof report === "string" ? report : JSON.stringify(report));
	const result = await call("triage_ingest", { source, inputPath: "report.json" });
	rmSync(join(root, "report.json"));
	return result;
}

async function refusal(source: TriageSource, text: string) {
	writeFileSync(join(root, "report.json"), text);
	const args = { source, inputPath: "report.json" };
	const envelope = await runner.run("triage_ingest", args, { requestId: "t", signal: AbortSignal.timeout(60_000) });
	rmSync(join(root, "report.json"));
	assert.ok(!envelope.ok, JSON.stringify(envelope));
	return envelope.error;
}

const findingOf = async (recordId: string) => (await call("triage_context_pack", { recordId })).finding;

const RULE = {
	id: "js/code-injection",
	fullDescription: { text: "Input is run as code." },
	helpUri: "https://example.org/injection",
	properties: { tags: ["security", "external/cwe/cwe-094"], "security-severity": "9.3" },
};
/** As CodeQL writes it: rules in an extension, paths below a root on the scanning machine, a hash per line. */
const codeql = (startLine: number) => ({
	version: "2.1.0",
	runs: [
		{
			tool: { driver: { name: "CodeQL", rules: [] }, extensions: [{ name: "queries", rules: [RULE] }] },
			originalUriBaseIds: { "%SRCROOT%": { uri: "file:///home/runner/work/app/app/" } },
			results: [
				{
					rule: { index: 0, toolComponent: { index: 0 } },
					message: { text: "This depends on a [value](1)." },
					locations: [
						{
							physicalLocation: {
								artifactLocation: { uri: "src/my%20dir/a%20b.js", uriBaseId: "%SRCROOT%" },
								region: { startLine },
							},
						},
					],
					relatedLocations: [{ id: 1, physicalLocation: { artifactLocation: { uri: "src/t.py" } } }],
					partialFingerprints: { primaryLocationLineHash: "39fa2ee980eb94b0:1" },
				},
				{ ruleId: "js/code-injection", message: { text: "known" }, suppressions: [{ kind: "inSource" }] },
				{ ruleId: "js/code-injection", message: { text: "gone" }, baselineState: "absent" },
			],
		},
	],
});

test("a result of CodeQL is the same finding wherever it was scanned and whichever line it moves to", async () => {
	const first = await ingest("sarif", codeql(2));
	assert.deepEqual(first.settled, { suppressed: 1, absent: 1 });
	const [{ recordId, ...about }] = first.records;
	assert.deepEqual(about, {
		outcome: "created",
		severity: "critical",
		title: "This depends on a value.",
		where: "src/my dir/a b.js:2",
	});
	await call("triage_decision", { finding: recordId, status: "accept" });
	const moved = await ingest("sarif", codeql(3));
	assert.deepEqual(moved.recordIds, [recordId]);
	assert.equal(moved.records[0].outcome, "updated");
	const { finding, inForce, evidence } = await call("triage_context_pack", { recordId });
	assert.equal(inForce.status, "accept");
	assert.deepEqual(finding.location, { path: "src/my dir/a b.js", startLine: 3 });
	assert.deepEqual(finding.vuln.cwe, ["CWE-94"]);
	assert.deepEqual(finding.vuln.references, ["https://example.org/injection"]);
	assert.deepEqual(evidence, [
		{
			why: "the place the scanner names",
			query: "src/my dir/a b.js:3",
			hits: [
				{
					path: "src/my dir/a b.js",
					startLine: 1,
					endLine: 3,
					kind: "function",
					name: "run",
					lines: ["export function run(x) {", "\treturn eval(x);", "}"],
				},
			],
		},
	]);
});

test("a result without a fingerprint is identified by its source text, and the same text twice is two findings", async () => {
	const at = (startLine: number) => ({
		ruleId: "B506",
		message: { id: "load", arguments: ["yaml"] },
		fingerprints: { "matchBasedId/v1": "requires login" },
		locations: [
			{
				physicalLocation: {
					artifactLocation: { uri: pathToFileURL(join(root, "src/t.py")).href },
					region: { startLine, snippet: { text: "    return yaml.load(s)\n" } },
				},
			},
		],
	});
	const rules = [{ id: "B506", messageStrings: { load: { text: "Use of {0} load." } } }];
	const log = (...lines: number[]) => ({
		runs: [{ tool: { driver: { name: "Bandit", rules } }, results: lines.map(at) }],
	});
	const { recordIds, records } = await ingest("sarif", log(5, 9));
	assert.equal(recordIds.length, 2);
	assert.deepEqual(
		records.map(({ where, title, severity }: Record<string, string>) => [where, title, severity]),
		[
			["src/t.py:5", "Use of yaml load.", "medium"],
			["src/t.py:9", "Use of yaml load.", "medium"],
		],
	);
	assert.deepEqual((await ingest("sarif", log(15, 19))).recordIds, recordIds);
});

test("an advisory that a scanner of packages reports is one finding on whichever line, called by what it is about", async () => {
	const about = {
		"CVE-2023-30861": "flask: disclosure of the session cookie",
		"CVE-2018-1000656": "flask: denial of service",
	};
	const rules = Object.entries(about).map(([id, text]) => ({
		id,
		shortDescription: { text },
		properties: { tags: ["vulnerability", "CWE-539: Use of Persistent Cookies"] },
	}));
	const log = (startLine: number) => ({
		runs: [
			{
				tool: { driver: { name: "Trivy", rules } },
				results: rules.map(({ id }) => ({
					ruleId: id,
					message: { text: `Package: flask\nInstalled Version: 2.0.0\nVulnerability ${id}` },
					locations: [
						{
							physicalLocation: {
								artifactLocation: { uri: "requirements.txt" },
								region: { startLine, endLine: startLine },
							},
						},
					],
				})),
			},
		],
	});
	const { recordIds, records } = await ingest("sarif", log(1));
	assert.deepEqual(
		records.map(({ title }: Record<string, string>) => title),
		["CVE-2023-30861: flask: disclosure of the session cookie", "CVE-2018-1000656: flask: denial of service"],
	);
	const moved = await ingest("sarif", log(7));
	assert.deepEqual([moved.recordIds, moved.updated], [recordIds, 2]);
	const { finding } = await call("triage_context_pack", { recordId: recordIds[0] });
	assert.equal(finding.location.startLine, 7);
	assert.deepEqual([finding.vuln.cve, finding.vuln.cwe], ["CVE-2023-30861", ["CWE-539"]]);
});

test("results without a rule, a level or a place are findings all the same", async () => {
	const { records } = await ingest("sarif", {
		runs: [{ tool: { driver: { name: "x" } }, results: [{ message: { text: "odd" } }] }],
	});
	const finding = await findingOf(records[0].recordId);
	assert.deepEqual(finding.vuln, { vulnId: "x", title: "odd", severity: "medium" });
	assert.equal(finding.location, undefined);
});

test("an advisory of OSV that has only a vector is rated by it, and one whose vector is broken says where", async () => {
	const vulnerability = (id: string, score: string) => ({
		id,
		summary: id,
		severity: [{ type: "CVSS", score }],
		affected: ["5.4", "6.0"].map((fixed) => ({
			package: { name: "pyyaml", ecosystem: "PyPI" },
			ranges: [{ type: "ECOSYSTEM", events: [{ introduced: "0" }, { fixed }] }],
		})),
	});
	const { records, settled } = await ingest("osv", {
		results: [
			{
				source: { path: join(root, "requirements.txt"), type: "lockfile" },
				packages: [
					{
						package: { name: "pyyaml", version: "5.3", ecosystem: "PyPI" },
						vulnerabilities: [
							vulnerability("GHSA-aaaa-aaaa-aaaa", "CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H"),
							vulnerability("GHSA-bbbb-bbbb-bbbb", "CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:P/VC:H/VI:H/VA:H/SC:N/SI:N/SA:N"),
							vulnerability("GHSA-dddd-dddd-dddd", "CVSS:4.0/AV:N/AC:L/PR:N/UI:N/VC:H/VI:H/VA:H/SC:N/SI:N/SA:N"),
							{ ...vulnerability("GHSA-cccc-cccc-cccc", ""), withdrawn: "2023-01-01T00:00:00Z" },
						],
					},
				],
			},
		],
	});
	assert.deepEqual(settled, { withdrawn: 1 });
	assert.equal(records.length, 3);
	const [scored, newer, unscored] = await Promise.all(
		records.map(({ recordId }: { recordId: string }) => findingOf(recordId)),
	);
	assert.equal(scored.vuln.severity, "critical");
	assert.equal(scored.vuln.cvss.score, 9.8);
	assert.deepEqual(scored.package, {
		name: "pyyaml",
		ecosystem: "pypi",
		installedVersion: "5.3",
		fixedVersion: "5.4, 6.0",
		manifestPath: "requirements.txt",
	});
	assert.equal(newer.vuln.severity, "high");
	assert.equal(newer.vuln.cvss.score, 8.7);
	assert.equal(unscored.vuln.severity, "unknown");
	assert.deepEqual(unscored.warnings, ["severity: CVSS:4.0: AT: expected N, P, got nothing"]);
	const { evidence } = await call("triage_context_pack", { recordId: records[0].recordId });
	assert.ok(
		evidence.some(({ hits }: { hits: { path: string }[] }) => hits.some(({ path }) => path === "requirements.txt")),
	);
});

/** The details of each stored finding by its id, so that one that overwrote another shows. */
async function storedBy(recordIds: readonly string[], detail: (finding: Finding) => unknown) {
	return await Promise.all(recordIds.map(async (recordId) => detail(await findingOf(recordId))));
}

test("two installed versions of a package are two findings, and each keeps its id when the other is gone", async () => {
	const scan = (...versions: string[]) => ({
		results: [
			{
				source: { path: "package-lock.json", type: "lockfile" },
				packages: versions.map((version) => ({
					package: { name: "lodash", version, ecosystem: "npm" },
					vulnerabilities: [
						{ id: "GHSA-jf85-cpcp-j695", affected: [{ package: { name: "lodash", ecosystem: "npm" } }] },
					],
				})),
			},
		],
	});
	const both = await ingest("osv", scan("3.10.1", "4.17.4"));
	assert.deepEqual([both.created, both.updated], [2, 0]);
	assert.deepEqual(await storedBy(both.recordIds, (finding) => finding.package?.installedVersion), [
		"3.10.1",
		"4.17.4",
	]);
	const [older, newer] = both.recordIds;
	assert.deepEqual((await ingest("osv", scan("4.17.4"))).recordIds, [newer]);
	assert.deepEqual((await ingest("osv", scan("4.17.4", "3.10.1"))).recordIds, [newer, older]);
});

test("of an OSV advisory a scanned package takes its own ecosystem, and without a scan each is a finding", async () => {
	const affected = [
		["Debian:11", "1.1.1n-0+deb11u5"],
		["Debian:12", "3.0.9-1"],
	].map(([ecosystem, fixed]) => ({
		package: { name: "openssl", ecosystem },
		ranges: [{ type: "ECOSYSTEM", events: [{ introduced: "0" }, { fixed }] }],
	}));
	const fixes = ({ package: found }: Finding) => [found?.ecosystem, found?.fixedVersion];
	const scan = (id: string, ecosystem: string) => ({
		results: [{ packages: [{ package: { name: "openssl", ecosystem }, vulnerabilities: [{ id, affected }] }] }],
	});
	const scanned = await ingest("osv", scan("DSA-5417-1", "Debian:12"));
	assert.deepEqual(await storedBy(scanned.recordIds, fixes), [["debian:12", "3.0.9-1"]]);
	const other = await ingest("osv", scan("DSA-5417-2", "Debian:13"));
	assert.deepEqual(await storedBy(other.recordIds, fixes), [["debian:13", "1.1.1n-0+deb11u5, 3.0.9-1"]]);
	const entry = await ingest("osv", { id: "DSA-5417-3", affected });
	assert.deepEqual(await storedBy(entry.recordIds, fixes), [
		["debian:11", "1.1.1n-0+deb11u5"],
		["debian:12", "3.0.9-1"],
	]);
});

test("a vulnerability in two manifests, ecosystems, lines or files is two findings", async () => {
	const reports = [
		{ id: "CVE-2020-1", package: "lodash", manifestPath: "web/package.json" },
		{ id: "CVE-2020-1", package: "lodash", manifestPath: "api/package.json" },
		{ id: "CVE-2020-2", package: { name: "yaml", ecosystem: "npm" } },
		{ id: "CVE-2020-2", package: { name: "yaml", ecosystem: "pypi" } },
		{ id: "no-eval", file: "a.js", line: 3 },
		{ id: "no-eval", file: "a.js", line: 90 },
	];
	const both = await ingest("generic", [...reports, reports[5]]);
	assert.deepEqual([both.created, both.updated, both.recordIds.length], [6, 1, 6]);
	assert.deepEqual(
		await storedBy(
			both.recordIds,
			({ package: affected, location }) => affected?.manifestPath ?? affected?.ecosystem ?? location?.startLine,
		),
		["web/package.json", "api/package.json", "npm", "pypi", 3, 90],
	);
	assert.deepEqual((await ingest("generic", [reports[1]])).recordIds, [both.recordIds[1]]);
	const vulnerablePackages = ["opt/a/app.jar", "opt/b/app.jar"].map((filePath) => ({
		name: "log4j-core",
		version: "2.14.0",
		filePath,
	}));
	const jars = await ingest("aws_inspector", {
		findings: [
			{
				packageVulnerabilityDetails: { vulnerabilityId: "CVE-2021-44228", vulnerablePackages },
				resources: [{ id: "i-0abc" }],
			},
		],
	});
	assert.deepEqual(await storedBy(jars.recordIds, (finding) => finding.package?.manifestPath), [
		"opt/a/app.jar",
		"opt/b/app.jar",
	]);
});

/** One vulnerability with four ratings. */
const RATED = {
	two: "AV:N/AC:L/Au:N/C:N/I:P/A:N",
	three: "CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:N/I:L/A:N",
	four: "CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:N/VI:H/VA:N/SC:N/SI:N/SA:N",
	broken: "CVSS:4.0/AV:N/AC:L/PR:N/UI:N/VC:N/VI:H/VA:N/SC:N/SI:N/SA:N",
} as const;

async function ratingOf(source: string, report: unknown) {
	const { records } = await ingest(source, report);
	const { severity, cvss } = (await findingOf(records[0].recordId)).vuln;
	return { severity, ...cvss };
}

test("an OSV entry is rated by its newest complete vector, in any order", async () => {
	const entry = (id: string, scores: readonly string[]) => ({
		id,
		severity: scores.map((score) => ({ type: "CVSS", score })),
		affected: [{ package: { name: "pyyaml", ecosystem: "PyPI" } }],
	});
	const { two, three, four, broken } = RATED;
	const newest = { severity: "high", score: 8.7, vector: four };
	assert.deepEqual(await ratingOf("osv", entry("NEW-1", [three, four, two])), newest);
	assert.deepEqual(await ratingOf("osv", entry("NEW-2", [four, two, three])), newest);
	const before = { severity: "medium", score: 5.3, vector: three };
	assert.deepEqual(await ratingOf("osv", entry("NEW-3", [broken, two, three])), before);
	assert.deepEqual(await ratingOf("osv", entry("NEW-4", [two])), { severity: "medium", score: 5, vector: two });
	const scanned = {
		results: [
			{
				packages: [
					{
						package: { name: "pyyaml", version: "5.3", ecosystem: "PyPI" },
						vulnerabilities: [entry("NEW-5", [four, three])],
						groups: [{ ids: ["NEW-5"], max_severity: "5.3" }],
					},
				],
			},
		],
	};
	assert.deepEqual(await ratingOf("osv", scanned), before);
});

test("the score of an alert belongs to the stored vector", async () => {
	const alert = {
		dependency: { package: { ecosystem: "pip", name: "pyyaml" }, manifest_path: "requirements.txt" },
		security_advisory: {
			ghsa_id: "GHSA-8q59-q68h-6hv5",
			cvss: { vector_string: RATED.three, score: 5.3 },
			cvss_severities: {
				cvss_v3: { vector_string: RATED.three, score: 5.3 },
				cvss_v4: { vector_string: RATED.four, score: 8.7 },
			},
		},
	};
	assert.deepEqual(await ratingOf("dependabot", alert), { severity: "high", score: 8.7, vector: RATED.four });
});

test("Amazon Inspector says which of its vectors counts, and without that the newest does", async () => {
	const finding = (id: string, more: object = {}) => ({
		findings: [
			{
				status: "ACTIVE",
				...more,
				packageVulnerabilityDetails: {
					vulnerabilityId: id,
					cvss: [
						{ baseScore: 5, scoringVector: RATED.two, version: "2.0" },
						{ baseScore: 5.3, scoringVector: RATED.three, version: "3.1" },
					],
				},
			},
		],
	});
	const newest = { severity: "medium", score: 5.3, vector: RATED.three };
	assert.deepEqual(await ratingOf("aws_inspector", finding("CVE-2024-0001")), newest);
	const adjusted = "CVSS:3.1/AV:L/AC:L/PR:N/UI:N/S:U/C:N/I:L/A:N";
	const main = { inspectorScore: 4, inspectorScoreDetails: { adjustedCvss: { score: 4, scoringVector: adjusted } } };
	const said = { severity: "medium", score: 4, vector: adjusted };
	assert.deepEqual(await ratingOf("aws_inspector", finding("CVE-2024-0002", main)), said);
});

test("a path in a list of one's own is the repository's, however the list writes it", async () => {
	const listOf = (file: string) => [{ id: "OWN-1", title: "odd", file, line: 1 }];
	const [{ recordId }] = (await ingest("generic", listOf("src/own.ts"))).records;
	for (const file of [join(root, "src/own.ts"), pathToFileURL(join(root, "src/own.ts")).href, "./src\\own.ts"]) {
		const { records, updated } = await ingest("generic", listOf(file));
		assert.deepEqual([records[0].recordId, updated], [recordId, 1], file);
		assert.equal((await findingOf(recordId)).location.path, "src/own.ts", file);
	}
	const [outside] = (await ingest("generic", listOf("/elsewhere/own.ts"))).records;
	assert.equal((await findingOf(outside.recordId)).location.path, "/elsewhere/own.ts");
});

test("the output of npm audit gives one finding per advisory", async () => {
	const { records } = await ingest("generic", {
		auditReportVersion: 2,
		vulnerabilities: {
			lodash: {
				name: "lodash",
				severity: "critical",
				via: [
					{
						source: 1094499,
						name: "lodash",
						title: "Prototype Pollution in lodash",
						url: "https://github.com/advisories/GHSA-jf85-cpcp-j695",
						severity: "moderate",
						cwe: ["CWE-1321"],
						cvss: { score: 0, vectorString: null },
						range: "<4.17.12",
					},
				],
				fixAvailable: { name: "lodash", version: "4.17.21", isSemVerMajor: false },
			},
			grunt: { name: "grunt", severity: "high", via: ["lodash"], fixAvailable: true },
		},
	});
	assert.equal(records.length, 1);
	const { vuln, package: affected } = await findingOf(records[0].recordId);
	assert.deepEqual(vuln, {
		vulnId: "GHSA-jf85-cpcp-j695",
		title: "Prototype Pollution in lodash",
		severity: "medium",
		cwe: ["CWE-1321"],
		references: ["https://github.com/advisories/GHSA-jf85-cpcp-j695"],
	});
	assert.deepEqual(affected, { name: "lodash", ecosystem: "npm", affectedRange: "<4.17.12", fixedVersion: "4.17.21" });
});

test("an unknown scanner format is refused with its fields and a supported format", async () => {
	const trivy = { SchemaVersion: 2, ArtifactName: "alpine:3.10", Results: [{ Target: "alpine", Vulnerabilities: [] }] };
	const reason =
		"vuln.vulnId: expected an id or a title, got only SchemaVersion, ArtifactName, Results; let a scanner write SARIF, and ingest it as sarif";
	const { code, message, details } = await refusal("generic", JSON.stringify(trivy));
	assert.deepEqual([code, message], ["INVALID_REQUEST", `inputPath: no report could be read: ${reason}`]);
	assert.deepEqual(details?.errors, [{ index: 0, message: reason }]);
	const unlike = [{ id: "X-4" }, {}, { a: 1, b: 1, c: 1, d: 1, e: 1, ["f".repeat(9_000)]: 1 }];
	const [empty, many] = (await ingest("generic", unlike)).errors;
	assert.match(empty.message, /got an empty object;/);
	assert.match(many.message, /got only a, b, c, d, e, …;/);
});

test("another scanner's file is refused as a whole, and the refusal names that scanner", async () => {
	for (const [own, file] of SOURCES) {
		for (const source of ["dependabot", "aws_inspector", "sarif", "osv"] as const) {
			if (source === own) continue;
			const { code, message } = await refusal(source, REPORTS[file] ?? "");
			assert.equal(code, "INVALID_REQUEST", `${file} as ${source}`);
			if (own !== "generic")
				assert.match(
					message,
					new RegExp(`; it is written as by ${own}, so ingest it as ${own}$`),
					`${file} as ${source}`,
				);
		}
	}
});

test("a report without a vulnerability is no problem", async () => {
	const found = { id: "OSV-2024-1", affected: [{ package: { name: "pyyaml", ecosystem: "PyPI" } }] };
	for (const [source, report, written] of [
		["osv", {}, 0],
		["osv", { results: [{ vulns: [found] }, {}] }, 1],
		["osv", { results: [{ source: { path: "requirements.txt" }, packages: [] }] }, 0],
		["sarif", { version: "2.1.0", runs: [] }, 0],
	] as const) {
		const taken = await ingest(source, report);
		assert.deepEqual([taken.written, taken.errors], [written, []], JSON.stringify(report));
	}
	assert.match((await refusal("sarif", "{}")).message, /runs: expected a list of runs, got none/);
});

test("a finding can come in the event that brought it", async () => {
	const alert = {
		dependency: { package: { ecosystem: "pip", name: "pyyaml" }, manifest_path: "requirements.txt" },
		security_advisory: { ghsa_id: "GHSA-8q59-q68h-6hv6" },
	};
	const finding = { status: "ACTIVE", packageVulnerabilityDetails: { vulnerabilityId: "CVE-2024-0009" } };
	assert.equal((await ingest("dependabot", { action: "created", alert })).written, 1);
	assert.equal((await ingest("aws_inspector", { "detail-type": "Inspector2 Finding", detail: finding })).written, 1);
});

test("a fixed or dismissed alert needs no action, and a truncated file is refused as a whole", async () => {
	const alert = (state: string) => ({
		state,
		dependency: { package: { ecosystem: "pip", name: "pyyaml" }, manifest_path: "requirements.txt" },
		security_advisory: {
			ghsa_id: "GHSA-8q59-q68h-6hv4",
			summary: "Code execution in PyYAML",
			cvss: { vector_string: null, score: 0 },
			cvss_severities: { cvss_v3: { vector_string: "CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H", score: 9.8 } },
		},
	});
	const alerts = ["open", "fixed", "auto_dismissed"].map(alert);
	const { records, settled } = await ingest("dependabot", alerts);
	assert.deepEqual(settled, { fixed: 1, auto_dismissed: 1 });
	assert.deepEqual(
		records.map(({ severity }: { severity: string }) => severity),
		["critical"],
	);
	const cut = await refusal("dependabot", `\uFEFF${JSON.stringify(alerts, null, 2).slice(0, -20)}`);
	assert.equal(cut.code, "INVALID_REQUEST");
	assert.match(
		cut.message,
		/^inputPath: no report could be read: expected JSON or JSON Lines, got text that is neither/,
	);
	assert.equal((await ingest("dependabot", `\uFEFF${JSON.stringify(alerts)}`)).written, 1);
});

test("on the command line a report can be anywhere, and findings are listed worst first with their decisions", async () => {
	const report = join(folder, "outside.json");
	writeFileSync(
		report,
		JSON.stringify([{ vulnId: "TEAM-1", title: "Secrets in the log", severity: "low", path: "src/t.py" }]),
	);
	const ran = await runCaptured(["triage", "ingest", "manual", report, "--repo", root]);
	assert.equal(ran.code, 0, ran.errors.join());
	assert.match(ran.lines.at(-1) ?? "", /^finding-[0-9a-f]{32} +low +src\/t\.py +Secrets in the log$/);
	const { lines } = await runCaptured(["triage", "list", "--repo", root]);
	assert.match(lines[0] ?? "", /^FINDING +SEVERITY +DECISION +UNTIL +WHERE +TITLE$/);
	assert.match(lines[1] ?? "", /critical/);
	assert.match(lines.find((line) => line.includes("a b.js")) ?? "", / accept /);
	assert.match(lines.at(-1) ?? "", /unknown/);
});

/** One finding as each scanner reports it while it is open, and once it needs no action. */
const SETTLING = [
	["dependabot", { state: "open" }, { state: "fixed" }, "fixed"],
	["aws_inspector", { status: "ACTIVE" }, { status: "CLOSED" }, "closed"],
	["osv", {}, { withdrawn: "2023-01-01T00:00:00Z" }, "withdrawn"],
	["sarif", {}, { suppressions: [{ kind: "external", status: "accepted" }] }, "suppressed"],
	["sarif", {}, { baselineState: "absent" }, "absent"],
	["generic", { state: "open" }, { state: "resolved" }, "resolved"],
	["generic", {}, { status: "Dismissed" }, "dismissed"],
] as const;

const SETTLED_REPORTS = {
	dependabot: (id: string, more: object) => [
		{
			...more,
			dependency: { package: { ecosystem: "pip", name: id }, manifest_path: "requirements.txt" },
			security_advisory: { ghsa_id: "GHSA-8q59-q68h-6hv7", severity: "critical" },
		},
	],
	aws_inspector: (id: string, more: object) => ({
		findings: [{ ...more, severity: "CRITICAL", packageVulnerabilityDetails: { vulnerabilityId: id } }],
	}),
	generic: (id: string, more: object) => [{ id, ...more, package: { name: "pyyaml", ecosystem: "pip" } }],
	osv: (id: string, more: object) => [{ id, ...more, affected: [{ package: { name: "pyyaml", ecosystem: "PyPI" } }] }],
	sarif: (id: string, more: object) => ({
		runs: [{ tool: { driver: { name: "t" } }, results: [{ ruleId: id, message: { text: "m" }, ...more }] }],
	}),
};

test("a stored finding that its scanner settles is no longer open, until the scanner reports it again", async () => {
	for (const [source, open, closed, word] of SETTLING) {
		const report = SETTLED_REPORTS[source];
		const id = `settling-${word}`;
		const unknown = await ingest(source, report(id, closed));
		assert.deepEqual([unknown.written, unknown.settled], [0, { [word]: 1 }], "one that was never stored");
		const { recordIds } = await ingest(source, report(id, open));
		const listed = async () => {
			const { lines } = await runCaptured(["triage", "list", "--json", "--repo", root]);
			const all: { recordId: string; settled: string | null }[] = JSON.parse(lines.join(""));
			return all.find(({ recordId }) => recordId === recordIds[0])?.settled;
		};
		assert.equal(await listed(), null);
		const settled = await ingest(source, report(id, closed));
		assert.partialDeepStrictEqual(settled, { written: 1, updated: 1, recordIds, settled: { [word]: 1 } });
		assert.partialDeepStrictEqual(settled.records[0], { outcome: "updated", settled: word });
		assert.equal(await listed(), word);
		assert.equal((await findingOf(recordIds[0])).settled, word);
		assert.equal((await ingest(source, report(id, closed))).written, 0, "the same again changes nothing");
		await ingest(source, report(id, open));
		assert.equal(await listed(), null);
	}
	await ingest("osv", SETTLED_REPORTS.osv("settling-withdrawn", { withdrawn: "2023-01-01T00:00:00Z" }));
	const { lines } = await runCaptured(["triage", "list", "--repo", root]);
	assert.match(lines.at(-1) ?? "", / withdrawn .*pyyaml/, "those that are open come first");
	await ingest("osv", SETTLED_REPORTS.osv("settling-withdrawn", {}));
});

test("of two results with one text, the one that is suppressed is settled, wherever both have moved", async () => {
	const result = (startLine: number, more: object = {}) => ({
		ruleId: "twice",
		message: { text: "twice" },
		locations: [
			{
				physicalLocation: {
					artifactLocation: { uri: "src/t.py" },
					region: { startLine, snippet: { text: "load(s)" } },
				},
			},
		],
		...more,
	});
	const log = (...results: object[]) => ({ runs: [{ tool: { driver: { name: "t" } }, results }] });
	const { recordIds } = await ingest("sarif", log(result(5), result(9)));
	const after = await ingest("sarif", log(result(15, { suppressions: [{ kind: "inSource" }] }), result(19)));
	assert.deepEqual(after.recordIds.toSorted(), recordIds.toSorted());
	const states = await storedBy(recordIds, ({ settled }) => settled);
	assert.deepEqual(states.toSorted(), ["suppressed", undefined]);
});

test("a state that nobody knows counts as open, and the record says so", async () => {
	for (const [source, state] of [
		["dependabot", { state: "reopened" }],
		["aws_inspector", { status: "PENDING" }],
	] as const) {
		const { written, recordIds } = await ingest(source, SETTLED_REPORTS[source]("new-state", state));
		assert.equal(written, 1);
		const { warnings } = await findingOf(recordIds[0]);
		assert.match(warnings.join(), /^stat(?:e|us): expected \w+, .*, got "(?:reopened|pending)"; it counts as open$/);
	}
});

test("a hostile report is read quickly or refused", async () => {
	const tags = [`cwe-${"0".repeat(300_000)}x`, "cwe-0079"];
	const rules = [{ id: "r", properties: { tags }, messageStrings: { d: { text: "{0}".repeat(2_000) } } }];
	const results = [{ ruleId: "r", message: { id: "d", arguments: ["y".repeat(2_000)] } }];
	const hostile = await ingest("sarif", { runs: [{ tool: { driver: { name: "t", rules } }, results }] });
	const { vuln } = await findingOf(hostile.recordIds[0]);
	assert.deepEqual(vuln.cwe, ["CWE-79"]);
	assert.ok(vuln.title.length < 40_000, `${vuln.title.length}`);

	const odd = await ingest("generic", [{ id: "X-2", package: { name: "x", ecosystem: "constructor" } }]);
	assert.equal((await findingOf(odd.recordIds[0])).package.ecosystem, "constructor");

	const deep = await refusal("generic", `${"[".repeat(100_000)}${"]".repeat(100_000)}`);
	assert.deepEqual(deep.details?.errors, [
		{ index: 0, message: "expected an object, got a value that is nested too deeply" },
	]);

	const littered = await ingest("generic", `{"id":"X-1"}\n${"x\n".repeat(3_000)}`);
	assert.equal(littered.written, 1);
	assert.equal(littered.errors.length, 1_001);
	assert.deepEqual(littered.errors.at(-1), { index: 1_001, message: "2000 like the ones before are not shown" });
});

test("a file without a single readable report fails, and one with none at all does not", async () => {
	for (const text of ["", "{", "5", "[5, 6]", "\u0000\u0001"])
		assert.equal((await refusal("sarif", text)).code, "INVALID_REQUEST", JSON.stringify(text));
	assert.deepEqual((await ingest("generic", [5, { id: "X-3" }])).errors, [
		{ index: 0, message: "expected an object, got 5" },
	]);
	assert.equal((await ingest("generic", [])).written, 0);
});

test("of many findings all are stored and counted, and the first are listed, each in short", async () => {
	const reports = Array.from({ length: 250 }, (_, i) => ({ id: `MANY-${i}`, title: `${i} ${"long ".repeat(1_000)}` }));
	writeFileSync(join(root, "many.json"), JSON.stringify(reports));
	const args = { source: "generic", inputPath: "many.json" } as const;
	const envelope = await runner.run("triage_ingest", args, { requestId: "t", signal: AbortSignal.timeout(60_000) });
	rmSync(join(root, "many.json"));
	assert.ok(envelope.ok, JSON.stringify(envelope));
	assert.partialDeepStrictEqual(envelope.result, { total: 250, written: 250, created: 250, updated: 0 });
	assert.deepEqual([envelope.result.recordIds, envelope.result.records].map(lengthOf), [100, 100]);
	assert.ok(JSON.stringify(envelope.result).length < 50_000);
	assert.deepEqual(envelope._meta.warnings, [
		{
			code: "records_cut",
			message: "250 findings were stored, and the first 100 are listed; search with mode records finds all",
		},
	]);
});

function lengthOf(list: unknown): number {
	return Array.isArray(list) ? list.length : -1;
}

test("the findings of one report are stored in turns, and no more of them once the caller has given up", async () => {
	await ingest("manual", { id: "TEAM-0" });
	const results = Array.from({ length: 3_000 }, (_, i) => ({ ruleId: "many", message: { text: `m${i}` } }));
	writeFileSync(join(root, "report.json"), JSON.stringify({ runs: [{ tool: { driver: { name: "many" } }, results }] }));
	const records = () => readdirSync(triageFolder(join(folder, "data"), root)).length;
	const before = records();
	const caller = new AbortController();
	const asking = runner.run(
		"triage_ingest",
		{ source: "sarif", inputPath: "report.json" },
		{ requestId: "t", signal: caller.signal },
	);
	while (records() === before) await nextTurn();
	caller.abort();
	assert.equal((await asking).ok, false);
	assert.ok(records() < before + 3_000);
	rmSync(join(root, "report.json"));
});
