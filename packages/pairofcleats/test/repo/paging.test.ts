import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import type { SearchRequest } from "../../src/query/request.ts";
import type { Hit, SearchResult } from "../../src/query/result.ts";
import { openRepository } from "../../src/repo/openRepository.ts";
import type { Repository } from "../../src/repo/repository.ts";
import { writeFiles } from "../filter/fixtureRepository.ts";

/** More files than are examined closely, one with more chunks than any page, copies, and rare words. */
function manyFiles(): Record<string, string> {
	const files: Record<string, string> = {};
	const topics = ["socket", "invoice", "parser", "cache", "colour"];
	for (let file = 0; file < 230; file++) {
		const topic = topics[file % topics.length];
		files[`src/${topic}/part${file}.ts`] =
			`export function load${file}(${topic}: string) {\n\treturn ${topic}.trim() + ${"widget + ".repeat(file % 7)}${file};\n}\n`;
	}
	files["src/large.ts"] = Array.from(
		{ length: 80 },
		(_, at) => `export function step${at}(widget: number) {\n\treturn widget * ${at};\n}\n`,
	).join("\n");
	const steps = Array.from({ length: 14 }, (_, at) => `\tconst widget${at} = ${at};`).join("\n");
	for (let copy = 0; copy < 60; copy++) files[`copy/c${copy}.ts`] = `export function copied() {\n${steps}\n}\n`;
	files["src/rare.ts"] = "export function openHatch(lever: string) {\n\treturn lever;\n}\n";
	return files;
}

describe("pages of one list", () => {
	let base: string;
	let repository: Repository;
	before(async () => {
		base = realpathSync(mkdtempSync(join(tmpdir(), "pairofcleats-")));
		mkdirSync(join(base, "repo"));
		writeFiles(join(base, "repo"), manyFiles());
		repository = openRepository(join(base, "repo"), { cacheRoot: join(base, "cache") });
		await repository.buildIndex();
	});
	after(async () => {
		await repository.close();
		rmSync(base, { recursive: true, force: true });
	});
	const pagesOf = async (request: SearchRequest): Promise<SearchResult[]> => {
		const pages: SearchResult[] = [];
		for (let offset = 0; ; offset += request.top ?? 10) {
			const page = await repository.search({ ...request, offset });
			pages.push(page);
			if (!page.hasMore) return pages;
			assert.equal(page.hits.length, request.top ?? 10);
		}
	};
	const places = (hits: readonly Hit[]): string[] => hits.map(({ path, startLine }) => `${path}:${startLine}`);

	for (const query of [
		"widget",
		"load the widget",
		"openHatch",
		"/return/",
		"*",
		"widget AND return",
		"lever socket",
	]) {
		for (const ann of [false, true]) {
			test(`${query}, ${ann ? "with" : "without"} vectors, is one list however it is cut`, async () => {
				const whole = (await pagesOf({ query, ann, top: 1_000 })).flatMap(({ hits }) => hits);
				const { totals } = await repository.search({ query, ann });
				for (const top of [3, 50]) {
					const pages = await pagesOf({ query, ann, top });
					const hits = pages.flatMap((page) => page.hits);
					assert.deepEqual(places(hits), places(whole), `${top} at a time`);
					assert.deepEqual(hits, whole, `${top} at a time`);
					for (const page of pages) assert.deepEqual(page.totals, totals);
				}
				const copies = whole.reduce((sum, { duplicates = [] }) => sum + duplicates.length, 0);
				// Of sixty copies, fifty are listed with the first.
				const unnamed = whole.some(({ name }) => name === "copied") ? 9 : 0;
				assert.equal(whole.length + copies + unnamed, totals.matches);
			});
		}
	}
});
