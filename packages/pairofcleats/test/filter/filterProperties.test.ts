import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import fc from "fast-check";
import { parseFile } from "../../src/parse/parseFile.ts";
import { type Known, keeps } from "./filterOracle.ts";
import { commit, type Fixture, fixtureOf, git } from "./fixtureRepository.ts";
import { POLYGLOT } from "./polyglot.ts";

const AUTHORS = { "José Ñuñez": "2021-05-01T10:00:00Z", "jane o'neill": "2024-02-29T23:30:00Z" } as const;
const PATHS = Object.keys(POLYGLOT);
/** The first half of the files is by one author, the rest by the other. */
const authorOf = (path: string): keyof typeof AUTHORS =>
	PATHS.indexOf(path) < PATHS.length / 2 ? "José Ñuñez" : "jane o'neill";

/** Values that match something in the fixture, values that nearly do, and values that match nothing. */
const VALUES: Readonly<Record<string, readonly unknown[]>> = {
	type: ["function", "Method", "class,struct", " method , function ", "section", "enum"],
	lang: ["typescript", "TS", "py,rb", "C#", "go", "rust,java", "php", "fortran"],
	author: ["josé", "JOSÉ ÑUÑEZ", "jose\u0301", "o'neill", "jane josé", "n"],
	modifiedAfter: ["2021-05-01", "2021-05-01T10:00:00Z", "2021-05-02", "2024-02-29", "2030-01-01"],
	modifiedSince: [0, 1, 100_000],
	churnMin: [0, 1, 7, 12, 1_000],
	import: ["node:fs/promises", "fs/promises", "os", "net/http", "json", "java.util.List", "System", "NODE:FS/PROMISES"],
	calls: [
		"readFile",
		"readfile",
		"fmt.Println",
		"Println",
		"exec",
		"system",
		"Delay",
		"size",
		"parse",
		"get",
		"readFile()",
		"()",
		"",
	],
	uses: ["länge", "key", "Key", "lines", "nothing"],
	param: ["key", "länge", "title", "Key", "to", "$to", "self", "path"],
	signature: ["load(", "ASYNC", "größe", "-> Option<u32>", "string key", "  ", "func (s *Server)"],
	decorator: ["cached", "OVERRIDE", "derive", "staticmethod", "obsolete(", "@cached", "@", " @cached", "nope"],
	inferredType: ["string", "number", "x"],
	returnType: ["promise<", "Option", "float", "task", "bool", "error", "void"],
	throws: ["EmptyStore", "valueerror", "OrderException", "Mail", "ArgumentError", "zzz"],
	reads: ["key", "länge", "LAST", "line"],
	writes: ["last", "text", "found", "i"],
	mutates: ["this.owner", "wert", "seen", "total", "lines", "held"],
	alias: ["held=", "=this.owner", "x=y"],
	awaits: ["readFile", "ready", "task.delay", "x", "a ", "ready()", "()"],
	risk: ["command", "COMMAND-EXEC", "sql"],
	riskTag: ["exec", "xss"],
	riskSource: ["http", "env"],
	riskSink: ["exec", "system", "eval"],
	riskCategory: ["command", "Command", "path"],
	riskFlow: ["->", "http-input->command", "-"],
	branchesMin: [0, 1, 2, 9],
	loopsMin: [0, 1, 2],
	breaksMin: [0, 1, 2],
	continuesMin: [0, 1, 2],
	visibility: ["public", "PRIVATE", "protected", "internal", "p"],
	extends: ["Base", "closable", "Comparable", "entity", "job", "Quiet", "B"],
	lint: [true, false],
	async: [true, false],
	generator: [true, false],
	returns: [true, false],
	branch: ["trunk", "TRUNK", "main"],
	path: [
		"src",
		"./src/app",
		"my server",
		["lib", "WEB"],
		["ts", "crates/core"],
		"/\\.rs$/",
		"/^SRC/",
		"gröSSe",
		"Guide [v2]",
		"größe",
		"gro\u0308ße",
		[],
		"",
		["", "lib"],
	],
	file: ["store", "app/store", "STORE.TS", "/^main\\./", "/app\\/store/", "main", ["nightly", "order"], "src", []],
	ext: ["ts", ".PY", "*.rs", "rs,java", ["go", "cs"], "php", "md", " ts ", [], "s", ""],
	meta: [
		"severity=high",
		"severity",
		"package.name=LEFT",
		"package",
		"package=b",
		["open", "id=r1"],
		"score=7",
		"nope",
	],
	metaJson: [{ severity: "low" }, '{"package.tags":"b"}', { package: { name: "pad" } }, { open: true }, [{ id: "r2" }]],
	case: [true, false],
	caseFile: [true, false],
};

describe("every filter keeps exactly the chunks that a direct check keeps", () => {
	let fixture: Fixture;
	const chunks: Known[] = [];

	before(async () => {
		fixture = await fixtureOf(POLYGLOT, {
			blame: true,
			history: (root) => {
				git(root, "init", "-q", "-b", "trunk");
				for (const [author, date] of Object.entries(AUTHORS)) {
					commit(
						root,
						author,
						date,
						PATHS.filter((path) => authorOf(path) === author),
					);
				}
			},
		});
		for (const [path, text] of Object.entries(POLYGLOT)) {
			const { language, imports, parseErrors, chunks: parsed } = await parseFile(path, text);
			const lines = text.trimEnd().split("\n");
			for (const chunk of parsed) {
				chunks.push({
					path,
					language,
					imports,
					errorLines: parseErrors.map(({ line }) => line),
					author: authorOf(path),
					modifiedMs: Date.parse(AUTHORS[authorOf(path)]),
					churn: lines.length,
					chunk,
					...(path.endsWith(".jsonl") && { record: JSON.parse(lines[chunk.startLine - 1] ?? "") }),
				});
			}
		}
	});
	after(() => fixture.remove());

	const agree = async (filters: object): Promise<void> => {
		const nowMs = Date.now();
		const expected = chunks.filter((known) => keeps({ query: "*", ...filters }, known, nowMs)).map(label);
		const { hits } = await fixture.repository.search({ query: "*", mode: "all", top: 1_000, ...filters });
		const found = hits
			.filter(({ mode }) => mode !== "extracted-prose")
			.map(({ path, startLine, endLine, name }) => `${path}:${startLine}-${endLine} ${name}`);
		assert.deepEqual(found.sort(), expected.sort(), JSON.stringify(filters));
	};

	test("without a filter everything is kept, and the fixture is large enough", async () => {
		await agree({});
		assert.ok(chunks.length > 40, `${chunks.length} chunks`);
	});

	for (const [name, values] of Object.entries(VALUES)) {
		test(`${name}, each value alone`, async () => {
			for (const value of values) await agree({ [name]: value });
		});
	}

	test("several filters at once must all hold", { timeout: 120_000 }, async () => {
		const one = fc
			.constantFrom(...Object.keys(VALUES))
			.chain((name) => fc.constantFrom(...(VALUES[name] ?? [])).map((value) => [name, value] as const));
		const several = fc.array(one, { minLength: 2, maxLength: 3 }).map((pairs) => Object.fromEntries(pairs));
		await fc.assert(fc.asyncProperty(several, agree), { numRuns: 400 });
	});

	test("any text is a valid filter value and keeps the chunks that contain it", { timeout: 120_000 }, async () => {
		const names = Object.keys(VALUES).filter(
			(name) =>
				VALUES[name]?.every((value) => typeof value === "string") && !["type", "lang", "modifiedAfter"].includes(name),
		);
		const texts = fc.oneof(fc.string({ maxLength: 8 }), fc.string({ unit: "grapheme", maxLength: 4 }));
		await fc.assert(
			fc.asyncProperty(fc.constantFrom(...names), texts, (name, text) => agree({ [name]: text })),
			{ numRuns: 300 },
		);
	});
});

function label({ path, chunk: { startLine, endLine, name } }: Known): string {
	return `${path}:${startLine}-${endLine} ${name}`;
}
