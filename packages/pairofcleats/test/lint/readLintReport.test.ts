import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import fc from "fast-check";
import { readLintReport } from "../../src/lint/readLintReport.ts";

test("ESLint's results come by path inside the root, in line order", () => {
	const report = [
		{
			filePath: "/repo/src/a b.js",
			messages: [
				{ ruleId: "no-var", line: 9, message: "Unexpected var." },
				{ ruleId: null, line: 2, message: "Parsing error: x" },
			],
		},
		{ filePath: "/elsewhere/b.js", messages: [{ ruleId: "x", line: 1, message: "" }] },
	];
	const found = readLintReport(JSON.stringify(report), "/repo");
	assert.equal(found.format, "eslint");
	assert.deepEqual(Object.fromEntries(found.byPath), {
		"src/a b.js": [
			{ line: 2, rule: "parse-error", message: "Parsing error: x", tool: "eslint" },
			{ line: 9, rule: "no-var", message: "Unexpected var.", tool: "eslint" },
		],
	});
	assert.deepEqual([found.total, found.outside], [3, 1]);
});

test("SARIF results of all runs are read, with relative, base-relative and absolute addresses, and without suppressed ones", () => {
	const place = (uri: string, startLine: number, uriBaseId?: string): unknown => [
		{ physicalLocation: { artifactLocation: { uri, ...(uriBaseId && { uriBaseId }) }, region: { startLine } } },
	];
	const report = {
		version: "2.1.0",
		runs: [
			{
				originalUriBaseIds: { SRC: { uri: "file:///repo/src/" } },
				results: [
					{ ruleId: "r1", message: { text: "one" }, locations: place("lib/a%20b.py", 3) },
					{ ruleId: "r2", message: { text: "two" }, locations: place("c.py", 5, "SRC") },
					{
						ruleId: "r3",
						message: { text: "three" },
						locations: place("x.py", 1),
						suppressions: [{ kind: "inSource" }],
					},
				],
			},
			{ results: [{ rule: { id: "r4" }, message: { markdown: "four" }, locations: place("file:///repo/d.py", 7) }] },
			{
				results: [
					{ ruleId: "r5", message: {}, locations: place("../../etc/passwd", 1) },
					{ ruleId: "r6", message: {} },
				],
			},
		],
	};
	const found = readLintReport(JSON.stringify(report), "/repo");
	assert.equal(found.format, "sarif");
	assert.deepEqual(Object.fromEntries(found.byPath), {
		"lib/a b.py": [{ line: 3, rule: "r1", message: "one", tool: "sarif" }],
		"src/c.py": [{ line: 5, rule: "r2", message: "two", tool: "sarif" }],
		"d.py": [{ line: 7, rule: "r4", message: "four", tool: "sarif" }],
	});
	assert.equal(found.outside, 2);
});

test("data that a SARIF result refers to is looked up in its run, and only problems are findings", () => {
	const at = (artifactLocation: object): unknown => [
		{ physicalLocation: { artifactLocation, region: { startLine: 4 } } },
	];
	const run = {
		tool: { driver: { name: "Checker ", rules: [{ id: "zero" }, { id: "one" }] } },
		artifacts: [{ location: { uri: "a.py" } }, { location: { uri: "b%20c.py" } }],
		results: [
			{ ruleIndex: 1, message: { text: "by number" }, locations: at({ index: 1 }) },
			{ rule: { index: 0 }, message: { text: "by rule" }, locations: at({ uri: "a.py", index: 1 }) },
			{ ruleIndex: 9, message: { text: "nowhere" }, locations: at({ index: 9 }) },
			...["pass", "notApplicable", "informational"].map((kind) => ({ kind, locations: at({ uri: "a.py" }) })),
			...["underReview", "rejected"].map((status) => ({
				ruleId: status,
				locations: at({ uri: "d.py" }),
				suppressions: [{ kind: "external", status }],
			})),
			{ ruleId: "agreed", locations: at({ uri: "d.py" }), suppressions: [{ kind: "external", status: "accepted" }] },
		],
	};
	const found = readLintReport(JSON.stringify({ runs: [run, { tool: { driver: { name: "quiet" } } }] }), "/repo");
	assert.deepEqual(Object.fromEntries(found.byPath), {
		"a.py": [{ line: 4, rule: "zero", message: "by rule", tool: "checker" }],
		"b c.py": [{ line: 4, rule: "one", message: "by number", tool: "checker" }],
		"d.py": [
			{ line: 4, rule: "rejected", message: "", tool: "checker" },
			{ line: 4, rule: "underReview", message: "", tool: "checker" },
		],
	});
	assert.deepEqual([found.tools, found.total, found.outside], [["checker", "quiet"], 5, 1]);
});

test("a SARIF result without a text of its own says what its rule is about", () => {
	const rules = [
		{ id: "r", shortDescription: { text: "no eval" }, messageStrings: { known: { text: "{0} is unsafe" } } },
	];
	const locations = [{ physicalLocation: { artifactLocation: { uri: "a.js" }, region: { startLine: 1 } } }];
	const results = [{ id: "unknown" }, undefined, { id: "known", arguments: ["eval"] }].map((message) => ({
		ruleId: "r",
		message,
		locations,
	}));
	const report = JSON.stringify({ runs: [{ tool: { driver: { name: "t", rules } }, results }] });
	const messages = readLintReport(report, "/repo")
		.byPath.get("a.js")
		?.map(({ message }) => message);
	assert.deepEqual(messages, ["no eval", "no eval", "eval is unsafe"]);
});

test("chains of SARIF base URIs are resolved, and a cycle ends", () => {
	const results = Object.entries({
		SRC: "a.py",
		DEEP: "b%20c.py",
		LOOSE: "d.py",
		WEB: "e.py",
		RING: "f.py",
		NONE: "g.py",
		__proto__: "h.py",
	}).map(([uriBaseId, uri]) => ({ locations: [{ physicalLocation: { artifactLocation: { uri, uriBaseId } } }] }));
	const originalUriBaseIds = {
		HOME: { uri: "file:///home/" },
		ROOT: { uri: "../repo", uriBaseId: "HOME" },
		SRC: { uri: "src/", uriBaseId: "ROOT" },
		DEEP: { uri: "deep%20er/", uriBaseId: "SRC" },
		SOMEWHERE: { description: { text: "where it was checked out" } },
		LOOSE: { uri: "lib/", uriBaseId: "SOMEWHERE" },
		WEB: { uri: "https://example.org/repo/" },
		RING: { uri: "x/", uriBaseId: "GNIR" },
		GNIR: { uri: "../", uriBaseId: "RING" },
	};
	const found = readLintReport(JSON.stringify({ runs: [{ originalUriBaseIds, results }] }), "/repo");
	const places = ["src/a.py", "src/deep er/b c.py", "lib/d.py", "e.py", "f.py", "g.py"];
	assert.deepEqual([...found.byPath.keys()], places);
});

test("a hundred thousand findings in one file are read in linear time", { timeout: 120_000 }, () => {
	const messages = Array.from({ length: 100_000 }, (_, at) => ({ ruleId: "r", line: at + 1, message: "" }));
	const { byPath } = readLintReport(JSON.stringify([{ filePath: "a.js", messages }]), "/repo");
	assert.equal(byPath.get("a.js")?.length, 100_000);
});

test("long texts are truncated, and a list is not used as a message argument", () => {
	const rules = [{ id: "r".repeat(1_000), messageStrings: { d: { text: "z".repeat(10_000) }, e: { text: "{0}" } } }];
	const locations = [{ physicalLocation: { artifactLocation: { uri: "a.js" } } }];
	const list = `${"[".repeat(20_000)}${"]".repeat(20_000)}`;
	const results = [{ id: "d" }, { id: "e", arguments: ["LIST"] }].map((message) => ({
		ruleIndex: 0,
		message,
		locations,
	}));
	const report = JSON.stringify({ runs: [{ tool: { driver: { name: "t", rules } }, results }] }).replace(
		'"LIST"',
		list,
	);
	const [long, odd] = readLintReport(report, "/repo").byPath.get("a.js") ?? [];
	assert.deepEqual([long?.rule.length, long?.message.length], [201, 2_001]);
	assert.equal(odd?.message, "{0}");
});

test("the error for an unknown format names what was expected and what was given", () => {
	assert.throws(() => readLintReport("{", "/repo"), /report: expected JSON/);
	assert.throws(() => readLintReport('{"a":1}', "/repo"), /report: expected a SARIF log .*got \{"a":1\}/);
	assert.throws(() => readLintReport("[{}]", "/repo"), /report\[0\]\.filePath: expected a path, got nothing/);
	assert.throws(
		() => readLintReport('{"runs":[{"results":{}}]}', "/repo"),
		/report\.runs\[0\]\.results: expected an array/,
	);
});

test("any JSON value is either read or refused as invalid, and no path leads outside the root", () => {
	fc.assert(
		fc.property(fc.jsonValue(), fc.string(), (value, place) => {
			const report = {
				runs: [
					{ results: [{ message: value, locations: [{ physicalLocation: { artifactLocation: { uri: place } } }] }] },
				],
			};
			const found = readLintReport(JSON.stringify(report), "/repo");
			// A file can be named ".. ", which does not lead outside.
			for (const path of found.byPath.keys()) assert.ok(!/^(?:\.\.)?(?:\/|$)/.test(path), JSON.stringify(path));
			try {
				readLintReport(JSON.stringify(value), "/repo");
			} catch (error) {
				assert.equal((error as { code?: unknown }).code, "INVALID_REQUEST");
			}
		}),
		{ numRuns: 300, examples: [["", ".. "]] },
	);
});

test("a path through a link to the root is inside it", (t) => {
	const folder = realpathSync(mkdtempSync(join(tmpdir(), "cleats-linked-")));
	t.after(() => rmSync(folder, { recursive: true, force: true }));
	mkdirSync(join(folder, "repo/src"), { recursive: true });
	symlinkSync("repo", join(folder, "link"), "dir");
	const messages = [{ ruleId: "no-var", line: 9, message: "Unexpected var." }];
	const report = ["link/src/a.js", "link/b.js", "c.js"].map((path) => ({ filePath: join(folder, path), messages }));
	const found = readLintReport(JSON.stringify(report), join(folder, "repo"));
	assert.deepEqual([...found.byPath.keys()], ["src/a.js", "b.js"]);
	assert.equal(found.outside, 1);
});

test("a SARIF result is at its first location that is in a file", () => {
	const region = { startLine: 4 };
	const locations = [
		{ logicalLocations: [{ name: "main" }] },
		{ physicalLocation: { artifactLocation: { uri: "a.py" }, region } },
	];
	const report = { runs: [{ results: [{ ruleId: "r", message: { text: "one" }, locations }] }] };
	const { byPath } = readLintReport(JSON.stringify(report), "/repo");
	assert.deepEqual(byPath.get("a.py"), [{ line: 4, rule: "r", message: "one", tool: "sarif" }]);
});
