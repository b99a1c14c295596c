import assert from "node:assert/strict";
import { test } from "node:test";
import { fixtureOf } from "../filter/fixtureRepository.ts";

const filler = (count: number): Record<string, string> =>
	Object.fromEntries(
		Array.from({ length: count }, (_, index) => [
			`other/part_${index}.py`,
			`def part_${index}(value):\n    return value\n`,
		]),
	);

test("a question that names a function is answered by its declaration, not by code that only shares its words", async () => {
	const { repository, remove } = await fixtureOf({
		...filler(60),
		"models/query.py": "class Rows:\n    def get_or_create(self, defaults):\n        return self.find(defaults)\n",
		"backends/base.py":
			"def create_pool(value):\n    # A race on a condition: get one, or create it.\n    condition = race(value)\n    return get(condition)\n",
		"backends/race.py":
			"def race(condition):\n    # Whoever comes first may create.\n    return get_or_create(condition)\n",
	});
	try {
		const { hits } = await repository.search({ query: "get_or_create race condition on create", top: 1 });
		assert.deepEqual([hits[0]?.path, hits[0]?.name], ["models/query.py", "get_or_create"]);
	} finally {
		await remove();
	}
});

test("a type and a member named apart are found together", async () => {
	const manager = (name: string): string =>
		`class ${name}:\n    """Keeps what was cached."""\n\n    def clear_all(self):\n        self.cached = {}\n\n    def get_for_model(self, model):\n        return self.cached[model]\n`;
	const { repository, remove } = await fixtureOf({
		...filler(60),
		"a.py": manager("SiteManager"),
		"b.py": manager("TypeManager"),
		"c.py": manager("UserManager"),
	});
	try {
		const { hits } = await repository.search({ query: "how TypeManager caches in get_for_model", top: 1 });
		assert.deepEqual([hits[0]?.path, hits[0]?.name], ["b.py", "get_for_model"]);
	} finally {
		await remove();
	}
});

test("a helper that only tests declare is not ranked as a test when a question names it", async () => {
	const { repository, remove } = await fixtureOf({
		...filler(60),
		"tests/cases.py": "class Case:\n    def assert_num_queries(self, number):\n        return Counting(number)\n",
		"db/count.py":
			"def count(queries):\n    # Where queries count.\n    number = 0\n    for query in queries:\n        number += count(query)\n    return number\n",
		"db/num.py": "def num(queries):\n    # The num of queries, and how they count.\n    return count(queries)\n",
	});
	try {
		const { hits } = await repository.search({ query: "how does assert_num_queries count the queries", top: 1 });
		assert.equal(hits[0]?.path, "tests/cases.py");
	} finally {
		await remove();
	}
});

test("a name that is everywhere does not pull a question to its declaration", async () => {
	const uses = Object.fromEntries(
		Array.from({ length: 60 }, (_, index) => [
			`uses/u${index}.py`,
			`def u${index}(app):\n    return FastApp(app, ${index})\n`,
		]),
	);
	const { repository, remove } = await fixtureOf({
		...uses,
		"app.py": "class FastApp:\n    def __init__(self, app):\n        self.app = app\n",
		"threads.py": "def threaded(route):\n    # A sync route.\n    return submit(route)\n",
	});
	try {
		const { hits } = await repository.search({ query: "how does FastApp run sync routes", top: 1 });
		assert.equal(hits[0]?.path, "threads.py");
	} finally {
		await remove();
	}
});
