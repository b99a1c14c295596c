import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { verifies } from "../../../../e2e/verifies.ts";
import { type Fixture, fixtureOf, pathsFound } from "../filter/fixtureRepository.ts";

const BODY = Array.from({ length: 12 }, (_, line) => `\tconst step${line} = ${line};`).join("\n");
const FILES = {
	"src/session.ts": `export function openSession(id: string) {\n\tif (!known(id)) throw new Error("Session not found");\n\treturn id;\n}\n`,
	"src/store.ts": `export function closeStore() {\n${BODY}\n\treturn "session store closed";\n}\n`,
	"src/retry.ts": "export function retryRequest(attempt: number) {\n\treturn attempt * 2; // back off\n}\n",
	"test/session.test.ts": "test('openSession', () => {\n\topenSession('a');\n});\n",
	"copy/one.ts": `export function copied() {\n${BODY}\n\treturn "twin text";\n}\n`,
	"copy/two.ts": `export function copied() {\n${BODY}\n\treturn "twin text";\n}\n`,
	"src/gate.ts": `/**\n${" * Keeps the gate.\n".repeat(5)} */\nexport async function keepGate(\n\twidth: number,\n\theight: number,\n): Promise<void> {\n\tawait width;\n}\n`,
	"README.md": "# Read me\n\nOpen a session, then close the store.\n",
};

describe("search", () => {
	let fixture: Fixture;
	before(async () => {
		fixture = await fixtureOf(FILES);
	});
	after(() => fixture.remove());
	const found = (query: string, request: object = {}): Promise<string[]> =>
		pathsFound(fixture.repository, { query, ...request });

	verifies("001-9.1-query", "a query is required and must have something in it", async () => {
		for (const request of [{}, { query: "" }, { query: "   " }, { query: 7 }]) {
			await assert.rejects(fixture.repository.search(request as { query: string }), {
				code: "INVALID_REQUEST",
				message: /^query: expected a (non-empty )?string/,
			});
		}
		assert.equal((await found("retry request"))[0], "src/retry.ts");
	});

	test("an exact identifier finds its definition before its uses, in any spelling", async () => {
		assert.equal((await found("openSession"))[0], "src/session.ts");
		assert.equal((await found("open_session"))[0], "src/session.ts");
		const { hits } = await fixture.repository.search({ query: "openSession" });
		assert.equal(hits[0]?.name, "openSession");
		assert.equal(hits[0]?.startLine, 1);
	});

	test("a query without words shows the lines that the filters name", async () => {
		const matched = async (request: object): Promise<unknown> =>
			(await fixture.repository.search({ query: "*", ...request })).hits.map(({ snippet, path, name }) => ({
				place: `${path} ${name}`,
				matched: snippet.matched,
			}));
		assert.deepEqual(await matched({ calls: "known()" }), [{ place: "src/session.ts openSession", matched: [2] }]);
		assert.deepEqual(await matched({ writes: "step11", path: "store" }), [
			{ place: "src/store.ts closeStore", matched: [13] },
		]);
	});

	test("a question for the uses of an identifier finds the chunks that have it, not its definition, and says how to ask", async () => {
		const users = await fixtureOf({
			"a.py":
				"def open_session(id):\n    return id\n\n\ndef close(id):\n    return id\n\n\ndef restore(id):\n    return open_session(id)\n\n\ndef renew(id):\n    return open_session(id)\n",
			"session.py":
				"def session_opened(id):\n    return session_of(id)\n\n\nclass Session:\n    def __call__(self):\n        return self.open\n",
			"use.py": "def open_used(id):\n    return used(id)\n",
		});
		for (const query of ["who calls open_session", "Where is `open_session()` used?", "all callers of open_session"]) {
			const { hits, warnings } = await users.repository.search({ query });
			const names = hits.map(({ name }) => name);
			assert.deepEqual(names.slice(0, 2), ["restore", "renew"], query);
			assert.ok(!names.includes("open_session"), query);
			assert.deepEqual(
				warnings.map(({ code, message }) => [code, /--calls open_session\b/.test(message)]),
				[["uses_by_name", true]],
			);
		}
		const { hits } = await users.repository.search({ query: "*", calls: "open_session" });
		assert.deepEqual(hits.map(({ name }) => name).sort(), ["renew", "restore"], "as the warning says");
		await users.remove();
	});

	test("a question that names an indexed file finds it, also one of records or without any of the words", async () => {
		const named = await fixtureOf({
			"data/notes.jsonl": '{"title":"first"}\n{"title":"second"}\n',
			"src/e.ts": "const pi = 3;\n",
			"src/other.ts": "export function what() {\n\treturn 1;\n}\n",
			"src/a/index.ts": "export const a = 1;\n",
			"src/b/index.ts": "export const b = 1;\n",
		});
		const first = async (query: string, more: object = {}): Promise<string | undefined> =>
			(await pathsFound(named.repository, { query, ...more }))[0];
		for (const query of ["notes.jsonl", "what is in notes.jsonl", "what does data/notes.jsonl hold"])
			assert.equal(await first(query), "data/notes.jsonl", query);
		for (const query of ["e.ts", "src/e.ts"]) assert.equal(await first(query), "src/e.ts", query);
		assert.ok((await pathsFound(named.repository, { query: "what is e.ts for" })).includes("src/e.ts"));
		assert.notEqual(await first("what is in notes.jsonl", { mode: "code" }), "data/notes.jsonl");
		await named.remove();
	});

	test("part of an identifier finds it", async () => {
		assert.equal((await found("retry"))[0], "src/retry.ts");
	});

	test("a question ranks by how many of its words are found and excludes none that lacks one", async () => {
		const paths = await found("how does the retry request back off after an exponential jitter?");
		assert.equal(paths[0], "src/retry.ts");
	});

	test("a phrase is found in a body as it stands, and not in another order", async () => {
		assert.deepEqual(await found('"Session not found"'), ["src/session.ts"]);
		assert.deepEqual(await found('"session  NOT found"'), ["src/session.ts"]);
		assert.deepEqual(await found('"not Session found"'), []);
		assert.deepEqual(await found('"ession not foun"'), []);
	});

	test("a phrase that nothing contains is searched by its words if the query has others, with a warning", async () => {
		const answer = await fixture.repository.search({ query: 'wrong "session is not found" when opening' });
		assert.equal(answer.hits[0]?.path, "src/session.ts");
		assert.deepEqual(
			answer.warnings.map(({ code, field }) => [code, field]),
			[["unknown_word", "query"]],
		);
		const kept = await fixture.repository.search({ query: 'opening "session not found" of the store' });
		assert.deepEqual([kept.hits.length, kept.warnings], [1, []], "what something has is demanded");
		for (const query of ['"session is not found"', '"session is not found" "nor here" -store']) {
			const { hits, warnings } = await fixture.repository.search({ query });
			assert.deepEqual(hits, [], query);
			assert.deepEqual(warnings, [
				{
					code: "unknown_word",
					field: "query",
					message: "nothing searched has the text in quotes as it is written; without quotes its words are looked for",
				},
			]);
		}
		const inside = await fixture.repository.search({ query: '"session not foun"' });
		assert.equal(
			inside.warnings.at(-1)?.message,
			"the text in quotes is written only inside longer words, where /session\\s+not\\s+foun/i finds it; without quotes its words are looked for",
		);
		assert.deepEqual(await found("/session\\s+not\\s+foun/i"), ["src/session.ts"]);
		for (const query of [
			'"is not found" AND session',
			'"is not found" OR "nor here"',
			'"is not found" AND (session AND -nowhere)',
			'(session AND store) AND "is not found"',
		]) {
			const { hits, warnings } = await fixture.repository.search({ query });
			assert.deepEqual([hits, warnings], [[], []], query);
		}
		const without = await found('the "session is not found" -store -README');
		assert.ok(without.includes("src/session.ts") && !without.includes("src/store.ts"), "what is excluded stays so");
		assert.deepEqual(await found('session "is not found" /nowhere/'), [], "an expression is still demanded");
	});

	test("the snippet of a phrase has the line that it stands on, whatever words it is of", async () => {
		const shown = async (query: string): Promise<unknown> => {
			const { hits } = await fixture.repository.search({ query, path: "src/store.ts", context: 0 });
			return [hits[0]?.snippet.lines, hits[0]?.snippet.matched];
		};
		assert.deepEqual(await shown('"= 7;"'), [["\tconst step7 = 7;"], [9]]);
		assert.deepEqual(await shown('closeStore "step5 ="'), [["\tconst step5 = 5;"], [7]]);
		assert.deepEqual(await shown('"0; const step1"'), [["\tconst step0 = 0;"], [2]]);
	});

	test("operators in upper case, groups and exclusions decide what is found", async () => {
		assert.deepEqual((await found("session AND store")).sort(), ["README.md", "src/store.ts"]);
		assert.deepEqual((await found("(retryRequest OR closeStore) AND NOT session")).sort(), ["src/retry.ts"]);
		assert.ok(!(await found("session -store")).includes("src/store.ts"));
		assert.ok((await found("session -store")).includes("src/session.ts"));
		assert.deepEqual(await found("session -(close store)"), await found("session NOT (close store)"));
		assert.ok(!(await found("session -(close store)")).some((path) => /README|store/.test(path)));
		assert.ok((await found("session -(close nowhere)")).includes("README.md"), "a group is excluded as a whole");
	});

	test("all that satisfies a condition is found, by whatever part of it", async () => {
		assert.deepEqual((await found("retryRequest OR /twin t/")).sort(), ["copy/one.ts", "src/retry.ts"]);
		assert.deepEqual((await found('retryRequest OR "= 11;"')).sort(), ["copy/one.ts", "src/retry.ts", "src/store.ts"]);
		const all = await found("*");
		const without = all.filter((path) => !/session|store|README/.test(path));
		assert.deepEqual((await found("retryRequest OR NOT session")).sort(), without.toSorted());
		assert.equal((await found("retryRequest OR NOT session"))[0], "src/retry.ts");
		assert.deepEqual((await found("/twin t/ OR -session")).sort(), without.toSorted());
		assert.deepEqual(await found("* -session"), without, "in the order of everything");
		assert.deepEqual((await found("session /return/")).sort(), (await found("/return/")).sort());
		assert.deepEqual((await found("Session /return/", { case: true })).sort(), (await found("/return/")).sort());
		assert.deepEqual(await found("_"), [], "no word, no match");
	});

	test("the snippet of a definition has the line that it begins on, not the comment above", async () => {
		const { hits } = await fixture.repository.search({ query: "keepGate", context: 1 });
		assert.deepEqual(hits[0]?.snippet.lines, [" */", "export async function keepGate(", "\twidth: number,"]);
		assert.equal(hits[0]?.startLine, 1);
	});

	test("a query of phrases marks the lines that have one, not those with one of its words", async () => {
		const matched = async (query: string): Promise<unknown> =>
			(await fixture.repository.search({ query, path: "src/session.ts", context: 50 })).hits[0]?.snippet.matched;
		assert.deepEqual(await matched('"known(id)"'), [2]);
		assert.deepEqual(await matched("known id"), [1, 2, 3]);
	});

	test("a regular expression is matched on the text, line by line, with the lines it matched", async () => {
		assert.deepEqual(await found("/throw new \\w+\\(/"), ["src/session.ts"]);
		assert.deepEqual(await found("/^\\treturn id;$/"), ["src/session.ts"]);
		const { hits } = await fixture.repository.search({ query: "/not found/" });
		assert.deepEqual(hits[0]?.snippet.matched.includes(2), true);
		assert.deepEqual(await found("/SESSION NOT/"), []);
		assert.deepEqual(await found("/SESSION NOT/i"), ["src/session.ts"]);
	});

	test("an expression and words together filter by the one and rank by the others", async () => {
		assert.deepEqual(await found("store /clos/"), ["src/store.ts", "README.md"]);
	});

	test("a regular expression that backtracks forever is stopped, with a warning", { timeout: 120_000 }, async () => {
		const hard = await fixtureOf({ "a.txt": `${"a".repeat(40)}!\n` });
		const result = await hard.repository.search({ query: "/(a+)+$/" });
		assert.deepEqual(
			result.warnings.map(({ code }) => code),
			["regex_budget"],
		);
		assert.equal((await hard.repository.search({ query: "/a+!/" })).hits.length, 1, "the next one runs");
		await hard.remove();
	});

	test("what an exclusion had no time to search counts as excluded", { timeout: 120_000 }, async () => {
		const hard = await fixtureOf({ "a.txt": `${"a".repeat(40)}!\n` });
		const { hits, warnings } = await hard.repository.search({ query: "* -/(a+)+$/" });
		assert.deepEqual(hits, []);
		assert.deepEqual(
			warnings.map(({ code }) => code),
			["regex_budget"],
		);
		await hard.remove();
	});

	test("tests come after sources unless the query asks for them", async () => {
		const plain = await found("openSession a");
		assert.ok(plain.indexOf("src/session.ts") < plain.indexOf("test/session.test.ts"));
		const asked = await found("how is openSession a tested");
		assert.ok(asked.indexOf("test/session.test.ts") < asked.indexOf("src/session.ts"), asked.join());
	});

	test("copies of one text are one hit that names the others", async () => {
		const { hits } = await fixture.repository.search({ query: "twin text copied" });
		const [first] = hits;
		assert.equal(first?.path, "copy/one.ts");
		assert.deepEqual(first?.duplicates, [{ path: "copy/two.ts", startLine: 1, endLine: 15 }]);
		assert.ok(!hits.slice(1).some(({ path }) => path === "copy/two.ts"));
	});

	verifies(
		"001-9.1-top",
		"top limits the hits, values below 1 count as 1, and pages have no gaps or repeats",
		async () => {
			assert.equal((await fixture.repository.search({ query: "session", top: 0 })).hits.length, 1);
			assert.equal((await fixture.repository.search({ query: "session", top: -3 })).hits.length, 1);
			const all = await fixture.repository.search({ query: "session", top: 50 });
			const paged: string[] = [];
			for (let offset = 0; ; offset += 2) {
				const page = await fixture.repository.search({ query: "session", top: 2, offset });
				paged.push(...page.hits.map(({ path, startLine }) => `${path}:${startLine}`));
				if (!page.hasMore) break;
				assert.equal(page.hits.length, 2);
			}
			assert.deepEqual(
				paged,
				all.hits.map(({ path, startLine }) => `${path}:${startLine}`),
			);
			assert.equal(all.totals.matches, all.hits.length);
		},
	);

	verifies("001-9.1-context", "context sets the number of lines shown around the match", async () => {
		const lines = async (context: number): Promise<readonly string[]> =>
			(await fixture.repository.search({ query: '"Session not found"', context })).hits[0]?.snippet.lines ?? [];
		assert.deepEqual(await lines(0), ['\tif (!known(id)) throw new Error("Session not found");']);
		assert.equal((await lines(1)).length, 3);
	});

	verifies(
		"001-9.1-backend",
		"the backend that there is may be named, and any other is refused with a reason",
		async () => {
			const plain = await found("session store", {});
			for (const backend of ["auto", "sqlite"] as const)
				assert.deepEqual(await found("session store", { backend }), plain, backend);
			for (const backend of ["memory", "sqlite-fts"] as const) {
				const message = new RegExp(`^backend: expected auto or sqlite, got "${backend}": there is one store`);
				await assert.rejects(found("x", { backend }), { code: "INVALID_REQUEST", message });
			}
			await assert.rejects(found("x", { backend: "lmdb" }), {
				code: "INVALID_REQUEST",
				message: /^backend: expected one of auto/,
			});
		},
	);

	verifies(
		"001-9.1-output",
		"compact leaves out facts and source, full and json have them, another value is refused",
		async () => {
			const hit = async (output: string) =>
				(await fixture.repository.search({ query: "retryRequest", output: output as "full" })).hits[0];
			assert.equal((await hit("compact"))?.source, undefined);
			assert.equal((await hit("compact"))?.facts, undefined);
			for (const output of ["full", "json"]) {
				assert.match((await hit(output))?.source ?? "", /^export function retryRequest/);
				assert.deepEqual((await hit(output))?.facts?.params, ["attempt"]);
			}
			await assert.rejects(hit("xml"), {
				code: "INVALID_REQUEST",
				message: /^output: expected one of compact, full, json/,
			});
		},
	);

	verifies(
		"001-9.1-ann",
		"ann true without a model answers by words with a warning; false and null do not warn",
		async () => {
			const codes = async (ann: boolean | null): Promise<string[]> =>
				(await fixture.repository.search({ query: "session", ann })).warnings.map(({ code }) => code);
			assert.deepEqual(await codes(true), ["vectors_unavailable"]);
			assert.deepEqual(await codes(false), []);
			assert.deepEqual(await codes(null), []);
		},
	);

	test("explain shows parts that add up to the score", async () => {
		const { hits } = await fixture.repository.search({ query: "open session", explain: true });
		assert.notEqual(hits.length, 0);
		for (const { score, scoreParts } of hits) {
			const sum = Object.values(scoreParts ?? {}).reduce((a, b) => a + b, 0);
			assert.ok(Math.abs(sum - score) < 0.001, `${sum} is not ${score}`);
		}
		assert.equal((await fixture.repository.search({ query: "open session" })).hits[0]?.scoreParts, undefined);
	});

	test("the same request gives the same answer", async () => {
		const strip = (result: object): string => JSON.stringify({ ...result, timings: 0, checkedAt: 0 });
		const first = await fixture.repository.search({ query: "session store", explain: true });
		const second = await fixture.repository.search({ query: "session store", explain: true });
		assert.equal(strip(first), strip(second));
	});

	test("no path in an answer is absolute", async () => {
		const result = await fixture.repository.search({ query: "session", output: "full" });
		assert.ok(!JSON.stringify(result).includes(fixture.root));
	});

	test("an argument that does not exist is refused by name", async () => {
		await assert.rejects(fixture.repository.search({ query: "x", colour: "red" } as { query: string }), {
			code: "INVALID_REQUEST",
			message: "colour: no such search argument",
		});
	});

	test("an aborted search is cancelled", async () => {
		await assert.rejects(fixture.repository.search({ query: "/s+/" }, AbortSignal.abort()), { name: "AbortError" });
	});
});

test("comments are a list of their own in the mode of extracted prose", async () => {
	const fixture = await fixtureOf({
		"a.ts":
			"/** Balances the widget ledger. */\nexport function run() {}\n\n// Unrelated remark about rain.\nexport const x = 1;\n",
		"b.ts": "export const ledger = 'balances the widget';\n",
	});
	const { hits } = await fixture.repository.search({ query: "widget ledger", mode: "extracted-prose", explain: true });
	assert.deepEqual(
		hits.map(({ path, startLine, mode }) => ({ path, startLine, mode })),
		[{ path: "a.ts", startLine: 1, mode: "extracted-prose" }],
	);
	assert.ok(hits.every(({ score }) => Number.isFinite(score) && score > 0));
	await fixture.remove();
});

test("texts and names are found in any script, by part of a sentence and with or without accents", async () => {
	const { repository, remove } = await fixtureOf({
		"src/pool.py":
			'def lease():\n    """接続プールが満杯の場合は例外を投げる"""\n    raise ValueError("队列已满请稍后再试")\n',
		"src/key.ts":
			"/** Retourne la première clé trouvée. */\nexport function trouverClé(clés: string[]) {\n\treturn clés[0];\n}\n",
		"src/sign.py": "# Проверка подписи\ndef проверить_подпись(пользователь):\n    return пользователь\n",
		"src/join.py": "# 연결이 끊어지면 다시 시도한다\ndef again():\n    return 1\n",
		"src/thai.py":
			"# การตรวจสอบสิทธิ์ของผู้ใช้งานระบบก่อนที่จะอนุญาตให้เข้าถึงข้อมูลสำคัญทั้งหมดในฐานข้อมูลหลักขององค์กร\ndef check():\n    return 3\n",
		"src/plain.py": "def other():\n    return 2\n",
	});
	try {
		for (const [query, path] of [
			["接続プール", "src/pool.py"],
			["例外を投げるのはどこ", "src/pool.py"],
			["队列", "src/pool.py"],
			['"接続プール"', "src/pool.py"],
			['"已满请稍后"', "src/pool.py"],
			["满请 AND 例外", "src/pool.py"],
			["杯", "src/pool.py"],
			["る", "src/pool.py"],
			["杯 AND 队", "src/pool.py"],
			["이", "src/join.py"],
			["ฐานข้อมูล", "src/thai.py"],
			["ก", "src/thai.py"],
			["premiere cle", "src/key.ts"],
			["trouver", "src/key.ts"],
			["trouverClé", "src/key.ts"],
			["trouverCle\u0301", "src/key.ts"],
			["ПОДПИСЬ", "src/sign.py"],
			["проверить_подпись", "src/sign.py"],
			["연결", "src/join.py"],
		] as const) {
			const { hits } = await repository.search({ query });
			assert.deepEqual([...new Set(hits.map((hit) => hit.path))], [path], query);
		}
		for (const query of ["例外", "杯"]) {
			const [hit] = (await repository.search({ query, context: 0 })).hits;
			assert.deepEqual(hit?.snippet.matched, [2], query);
		}
	} finally {
		await remove();
	}
});
