import assert from "node:assert/strict";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { fixtureOf, writeFiles } from "../filter/fixtureRepository.ts";

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

test("which of several equal documents is lifted does not depend on how the index was built up", async () => {
	const answer = "# Multiple databases\n\nTo configure multiple databases, list each database.\n";
	const first = "docs/a/multiple-databases.md";
	const documents = { [first]: `${answer}\nFirst.\n`, "docs/b/multiple-databases.md": `${answer}\nOther.\n` };
	const { root, repository, remove } = await fixtureOf({ ...code, ...documents });
	try {
		const places = async (): Promise<string[]> => {
			const { hits } = await repository.search({ query: "how do I configure multiple databases", top: 50 });
			return hits.map(({ path, score }) => `${path} ${score}`);
		};
		const before = await places();
		assert.ok(before[4]?.startsWith(first), before.join("\n"));
		rmSync(join(root, first));
		await repository.updateIndex();
		writeFiles(root, documents);
		await repository.updateIndex();
		assert.deepEqual(await places(), before);
	} finally {
		await remove();
	}
});

test("a listing of everything lifts no document", async () => {
	const { repository, remove } = await fixtureOf({ ...code, "docs/a.md": "# A\n\nText.\n" });
	try {
		const { hits } = await repository.search({ query: "*", mode: "all", top: 50 });
		assert.equal(hits.at(-1)?.path, "docs/a.md");
	} finally {
		await remove();
	}
});
