import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { readDeclarationAsked } from "../../src/rank/terms/declarationAsked.ts";
import { type Fixture, fixtureOf } from "../filter/fixtureRepository.ts";

test("a declaration is recognised as it stands in code, and in a question for one name", () => {
	const names = (query: string): string | undefined => readDeclarationAsked(query)?.name;
	for (const query of [
		...["class Model", "class Model:", "class Model(Base):", "export default class Model {", "Model class"],
		...["where is Model defined", "Where is the Model class?", "definition of class Model", "show me Model"],
		...["how does Model work", "pub(crate) struct Model", "data class Model(val id: Int)"],
	])
		assert.equal(names(query), "Model", query);
	assert.equal(names("def reverse(viewname"), "reverse");
	assert.equal(names("pub async fn read_all"), "read_all");
	assert.equal(names("what does select_related do"), "select_related");
	assert.equal(names("#define MAX_DEPTH"), "MAX_DEPTH");
	assert.equal(names("export const WEIGHTS = {"), "WEIGHTS");
	assert.equal(names("save method of Model"), "Model.save");
	assert.equal(names("namespace absl::strings"), "absl::strings");
	assert.equal(names("func (c *Command) Traverse(args []string)"), "Command.Traverse");
	assert.equal(names("func (Set[T]) Add"), "Set.Add");
	assert.equal(names("suspend fun delay"), "delay");
	assert.equal(names("defmacro from"), "from");
	assert.equal(names("macro_rules! join"), "join");
	assert.equal(names("typealias Handler"), "Handler");
	for (const query of [
		...["Model", "class", "how does the model save", "find model", "function call order"],
		...["where are the tests", "what does it do", "class __proto__ in constructor"],
	])
		assert.equal(names(query), undefined, query);
});

describe("a query that asks for a declaration", () => {
	let fixture: Fixture;
	const chatter = (name: string): string =>
		Array.from(
			{ length: 12 },
			(_, at) => `export function ${name}Class${at}(model) {\n\t// the class of a model, models\n}`,
		).join("\n");
	before(async () => {
		fixture = await fixtureOf({
			"src/base.py": "class Model:\n    def save(self):\n        return 1\n\n    def check(self):\n        return 2\n",
			"src/models/model_class.js": `${chatter("model")}\n`,
			"src/models/models.js": `${chatter("models")}\nexport function save() {\n\treturn models.save;\n}\n`,
			"src/kinds.ts": "export class Index {}\nexport function index() {\n\treturn 1;\n}\n",
			"docs/saving.md": "# Saving a model\n\nCall save.\n",
		});
	});
	after(() => fixture.remove());
	const first = async (query: string): Promise<string> => {
		const [hit] = (await fixture.repository.search({ query, mode: "code" })).hits;
		return `${hit?.kind} ${hit?.qualifiedName}`;
	};

	test("finds it first, as the bare name does", async () => {
		for (const query of [
			"Model",
			"class Model",
			"class Model:",
			"where is Model defined",
			"Model class",
			"show me Model",
		])
			assert.equal(await first(query), "class Model", query);
		assert.equal(await first("save method of Model"), "method Model.save");
		assert.equal(await first("base.Model.save"), "method Model.save");
	});

	test("prefers the kind it names", async () => {
		assert.equal(await first("class Index"), "class Index");
		assert.equal(await first("function index"), "function index");
	});

	test("is a question where nothing has that name", async () => {
		const { hits, warnings } = await fixture.repository.search({ query: "class Saving", mode: "all" });
		assert.ok(hits.some(({ path }) => path === "docs/saving.md"));
		assert.deepEqual(warnings, []);
	});
});
