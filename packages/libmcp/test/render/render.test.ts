import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { verifies } from "../../../../e2e/verifies.ts";
import { renderCount, renderFields, renderNotes, renderTable } from "../../src/render/lines.ts";
import {
	createRenderModeSchema,
	renderJsonPorcelain,
	renderPorcelain,
	selectRenderMode,
} from "../../src/render/porcelain.ts";
import { renderPath, toPlainText, truncateText } from "../../src/render/terminalText.ts";

const anyText = fc.string({
	unit: fc.oneof(
		fc.constantFrom("a", "\n", "\u001b", "👩‍👩‍👧", "e\u0301", "\u202e", "🇩🇪"),
		fc.string({ unit: "binary", maxLength: 1 }),
	),
	maxLength: 60,
});
const anyBound = fc.record({ maxLines: fc.nat(12), maxChars: fc.nat(300), maxLineChars: fc.nat(80) });

verifies(
	["002-porcelain-primitive-render-mode", "002-porcelain-default-render", "002-porcelain-json-available"],
	"porcelain unless asked, json when asked, anything else refused",
	() => {
		assert.deepEqual(selectRenderMode(undefined), { ok: true, value: "porcelain" });
		assert.deepEqual(selectRenderMode("json"), { ok: true, value: "json" });
		assert.deepEqual(selectRenderMode("porcelain", "json"), { ok: true, value: "porcelain" });
		assert.deepEqual(selectRenderMode(undefined, "json"), { ok: true, value: "json" });
		for (const wrong of ["JSON", "", "xml", null, 1, {}]) {
			const refused = selectRenderMode(wrong);
			assert.ok(!refused.ok && refused.error.field === "render" && refused.error.expected === "one of porcelain, json");
		}
		assert.deepEqual(createRenderModeSchema().enum, ["porcelain", "json"]);
	},
);

verifies(
	"002-porcelain-no-detail-taxonomy",
	"a tool's own detail argument stands beside render and is not looked at",
	() => {
		const properties = { render: createRenderModeSchema(), detail: { enum: ["names", "everything"] } };
		assert.deepEqual(Object.keys(properties), ["render", "detail"]);
		assert.deepEqual(selectRenderMode("porcelain"), { ok: true, value: "porcelain" });
		assert.ok(!JSON.stringify(createRenderModeSchema()).includes("detail"));
	},
);

verifies(
	["002-porcelain-bounded", "002-porcelain-line-oriented", "002-porcelain-agent-loops"],
	"whatever the data, the text keeps its bound and holds only plain lines",
	() => {
		fc.assert(
			fc.property(anyText, fc.array(anyText, { maxLength: 20 }), anyBound, (summary, lines, bound) => {
				const text = renderPorcelain(summary, lines, bound);
				assert.ok(text.length <= bound.maxChars, `${text.length} > ${bound.maxChars}`);
				assert.ok(text === "" || text.split("\n").length <= bound.maxLines);
				for (const line of text.split("\n")) {
					assert.doesNotMatch(line, /[\p{Cc}\u2028\u2029\u202a-\u202e]/u);
					assert.ok(line.isWellFormed());
				}
			}),
			{ numRuns: 1_000 },
		);
		fc.assert(
			fc.property(fc.jsonValue(), anyBound, (value, bound) => {
				const text = renderJsonPorcelain(value, bound);
				assert.ok(text.length <= bound.maxChars && (text === "" || text.split("\n").length <= bound.maxLines));
			}),
			{ numRuns: 500 },
		);
	},
);

verifies("002-porcelain-deterministic", "the same data gives the same bytes, whatever the order of its members", () => {
	const shuffled = (value: unknown): unknown => {
		if (Array.isArray(value)) return value.map(shuffled);
		if (typeof value !== "object" || value === null) return value;
		return Object.fromEntries(
			Object.entries(value)
				.reverse()
				.map(([name, member]) => [name, shuffled(member)]),
		);
	};
	fc.assert(
		fc.property(fc.jsonValue(), (value) => {
			assert.equal(renderJsonPorcelain(value), renderJsonPorcelain(shuffled(value)));
		}),
		{ numRuns: 500 },
	);
});

verifies(
	"002-porcelain-summary-first",
	"the summary is the first line and survives truncation, which says what it dropped",
	() => {
		const lines = Array.from({ length: 50 }, (_, n) => `row ${n}`);
		assert.equal(renderPorcelain("50 rows", lines, { maxLines: 4 }), "50 rows\nrow 0\nrow 1\n… 48 more lines");
		assert.equal(renderPorcelain("50 rows", lines, { maxChars: 30 }), "50 rows\nrow 0\n… 49 more lines");
		assert.equal(renderPorcelain("50 rows", lines, { maxLines: 1 }), "50 rows");
		assert.equal(renderPorcelain("2 rows", ["a", "b"], { maxLines: 3 }), "2 rows\na\nb");
		assert.equal(renderPorcelain("2 rows", ["a", "b"], { maxLines: 2 }), "2 rows\n… 2 more lines");
		assert.equal(renderPorcelain("only"), "only");
	},
);

verifies("002-porcelain-primitive-truncation", "text is cut between characters and says how much is gone", () => {
	assert.equal(truncateText("short", 5), "short");
	assert.equal(truncateText("x".repeat(100), 40), `${"x".repeat(17)}… [83 more characters]`);
	assert.equal(truncateText("abcdefgh", 4), "abc…");
	assert.equal(truncateText("abc", 0), "");
	const family = "👩‍👩‍👧";
	assert.equal(truncateText(family.repeat(3), family.length + 1), `${family}…`);
	assert.equal(truncateText(family.repeat(3), family.length), "…");
	for (let limit = 40; limit < 60; limit++) {
		const cut = truncateText(family.repeat(30), limit);
		assert.match(cut, new RegExp(`^(?:${family})+… \\[\\d+ more characters\\]$`), `cut at ${limit}`);
	}
	fc.assert(
		fc.property(anyText, fc.nat(70), (text, limit) => {
			const cut = truncateText(text.toWellFormed(), limit);
			assert.ok(cut.length <= limit && cut.isWellFormed());
			if (cut.length < text.length && limit > 0) assert.ok(cut.includes("…"));
		}),
		{ numRuns: 1_000 },
	);
});

test("a mark stacked a thousand times high is cut all the same", () => {
	const zalgo = `a${"\u0301".repeat(1_000)}`;
	assert.ok(truncateText(zalgo, 50).length <= 50);
});

verifies("002-porcelain-primitive-notes", "notes come in one order and one form, each once", () => {
	const notes = [
		{ level: "note", code: "stale_index", text: "the index is 3 commits behind" },
		{ level: "warning", code: "partial", text: "2 files were skipped" },
		{ level: "note", code: "stale_index", text: "the index is 3 commits behind" },
		{ level: "warning", code: "limit", text: "100 results shown" },
	] as const;
	const expected = [
		"warning: 100 results shown [limit]",
		"warning: 2 files were skipped [partial]",
		"note: the index is 3 commits behind [stale_index]",
	];
	assert.deepEqual(renderNotes(notes), expected);
	assert.deepEqual(renderNotes(notes.toReversed()), expected);
});

verifies("002-porcelain-primitive-paths", "paths are relative to the root, with / on every platform", () => {
	assert.equal(renderPath("/srv/repo/src/a.ts", "/srv/repo"), "src/a.ts");
	assert.equal(renderPath("/srv/repo/src/a.ts", "/srv/repo/"), "src/a.ts");
	assert.equal(renderPath("C:\\repo\\src\\a.ts", "c:\\repo"), "src/a.ts");
	assert.equal(renderPath("src\\a.ts", "/srv/repo"), "src/a.ts");
	assert.equal(renderPath("/srv/repo", "/srv/repo"), ".");
	assert.equal(renderPath("/srv/repository/a", "/srv/repo"), "/srv/repository/a");
	assert.equal(renderPath("/etc/x", "/"), "etc/x");
});

verifies("002-porcelain-primitive-patterns", "summary with rows, key and value, and a small table", () => {
	assert.deepEqual(renderFields({ state: "ready", restarts: 0, fault: null, absent: undefined }), [
		"state: ready",
		"restarts: 0",
		"fault: -",
	]);
	assert.deepEqual(
		renderTable(
			["method", "calls", "last"],
			[
				["read", 12, "ok"],
				["longer name", 3, null],
			],
		),
		["method       calls  last", "read            12  ok", "longer name      3  -"],
	);
	assert.deepEqual(
		renderTable(
			["a", "b"],
			[
				["索引", "x"],
				["y", "z"],
			],
		),
		["a     b", "索引  x", "y     z"],
	);
	assert.deepEqual(renderTable(["a"], []), ["a"]);
	assert.equal(renderTable(["a", "b"], [["x\ny", "z".repeat(90)]])[1]?.includes("\n"), false);
	assert.deepEqual(
		[renderCount(0, "file"), renderCount(1, "file"), renderCount(2, "entry", "entries")],
		["no files", "1 file", "2 entries"],
	);
	assert.equal(
		renderJsonPorcelain({ b: [1, 2, 3, 4, 5], a: { z: 1, y: "é\n" }, c: null }),
		'3 fields\na: {y: "é\\n", z: 1}\nb: [1, 2, 3, +2 more]\nc: null',
	);
	assert.equal(renderJsonPorcelain(["x", { a: 1 }], { summary: "2 hits" }), '2 hits\n[0] "x"\n[1] {a: 1}');
	assert.equal(renderJsonPorcelain(7), "7");
});

test("controls, separators and direction marks show as escapes", () => {
	assert.equal(toPlainText("a\u001b[31mb\u0007\u2028\u202ec\ud800"), "a\\x1b[31mb\\x07\\u2028\\u202ec\ufffd");
	assert.equal(toPlainText("a\u{e0041}\u2060b\u{e0100}\u00ad"), "a\\u{e0041}\\u2060b\\u{e0100}\\xad");
	assert.equal(toPlainText("naïve 👩‍👩‍👧 ❤️ می‌خواهم"), "naïve 👩‍👩‍👧 ❤️ می‌خواهم");
});
