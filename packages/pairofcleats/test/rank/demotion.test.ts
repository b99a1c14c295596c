import assert from "node:assert/strict";
import { test } from "node:test";
import { type JudgedFile, makeDemotion } from "../../src/rank/demotion.ts";
import { WEIGHTS } from "../../src/rank/weights.ts";
import { PathTable } from "../../src/tokens/pathWords.ts";

const file = (path: string, facts: Partial<JudgedFile>): JudgedFile => ({
	role: "source",
	mode: "code",
	language: "python",
	method: "grammar",
	declares: () => true,
	pathWords: () => new PathTable().read(path),
	...facts,
});
const source = file("app/session.py", {});
const tests = file("tests/session.py", { role: "test" });
const settings = file("app/session.yaml", { language: "yaml" });
const translation = file("app/locale/da/app.po", { language: "plain" });

const kept = (query: string, of: JudgedFile): number => makeDemotion(new Set(query.split(" ")), WEIGHTS)(of);

test("tests, settings and translations rank after the code they are about", () => {
	assert.equal(kept("session expiry", source), 1);
	for (const other of [tests, settings, translation]) assert.ok(kept("session expiry", other) < 1);
});

test("a benchmark beside its source ranks after it, unless benchmarks are asked for", () => {
	for (const path of ["time/duration_benchmark.cc", "src/sort.bench.ts", "sort_bench.rs", "bench.py"]) {
		assert.ok(kept("sort duration", file(path, {})) < 1, path);
		assert.equal(kept("sort benchmark", file(path, {})), 1, path);
	}
	assert.equal(kept("sort duration", file("src/workbench.ts", {})), 1);
});

test("code for documents and examples ranks after the code they are about, whatever else its folder is called", () => {
	for (const path of ["docs_src/session.py", "docs-v3/session.ts", "web-examples/session.ts", "demo_app/session.rb"])
		assert.ok(kept("session", file(path, {})) < 1, path);
	assert.equal(kept("session docs", file("docs_src/session.py", {})), 1);
	for (const path of ["sample_rate/session.py", "docstrings/session.py", "src/demographics/session.py"])
		assert.equal(kept("session", file(path, {})), 1, path);
});

test("a query that asks for such files finds them like any other", () => {
	assert.equal(kept("session tests", tests), 1);
	assert.equal(kept("session config", settings), 1);
	assert.equal(kept("locale session", translation), 1);
});

test("a long text that mentions tests does not ask for tests", () => {
	const report = Array.from({ length: 30 }, (_, index) => `word${index}`).join(" ");
	assert.ok(kept(`${report} test config`, tests) < 1);
	assert.ok(kept(`${report} test config`, settings) < 1);
});

test("an index file that only re-exports ranks after the files it exports, and a script without functions does not", () => {
	const declares = (): boolean => false;
	for (const path of ["app/__init__.py", "src/session/index.ts", "src/session/mod.rs"]) {
		assert.ok(kept("session", file(path, { declares })) < 1, path);
		assert.equal(kept("session", file(path, {})), 1, path);
	}
	assert.equal(kept("session", file("app/deploy.py", { declares })), 1);
	assert.equal(kept("session", file("notes/index.txt", { declares, method: "lines" })), 1);
});
