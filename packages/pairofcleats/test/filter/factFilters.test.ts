import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { verifies } from "../../../../e2e/verifies.ts";
import type { SearchRequest } from "../../src/query/request.ts";
import { type Fixture, fixtureOf, namesFound } from "./fixtureRepository.ts";

const SERVICE = `import { readFile } from "node:fs/promises";
import { exec } from "node:child_process";
import { Base } from "./base.ts";

/** A widget service. */
export class WidgetService extends Base {
	private cache = new Map<string, string>();

	@logged("widget")
	async loadWidget(widgetPath: string): Promise<string> {
		const body = await readFile(widgetPath, "utf8");
		if (body === "") throw new EmptyWidgetError(widgetPath);
		this.cache.set(widgetPath, body);
		return body;
	}

	private dropWidget(widgetKey: string): void {
		let dropped = widgetKey;
		const alias = this.cache;
		this.counter = 0;
		alias.delete(dropped);
	}
}

export function* walkWidgets(list: string[]) {
	for (const item of list) {
		if (item === "stop") break;
		if (item === "skip") continue;
		yield item;
	}
}

export function skimWidgets(list: string[]): Set<string> {
	const seen = new Set<string>();
	for (const item of list) {
		if (item === "skip") continue;
		if (item === "skim") continue;
		seen.add(item);
	}
	return seen;
}

export function runWidget(req: { query: { command: string } }) {
	const command = req.query.command;
	exec(command);
}

export function plainWidget() {
	const quiet = 1;
}
`;

/** One row per filter: a value that keeps exactly these chunks, and one that keeps none. */
const ROWS: readonly {
	readonly id: string;
	readonly says: string;
	readonly keeps: Partial<SearchRequest>;
	readonly names: readonly string[];
	readonly none: Partial<SearchRequest>;
}[] = [
	{
		id: "calls",
		says: "calls keeps chunks that call that function",
		keeps: { calls: "readFile" },
		names: ["loadWidget"],
		none: { calls: "readfile" },
	},
	{
		id: "uses",
		says: "uses keeps chunks that use that identifier",
		keeps: { uses: "widgetKey" },
		names: ["dropWidget"],
		none: { uses: "widgetke" },
	},
	{
		id: "uses",
		says: "uses keeps chunks that use a member by its name",
		keeps: { uses: "counter" },
		names: ["dropWidget"],
		none: { uses: "this" },
	},
	{
		id: "uses",
		says: "uses keeps chunks that call a method of that name",
		keeps: { uses: "delete" },
		names: ["dropWidget"],
		none: { uses: "delet" },
	},
	{
		id: "signature",
		says: "signature keeps chunks whose signature has that part",
		keeps: { signature: "list: string[]" },
		names: ["skimWidgets", "walkWidgets"],
		none: { signature: "list: number[]" },
	},
	{
		id: "param",
		says: "param keeps chunks with that parameter",
		keeps: { param: "widgetPath" },
		names: ["loadWidget"],
		none: { param: "widgetpath" },
	},
	{
		id: "decorator",
		says: "decorator keeps chunks with that decorator",
		keeps: { decorator: "LOGGED" },
		names: ["loadWidget"],
		none: { decorator: "memoized" },
	},
	{
		id: "inferred-type",
		says: "inferredType keeps chunks with that inferred type",
		keeps: { inferredType: "number" },
		names: ["dropWidget", "plainWidget"],
		none: { inferredType: "bigint" },
	},
	{
		id: "return-type",
		says: "returnType keeps chunks that return that type",
		keeps: { returnType: "promise<string>" },
		names: ["loadWidget"],
		none: { returnType: "Promise<number>" },
	},
	{
		id: "return-type",
		says: "returnType asks for the type that is returned, not for one of a parameter, a variable or the error thrown",
		keeps: { returnType: "set<" },
		names: ["skimWidgets"],
		none: { returnType: "EmptyWidgetError" },
	},
	{
		id: "return-type",
		says: "returnType finds nothing by the type of a parameter alone",
		keeps: { returnType: "void" },
		names: ["dropWidget"],
		none: { returnType: "command" },
	},
	{
		id: "throws",
		says: "throws keeps chunks that throw that error",
		keeps: { throws: "EmptyWidget" },
		names: ["loadWidget"],
		none: { throws: "RangeError" },
	},
	{
		id: "reads",
		says: "reads keeps chunks that read that variable",
		keeps: { reads: "dropped" },
		names: ["dropWidget"],
		none: { reads: "droppedx" },
	},
	{
		id: "writes",
		says: "writes keeps chunks that assign that variable",
		keeps: { writes: "dropped" },
		names: ["dropWidget"],
		none: { writes: "stop" },
	},
	{
		id: "mutates",
		says: "mutates keeps chunks that change that property, and === changes nothing",
		keeps: { mutates: "counter" },
		names: ["dropWidget"],
		none: { mutates: "item" },
	},
	{
		id: "alias",
		says: "alias keeps chunks that make that alias",
		keeps: { alias: "alias=this.cache" },
		names: ["dropWidget"],
		none: { alias: "alias=this.store" },
	},
	{
		id: "awaits",
		says: "awaits keeps chunks that await that call",
		keeps: { awaits: "readFile" },
		names: ["loadWidget"],
		none: { awaits: "exec" },
	},
	{
		id: "risk",
		says: "risk keeps chunks with that risk",
		keeps: { risk: "command-exec" },
		names: ["runWidget"],
		none: { risk: "xss" },
	},
	{
		id: "risk-tag",
		says: "riskTag keeps chunks with that risk tag",
		keeps: { riskTag: "command-exec" },
		names: ["runWidget"],
		none: { riskTag: "xss" },
	},
	{
		id: "risk-source",
		says: "riskSource keeps chunks with that source",
		keeps: { riskSource: "http-input" },
		names: ["runWidget"],
		none: { riskSource: "environment" },
	},
	{
		id: "risk-sink",
		says: "riskSink keeps chunks with that sink",
		keeps: { riskSink: "exec" },
		names: ["runWidget"],
		none: { riskSink: "innerHTML" },
	},
	{
		id: "risk-sink",
		says: "riskSink asks for the sink, not for the source, the category or the flow that leads there",
		keeps: { riskSink: "file-read" },
		names: ["loadWidget"],
		none: { riskSink: "http-input" },
	},
	{
		id: "risk-sink",
		says: "riskSink takes any part of the sink's name in any case",
		keeps: { riskSink: "COMMAND-" },
		names: ["runWidget"],
		none: { riskSink: "->command" },
	},
	{
		id: "risk-category",
		says: "riskCategory keeps chunks of that category",
		keeps: { riskCategory: "command" },
		names: ["runWidget"],
		none: { riskCategory: "sql" },
	},
	{
		id: "risk-flow",
		says: "riskFlow keeps chunks with that flow, a value that begins with - included",
		keeps: { riskFlow: "->command-exec" },
		names: ["runWidget"],
		none: { riskFlow: "->html" },
	},
	{
		id: "branches-min",
		says: "branchesMin keeps chunks with at least so many branches",
		keeps: { branchesMin: 2 },
		names: ["skimWidgets", "walkWidgets"],
		none: { branchesMin: 50 },
	},
	{
		id: "loops-min",
		says: "loopsMin keeps chunks with at least so many loops",
		keeps: { loopsMin: 1 },
		names: ["skimWidgets", "walkWidgets"],
		none: { loopsMin: 9 },
	},
	{
		id: "breaks-min",
		says: "breaksMin keeps chunks with at least so many breaks",
		keeps: { breaksMin: 1 },
		names: ["walkWidgets"],
		none: { breaksMin: 9 },
	},
	{
		id: "continues-min",
		says: "continuesMin keeps chunks with at least so many continues",
		keeps: { continuesMin: 2 },
		names: ["skimWidgets"],
		none: { continuesMin: 3 },
	},
	{
		id: "continues-min",
		says: "continuesMin counts continues, and no breaks, loops or branches",
		keeps: { continuesMin: 1 },
		names: ["skimWidgets", "walkWidgets"],
		none: { continuesMin: 1, returnType: "void" },
	},
	{
		id: "visibility",
		says: "visibility keeps chunks of that visibility",
		keeps: { visibility: "Private", type: "method" },
		names: ["dropWidget"],
		none: { visibility: "protected" },
	},
	{
		id: "extends",
		says: "extends keeps classes that extend that name",
		keeps: { extends: "Base" },
		names: ["WidgetService"],
		none: { extends: "Bas" },
	},
	{
		id: "async",
		says: "async keeps async functions, and false those that are not",
		keeps: { async: true },
		names: ["loadWidget"],
		none: { async: true, calls: "exec" },
	},
	{
		id: "generator",
		says: "generator keeps generators, and false those that are not",
		keeps: { generator: true },
		names: ["walkWidgets"],
		none: { generator: true, calls: "exec" },
	},
	{
		id: "returns",
		says: "returns keeps chunks that return a value",
		keeps: { returns: true },
		names: ["loadWidget", "skimWidgets"],
		none: { returns: true, calls: "exec" },
	},
	{
		id: "type",
		says: "type keeps chunks of that kind",
		keeps: { type: "class" },
		names: ["WidgetService"],
		none: { type: "enum" },
	},
];

describe("filters by facts of the syntax tree", () => {
	let fixture: Fixture;
	before(async () => {
		fixture = await fixtureOf({
			"src/service.ts": SERVICE,
			"src/base.ts": "export class Base {}\n",
			"notes/widget.md": "# Widget notes\n\nA widget is loaded.\n",
		});
	});
	after(() => fixture.remove());

	for (const { id, says, keeps, names, none } of ROWS) {
		verifies(`001-9.1-${id}`, says, async () => {
			const query = "widget";
			const all = await namesFound(fixture.repository, { query, mode: "code" });
			assert.ok(all.length > names.length, `without a filter there is more: ${all}`);
			assert.deepEqual(await namesFound(fixture.repository, { query, mode: "code", ...keeps }), names);
			assert.deepEqual(await namesFound(fixture.repository, { query, mode: "code", ...none }), []);
		});
	}

	test("a base class is found by its whole name, without namespace and type arguments, or by a part with a star", async () => {
		const other = await fixtureOf({
			"a.ts":
				"export class One extends Lookup {\n\topen() {}\n}\nexport class Two extends LookupTable {\n\topen() {}\n}\n",
			"b.ts": "export class Three extends store.Lookup<string, Two> {\n\topen() {}\n}\n",
			"c.cpp": "class Four : public store::Lookup {\n\tvoid open() {}\n};\n",
		});
		const extending = (name: string): Promise<string[]> =>
			namesFound(other.repository, { query: "*", type: "class", extends: name });
		assert.deepEqual(await extending("Lookup"), ["Four", "One", "Three"]);
		assert.deepEqual(await extending("lookup*"), ["Four", "One", "Three", "Two"]);
		assert.deepEqual(await extending("store.Lookup"), ["Three"]);
		assert.deepEqual(await extending("Look"), []);
		assert.deepEqual(await extending("*"), ["Four", "One", "Three", "Two"]);
		await other.remove();
	});

	test("a decorator and a call are found as they are written in code, too", async () => {
		const { repository } = fixture;
		for (const filter of [{ decorator: "@logged" }, { calls: "readFile()" }, { awaits: "readFile()" }]) {
			assert.deepEqual(await namesFound(repository, { query: "*", ...filter }), ["loadWidget"], JSON.stringify(filter));
		}
	});

	test("a risk that nothing has is answered with those there are, since they have the names of rules", async () => {
		const warned = async (filter: Partial<SearchRequest>): Promise<unknown> =>
			(await fixture.repository.search({ ...filter, query: "widget" })).warnings;
		const told = (field: string, message: string) => [{ code: "filter_without_data", field, message }];
		assert.deepEqual(
			await warned({ riskSource: "req.query" }),
			told("riskSource", 'no riskSource has "req.query"; there is http-input'),
		);
		assert.deepEqual(
			await warned({ riskSink: "os.system" }),
			told("riskSink", 'no riskSink has "os.system"; there are command-exec, file-read'),
		);
		assert.deepEqual(
			await warned({ riskFlow: "req.query->exec" }),
			told("riskFlow", 'no riskFlow has "req.query->exec"; there is http-input->command-exec'),
		);
		assert.deepEqual(await warned({ riskFlow: "http-input" }), []);
	});

	verifies(
		["001-9.1-async", "001-9.1-generator", "001-9.1-returns"],
		"false keeps the chunks known not to be so",
		async () => {
			const { repository } = fixture;
			const query = "widget";
			assert.ok(!(await namesFound(repository, { query, async: false })).includes("loadWidget"));
			assert.ok((await namesFound(repository, { query, async: false })).includes("runWidget"));
			assert.ok(!(await namesFound(repository, { query, generator: false })).includes("walkWidgets"));
			assert.ok((await namesFound(repository, { query, generator: false })).includes("runWidget"));
			assert.ok(!(await namesFound(repository, { query, returns: false })).includes("loadWidget"));
			assert.ok((await namesFound(repository, { query, returns: false })).includes("plainWidget"));
		},
	);
});
