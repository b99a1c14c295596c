import assert from "node:assert/strict";
import { test } from "node:test";
import { fixtureOf, pathsFound } from "../filter/fixtureRepository.ts";

/** A text, and phrases that stand in it. */
const WRITTEN = [
	["never ReTurn thiS twice", ["return this", "RETURN THIS TWICE"]],
	["it was ImpleMented late", ["implemented late", "was implemented"]],
	["print $fooBar$baz qux", ["fooBar", "baz qux", "$FOOBAR$baz"]],
	["call assertequals one", ["assertEquals one"]],
	["call self.assertEqual(two)", ["self.assertequal", "assertEqual(two)"]],
	["since version 1.2.3 of 0xFFee", ["version 1.2.3", "2.3 of 0xffee"]],
	["a snake_case_name, __init__ and _", ["snake_case_name,", "__init__ and _"]],
	["größe ÜBER straße", ["größe über", "GRÖSSE".replace("SS", "ß")]],
] as const;

test("a phrase is found however its words are cased, split at capitals or joined to signs", async (t) => {
	const files = Object.fromEntries(WRITTEN.map(([text], at) => [`note${at}.txt`, `first line\n\n${text}\n`]));
	const { repository, remove } = await fixtureOf(files);
	t.after(remove);
	for (const [at, [, phrases]] of WRITTEN.entries())
		for (const phrase of phrases)
			assert.deepEqual(await pathsFound(repository, { query: `"${phrase}"`, mode: "all" }), [`note${at}.txt`], phrase);
});

test("a phrase that begins in code and ends in the comment beside it is found in the comment", async (t) => {
	const { repository, remove } = await fixtureOf({
		"keys.py": "def load():\n    limit = 40  # the most keys of a server\n    return limit\n",
	});
	t.after(remove);
	const { hits } = await repository.search({ query: '"40  # the most"', mode: "extracted-prose" });
	assert.deepEqual(
		hits.map(({ path, startLine }) => [path, startLine]),
		[["keys.py", 2]],
	);
});

test("a case-sensitive search finds a plain word as it is written, also joined to another by a sign", async (t) => {
	const { repository, remove } = await fixtureOf({
		"joined.txt": "call outer$UserStore here\n",
		"alone.txt": "a UserStore of ours\n",
		"lower.txt": "a userStore of ours, a userstore, User and Store\n",
	});
	t.after(remove);
	const found = await pathsFound(repository, { query: "UserStore", case: true, mode: "all" });
	assert.deepEqual(found.sort(), ["alone.txt", "joined.txt"]);
});
