import assert from "node:assert/strict";
import { test } from "node:test";
import { fixtureOf } from "../filter/fixtureRepository.ts";

const code = Object.fromEntries(
	Array.from({ length: 12 }, (_, at) => [
		`src/configureDatabase${at}.ts`,
		`export function configureDatabase${at}(database: string): string {\n\t// one of multiple databases\n${"\tlog();\n".repeat(at)}\treturn database;\n}\n`,
	]),
);

test("a document that answers a question best comes behind the first files of code", async () => {
	const { repository, remove } = await fixtureOf({
		...code,
		"docs/multiple-databases.md": "# Multiple databases\n\nTo configure multiple databases, list each database.\n",
		"docs/other.md": "# Others\n\nOne database is enough.\n",
	});
	try {
		const { hits } = await repository.search({ query: "how do I configure multiple databases" });
		const places = hits.map(({ path }) => path);
		assert.equal(places.indexOf("docs/multiple-databases.md"), 4);
		assert.ok(places.slice(0, 4).every((path) => path.startsWith("src/")));
		const paged = await repository.search({ query: "how do I configure multiple databases", offset: 4, top: 1 });
		assert.equal(paged.hits[0]?.path, "docs/multiple-databases.md");
	} finally {
		await remove();
	}
});

test("a document with only some of the words stays behind the code", async () => {
	const { repository, remove } = await fixtureOf({
		...code,
		"docs/other.md": "# Others\n\nOne database is enough.\n",
	});
	try {
		const { hits } = await repository.search({ query: "how do I configure multiple databases", top: 50 });
		assert.equal(hits.at(-1)?.path, "docs/other.md");
	} finally {
		await remove();
	}
});
