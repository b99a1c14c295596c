import assert from "node:assert/strict";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import fc from "fast-check";
import { readUnknownWords } from "../../src/query/unknownWords.ts";
import { type Fixture, fixtureOf } from "../filter/fixtureRepository.ts";

const WORDS = ["get", "user", "name", "username", "session", "season", "open", "parse", "token", "is", "valid", "xi"];

describe("an installed dictionary", () => {
	let fixture: Fixture;
	let folder: string;
	before(async () => {
		fixture = await fixtureOf({
			"src/user.ts": "export function getUserName(id: string) {\n\treturn id;\n}\n",
			"src/session.ts": "export function openSession() {\n\treturn isValid(1);\n}\n",
			"src/other.ts": "export function parseToken(text: string) {\n\treturn text;\n}\n",
		});
		folder = join(fixture.cacheRoot, "dictionaries");
	});
	after(() => fixture.remove());
	const install = (words: readonly string[] = WORDS): void => {
		mkdirSync(folder, { recursive: true });
		writeFileSync(join(folder, "en.txt"), `${words.join("\n")}\n`);
	};
	const search = async (query: string) => {
		const { hits, warnings } = await fixture.repository.search({ query });
		return { paths: hits.map(({ path }) => path), warnings, scores: hits.map(({ score }) => score) };
	};

	test("splits run-together words, without changing answers to known words", async () => {
		const before = await search("usernamevalid");
		assert.deepEqual(before.paths, []);
		assert.deepEqual(before.warnings, []);
		const known = await search("open session token");
		install();
		assert.deepEqual((await search("usernamevalid")).paths.sort(), ["src/session.ts", "src/user.ts"]);
		assert.equal((await search("parsethetoken getusername")).paths[0], "src/user.ts");
		assert.deepEqual(await search("open session token"), known);
		rmSync(folder, { recursive: true });
		assert.deepEqual((await search("usernamevalid")).paths, []);
	});

	const meant = (word: string, other: string) => ({
		code: "unknown_word",
		field: "query",
		message: `nothing indexed has "${word}"; did you mean "${other}"? It is looked for instead`,
	});

	test("suggests and searches the corrected word if the index contains it", async () => {
		install();
		for (const [query, path, ...warnings] of [
			["sesion", "src/session.ts", meant("sesion", "session")],
			["tokne user name", "src/user.ts", meant("tokne", "token")],
		] as const) {
			const { paths, warnings: said } = await search(query);
			assert.deepEqual([paths[0], said], [path, warnings], query);
		}
		// Close only to dictionary words, close to nothing, or present: none of these gets a warning.
		for (const query of ["seasen", "zzzqqq", "session", "getUserName", "username"])
			assert.deepEqual((await search(query)).warnings, [], query);
	});

	test("is not needed if most of the words are misspelt", async () => {
		rmSync(folder, { recursive: true, force: true });
		for (const [query, path, ...warnings] of [
			["sesion", "src/session.ts", meant("sesion", "session")],
			["how to opne sesions", "src/session.ts", meant("opne", "open"), meant("sesions", "sessions")],
			["tokne user name", "src/user.ts"],
			["zzzqqq", undefined],
			[
				"opensesion",
				"src/session.ts",
				{ code: "unknown_word", field: "query", message: 'nothing searched has "opensesion"; "openSession" is shown' },
			],
		] as const) {
			const { paths, warnings: said } = await search(query);
			assert.deepEqual([paths[0], said], [path, warnings], query);
		}
	});

	test("skips lines that are not words", async () => {
		install(["", "Häuser", "a".repeat(10_000), "get", "user", "../..", "name\u0000"]);
		writeFileSync(join(folder, "broken.txt"), Buffer.from([0xff, 0xfe, 0, 0x80]));
		assert.deepEqual((await search("getuser")).paths, ["src/user.ts"]);
	});
});

test("words that only deleted files had are not suggested, and are corrected like others", async (t) => {
	const { repository, root, remove } = await fixtureOf(
		{
			"gone.txt": "the marmalade recipe\n",
			"also.txt": "the sesion of a user\n",
			"left.txt": "open the session\n",
			...Object.fromEntries(Array.from({ length: 6 }, (_, at) => [`other${at}.txt`, `an ordinary text ${at}\n`])),
		},
		{ freshnessMs: 0 },
	);
	t.after(remove);
	const said = async (query: string): Promise<string[]> =>
		(await repository.search({ query, mode: "prose" })).warnings.map(({ message }) => message);
	assert.match((await said("marmelade"))[0] ?? "", /did you mean "marmalade"/);
	assert.deepEqual(await said("sesion"), []);
	for (const path of ["gone.txt", "also.txt"]) rmSync(join(root, path));
	assert.deepEqual(await said("marmelade"), []);
	assert.match((await said("sesion"))[0] ?? "", /did you mean "session"/);
});

test("splits a word into dictionary words that together make up the word", () => {
	const listed = new Set(WORDS);
	const dictionary = { has: (word: string) => listed.has(word) };
	fc.assert(
		fc.property(fc.array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 5 }), (parts) => {
			const word = parts.join("");
			const { split } = readUnknownWords([word], dictionary, (term) => (term === word || term.length > 9 ? 0 : 1));
			for (const [whole, found] of split) {
				assert.equal(found.join(""), whole);
				assert.ok(found.every((part) => listed.has(part)));
			}
		}),
	);
});
