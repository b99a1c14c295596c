import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { verifies } from "../../../../e2e/verifies.ts";
import { type Fixture, fixtureOf, pathsFound } from "./fixtureRepository.ts";

const FILES = {
	"src/Parser.ts": "export function parseQuery(text: string) {\n\treturn text.trim();\n}\n",
	"src/my parser.py": "import json\n\ndef parse_query(text):\n    return json.loads(text)\n",
	"lib/parser.rb": "def parse_query(text)\n  text.strip\nend\n",
	"docs/parser.md": "# Parser\n\nparse the query text\n",
	"data/findings.jsonl":
		'{"recordId":"r1","severity":"High","package":{"name":"parse query"},"open":true}\n{"recordId":"r2","severity":"low","package":{"name":"parse query"}}\n',
};

describe("filters by file, mode and record", () => {
	let fixture: Fixture;
	before(async () => {
		fixture = await fixtureOf(FILES);
	});
	after(() => fixture.remove());
	const found = (request: object): Promise<string[]> =>
		pathsFound(fixture.repository, { query: "parse query", ...request }).then((paths) => paths.sort());

	verifies("001-9.1-mode", "mode restricts hits to its kind of text, and another value is refused", async () => {
		assert.deepEqual(await found({ mode: "prose" }), ["docs/parser.md"]);
		assert.deepEqual(await found({ mode: "records" }), ["data/findings.jsonl"]);
		assert.deepEqual(await found({ mode: "code" }), ["lib/parser.rb", "src/Parser.ts", "src/my parser.py"]);
		assert.equal((await found({ mode: "both" })).length, 4);
		assert.equal((await found({ mode: "all" })).length, 5);
		assert.deepEqual(await found({ mode: "both" }), await found({}));
		await assert.rejects(found({ mode: "everything" }), {
			code: "INVALID_REQUEST",
			message: /^mode: expected one of code, prose/,
		});
	});

	test("a language can be given by its common names, and TypeScript includes components", async () => {
		const other = await fixtureOf({
			"a.go": "package a\n\nfunc Gadget() {}\n",
			"b.cpp": "int gadget() { return 1; }\n",
			"c.sh": "gadget() {\n\techo gadget\n}\n",
			"d.ts": "export function gadget() {}\n",
			"e.tsx": "export function Gadget() {\n\treturn <p />;\n}\n",
		});
		const foundIn = async (lang: string): Promise<string[]> =>
			(await pathsFound(other.repository, { query: "gadget", lang })).sort();
		for (const name of ["go", "golang", "Golang"]) assert.deepEqual(await foundIn(name), ["a.go"], name);
		for (const name of ["c++", "cpp", "C++"]) assert.deepEqual(await foundIn(name), ["b.cpp"], name);
		assert.deepEqual(await foundIn("shell"), ["c.sh"]);
		for (const name of ["ts", "typescript"]) assert.deepEqual(await foundIn(name), ["d.ts", "e.tsx"], name);
		assert.deepEqual(await foundIn("tsx"), ["e.tsx"]);
		await other.remove();
	});

	test("a mode without any indexed content causes a warning, which explains where records come from", async () => {
		const bare = await fixtureOf({ "src/only.ts": "export function only() {}\n" });
		const told = async (request: object): Promise<unknown[]> => {
			const { warnings } = await bare.repository.search({ query: "*", ...request });
			return warnings.map(({ code, field, message }) => [code, field, message]);
		};
		assert.deepEqual(await told({ mode: "prose" }), [["filter_without_data", "mode", "nothing indexed is prose"]]);
		const [record, ...others] = await told({ mode: "records", lang: "typescript" });
		assert.match(String(record), /^filter_without_data,mode,nothing indexed is a record: .*triage_ingest/);
		assert.deepEqual(others, []);
		for (const mode of ["code", "both", "all"]) assert.deepEqual(await told({ mode }), [], mode);
		await bare.remove();
	});

	test("a filter by record fields warns that the mode excludes records", async () => {
		for (const mode of ["code", "prose", "both"] as const) {
			const { warnings } = await fixture.repository.search({ query: "*", mode, meta: ["severity=high"] });
			assert.deepEqual(
				warnings.map(({ field, message }) => [field, message.includes("records")]),
				[["meta", true]],
				mode,
			);
		}
		const { warnings } = await fixture.repository.search({ query: "*", mode: "all", metaJson: { severity: "high" } });
		assert.deepEqual(warnings, []);
	});

	verifies("001-9.1-lang", "lang keeps chunks in that language, by name or alias, several with commas", async () => {
		assert.deepEqual(await found({ lang: "python" }), ["src/my parser.py"]);
		assert.deepEqual(await found({ lang: "ts,rb" }), ["lib/parser.rb", "src/Parser.ts"]);
		assert.deepEqual(await found({ lang: "rust" }), []);
		assert.deepEqual(await found({ lang: ".PY" }), ["src/my parser.py"]);
		const { warnings } = await fixture.repository.search({ query: "parse", lang: "rust" });
		assert.equal(
			warnings[0]?.message,
			"no indexed file is in the language rust; there are jsonl, markdown, python, ruby, typescript",
		);
		assert.deepEqual(
			warnings.map(({ code, field }) => ({ code, field })),
			[{ code: "filter_without_data", field: "lang" }],
		);
	});

	verifies("001-9.1-ext", "ext takes one or several extensions, with or without a dot", async () => {
		assert.deepEqual(await found({ ext: "py" }), ["src/my parser.py"]);
		assert.deepEqual(await found({ ext: [".ts", "*.RB"] }), ["lib/parser.rb", "src/Parser.ts"]);
		assert.deepEqual(await found({ ext: "p" }), []);
	});

	verifies("001-9.1-path", "path matches a part, a glob or a regex of the path, any of several", async () => {
		assert.deepEqual(await found({ path: "src/" }), ["src/Parser.ts", "src/my parser.py"]);
		assert.deepEqual(await found({ path: ["lib/", "docs/*.md"] }), ["docs/parser.md", "lib/parser.rb"]);
		assert.deepEqual(await found({ path: "/^(lib|src)\\/p/" }), ["lib/parser.rb", "src/Parser.ts"]);
		assert.deepEqual(await found({ path: "my parser" }), ["src/my parser.py"], "white space is part of a value");
		assert.deepEqual(await found({ path: "/nowhere$/" }), []);
		await assert.rejects(found({ path: "/(/" }), {
			code: "INVALID_REQUEST",
			message: /^path: expected a valid regular expression/,
		});
	});

	verifies("001-9.1-file", "file matches the name of the file, any of several", async () => {
		assert.deepEqual(await found({ file: "my" }), ["src/my parser.py"]);
		assert.deepEqual(await found({ file: ["*.rb", "parser.md"] }), ["docs/parser.md", "lib/parser.rb"]);
		assert.deepEqual(await found({ file: "src" }), []);
	});

	test("a path matches with a leading slash and with backslashes", async () => {
		for (const path of ["/src", "/src/my", "src\\", "\\src\\", "/src/*", "./src"])
			assert.ok((await found({ path })).includes("src/my parser.py"), path);
		assert.deepEqual(await found({ path: "/arser" }), []);
		assert.deepEqual(await found({ file: "lib\\parser" }), ["lib/parser.rb"]);
	});

	test("a path, a name or an extension that no file has is answered with a warning", async () => {
		for (const [field, value] of [
			["path", "nowhere/"],
			["path", "/^nowhere/"],
			["file", "nothing.*"],
			["ext", "zzz"],
		] as const) {
			const { warnings } = await fixture.repository.search({ query: "*", [field]: value });
			assert.deepEqual(
				warnings.map((warning) => [warning.code, warning.field, warning.message.includes(JSON.stringify(value))]),
				[["filter_without_data", field, true]],
			);
		}
		const { warnings } = await fixture.repository.search({ query: "*", ext: ["zzz", "ts"] });
		assert.deepEqual(warnings, [], "one of several is enough");
	});

	verifies("001-9.1-case-file", "caseFile makes only path matching case-sensitive", async () => {
		assert.deepEqual(await found({ path: "PARSER", caseFile: true }), []);
		assert.deepEqual(await found({ path: "Parser", caseFile: true }), ["src/Parser.ts"]);
		assert.equal((await found({ query: "PARSE", caseFile: true })).length, 4);
	});

	verifies("001-9.1-case-tokens", "caseTokens makes only words case-sensitive", async () => {
		assert.deepEqual(await found({ query: "parseQuery", caseTokens: true }), ["src/Parser.ts"]);
		assert.deepEqual(await found({ query: "PARSEQUERY", caseTokens: true }), []);
		assert.deepEqual(await found({ query: "parseQuery", caseTokens: true, path: "PARSER.TS" }), ["src/Parser.ts"]);
	});

	verifies("001-9.1-case", "case makes words and paths case-sensitive", async () => {
		assert.deepEqual(await found({ query: "parseQuery", case: true }), ["src/Parser.ts"]);
		assert.deepEqual(await found({ query: "parseQuery", case: true, path: "parser" }), []);
	});

	verifies("001-9.1-import", "import keeps chunks of files that import that module, as written", async () => {
		assert.deepEqual(await found({ import: "json" }), ["src/my parser.py"]);
		assert.deepEqual(await found({ import: "JSON" }), []);
		assert.deepEqual(await found({ import: "jso" }), []);
	});

	verifies("001-9.1-meta", "meta takes an object, an array or a string, all with the same result", async () => {
		const names = async (meta: object | string): Promise<number[]> =>
			(await fixture.repository.search({ query: "*", mode: "all", meta: meta as string })).hits.map(
				({ startLine }) => startLine,
			);
		assert.deepEqual(await names("severity=high"), [1]);
		assert.deepEqual(await names(["severity=high"]), [1]);
		assert.deepEqual(await names({ severity: "high" }), [1]);
		assert.deepEqual(await names(["package.name=parse query", "severity=LOW"]), [2]);
		assert.deepEqual(await names("open"), [1]);
		assert.deepEqual(await names("severity=critical"), []);
	});

	verifies("001-9.1-meta-json", "metaJson takes an object or its JSON, and invalid JSON is refused", async () => {
		const lines = async (metaJson: object | string): Promise<number[]> =>
			(await fixture.repository.search({ query: "*", mode: "all", metaJson: metaJson as string })).hits.map(
				({ startLine }) => startLine,
			);
		assert.deepEqual(await lines({ recordId: "r2" }), [2]);
		assert.deepEqual(await lines('{"recordId":"r2"}'), [2]);
		assert.deepEqual(await lines('{"recordId":"r3"}'), []);
		assert.deepEqual(await lines({ open: {} }), [1], "an empty object requires its key");
		await assert.rejects(lines("{recordId:"), {
			code: "INVALID_REQUEST",
			message: /^metaJson: expected a JSON object/,
		});
	});

	test("filters that together exclude everything cause a warning, and a filter that keeps something does not", async () => {
		const warned = async (request: object) =>
			(await fixture.repository.search({ query: "parse", ...request })).warnings.map(({ message }) => message);
		assert.deepEqual(await warned({ lang: "markdown", mode: "prose", calls: "x", case: true }), [
			"nothing that is searched passes these filters together: calls, lang",
		]);
		assert.deepEqual(await warned({ meta: "severity=none", mode: "records" }), [
			"nothing that is searched passes the filter meta",
		]);
		assert.deepEqual(await warned({ lang: "markdown", mode: "prose" }), []);
	});

	test("a field that no record has causes a warning with similar nested fields, or with all fields", async () => {
		const warned = async (request: object) =>
			(await fixture.repository.search({ query: "*", mode: "records", ...request })).warnings;
		const told = (field: string, message: string) => [{ code: "filter_without_data", field, message }];
		assert.deepEqual(
			await warned({ meta: "Name=parse query" }),
			told("meta", "no record has the field name; there is package.name"),
		);
		assert.deepEqual(
			await warned({ metaJson: { owner: "nobody" } }),
			told("metaJson", "no record has the field owner; there are open, package.name, recordid, severity"),
		);
		assert.deepEqual(await warned({ meta: "package=parse" }), []);
	});

	test("a filter by a fact that a language never has causes a warning", async () => {
		const first = await fixture.repository.search({ query: "parse", awaits: "x", mode: "code" });
		assert.deepEqual(
			first.warnings.map(({ code, field, message }) => ({
				code,
				field,
				names: /ruby/.test(message) && !/typescript/.test(message),
			})),
			[
				{ code: "filter_unsupported", field: "awaits", names: true },
				{ code: "filter_without_data", field: undefined, names: false },
			],
		);
		assert.equal(first.warnings[1]?.message, "nothing that is searched passes the filter awaits");
	});

	test("a language of few files is named in that warning only if nothing matches", async () => {
		const many = Array.from({ length: 12 }, (_, n) => [
			`f${n}.ts`,
			`export async function gadget${n}(): Promise<void> {}\n`,
		]);
		const other = await fixtureOf({ ...Object.fromEntries(many), "rare.ml": "let gadget () = 1\n" });
		const warned = async (request: object) =>
			(await other.repository.search({ query: "gadget", ...request })).warnings.map(({ message }) => message);
		assert.deepEqual(await warned({ async: true }), []);
		assert.deepEqual(await warned({ generator: true }), [
			"generator is not known for ocaml; nothing there can match",
			"nothing that is searched passes the filter generator",
		]);
		await other.remove();
	});

	test("a path of a lone dot is the whole repository", async () => {
		const files = { Makefile: "gadget:\n\techo gadget\n", "src/a.ts": "export const gadget = 1;\n" };
		const other = await fixtureOf(files);
		for (const path of [".", "./"])
			assert.deepEqual(
				(await other.repository.search({ query: "gadget", path })).hits.map((hit) => hit.path).sort(),
				["Makefile", "src/a.ts"],
				path,
			);
		await other.remove();
	});

	test("data and prose are named in that warning only if nothing else is searched", async () => {
		const files = {
			"a.ts": "export function gadget(): void {}\n",
			"b.ml": "let gadget () = 1\n",
			"c.json": '{ "gadget": 1 }\n',
			"d.yaml": "gadget: 1\n",
			"e.css": ".gadget { color: red }\n",
			"f.xml": "<gadget/>\n",
			".npmrc": "gadget=1\n",
		};
		const other = await fixtureOf(files);
		const warned = async (request: object) =>
			(await other.repository.search({ query: "gadget", async: true, ...request })).warnings[0]?.message;
		assert.equal(await warned({}), "async is not known for ocaml; nothing there can match");
		assert.equal(
			await warned({ ext: ["ts", "json"] }),
			"nothing that is searched passes these filters together: async, ext",
		);
		assert.equal(await warned({ lang: "json,yaml" }), "async is not known for json, yaml; nothing there can match");
		await other.remove();
	});

	test("an empty filter is ignored, because clients often fill in every argument", async () => {
		const all = await found({});
		const blank = {
			path: [],
			file: "",
			ext: [""],
			lang: "",
			type: " ",
			author: "",
			calls: "",
			branch: "",
			meta: [],
			metaJson: "",
		};
		assert.deepEqual(await found(blank), all);
		assert.deepEqual(await found({ path: ["", "lib"] }), ["lib/parser.rb"]);
	});

	test("too many filter values are refused, because each is compared with every file", async () => {
		const many = Array.from({ length: 201 }, (_, at) => `*${at}*`);
		for (const field of ["path", "file", "ext", "meta", "metaJson"]) {
			const message = `${field}: expected at most 200 values, got "201 values"`;
			await assert.rejects(found({ [field]: many }), { code: "INVALID_REQUEST", message });
			assert.deepEqual(await found({ [field]: many.slice(1) }), []);
		}
		const long = { code: "INVALID_REQUEST", message: /^meta: expected at most 2000 characters/ };
		await assert.rejects(found({ meta: { key: "x".repeat(3_000) } }), long);
	});

	test("a pattern that never ends is stopped, with a warning", { timeout: 120_000 }, async () => {
		const long = await fixtureOf({ [`${"a".repeat(60)}!.txt`]: "parse" });
		for (const path of ["/(a+)+$/", "+(+(*)*)!", `${"{a,b,*}".repeat(12)}!`, `${"*a".repeat(30)}*b`]) {
			const { warnings } = await long.repository.search({ query: "parse", path });
			assert.deepEqual(
				warnings.map(({ code, field }) => ({ code, field })),
				[{ code: "regex_budget", field: "path" }],
				path,
			);
		}
		await long.remove();
	});

	test("a glob that begins with an exclamation mark keeps all other paths", async () => {
		const mixed = await fixtureOf({ "a.ts": "export const a = 1;\n", "src/b.ts": "b();\n", "src/c.js": "c();\n" });
		const paths = (path: string) => pathsFound(mixed.repository, { query: "*", path });
		assert.deepEqual(await paths("!*.ts"), ["src/c.js"]);
		assert.deepEqual(await paths("!src/**"), ["a.ts"]);
		await mixed.remove();
	});

	test("parentheses in a glob belong to the name unless they hold alternatives", async () => {
		const routes = await fixtureOf({
			"app/(shop)/page.tsx": "export const cart = 1;\n",
			"app/b/page.tsx": "export {};\n",
		});
		const paths = (path: string) => pathsFound(routes.repository, { query: "*", path });
		for (const path of ["app/(shop)/*.tsx", "**/(shop)/*", "app/(*)/*", "app/((shop)|x)/*"])
			assert.deepEqual(await paths(path), ["app/(shop)/page.tsx"], path);
		assert.deepEqual(await paths("app/(a|b)/*.tsx"), ["app/b/page.tsx"]);
		await routes.remove();
	});

	test("a count above what is counted finds the largest", async () => {
		const many = await fixtureOf({
			"a.py": `def many(x):\n${"    if x: pass\n".repeat(300)}`,
			"b.py": "def few(x):\n    if x: pass\n",
		});
		assert.deepEqual(await pathsFound(many.repository, { query: "*", branchesMin: 256 }), ["a.py"]);
		await many.remove();
	});

	test("a glob that is tried in a thread matches the same paths as one that is not", async () => {
		for (const path of ["docs/*.md", "docs/**/*.@(md|txt)", "{d,x}{o,y}cs/*", "*/*.[m]d", "d*c*s/*.md"])
			assert.deepEqual(await found({ path }), ["docs/parser.md"], path);
		assert.deepEqual(await found({ file: "p*r*e*r.rb" }), ["lib/parser.rb"]);
		assert.deepEqual(await found({ file: "P*r*e*r.rb", case: true }), []);
	});
});
