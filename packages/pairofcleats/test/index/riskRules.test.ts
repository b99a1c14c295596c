import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";
import { openRepository } from "../../src/repo/openRepository.ts";
import { openIndexFolder } from "../../src/store/indexFolder.ts";
import { runCaptured } from "../cli/captured.ts";
import { fixtureOf, namesFound } from "../filter/fixtureRepository.ts";

const LAUNCH = 'export function launch(code: string) {\n\tconst next = code + "!";\n\treturn ignite(next);\n}\n';
const RULES = JSON.stringify({ sinks: [{ name: "ignition", category: "launch", patterns: ["ignite()"] }] });

test("a user's risk rules stay with the index through changes and rebuilds, until others are given", async (t) => {
	const fixture = await fixtureOf({ "src/launch.ts": LAUNCH }, { freshnessMs: 0 });
	t.after(() => fixture.remove());
	const file = join(dirname(fixture.root), "rules.json");
	const { repository } = fixture;
	const ignitions = (): Promise<string[]> => namesFound(repository, { query: "*", riskSink: "ignition" });
	assert.deepEqual(await ignitions(), []);

	writeFileSync(file, RULES);
	assert.equal((await repository.updateIndex({ riskRules: file })).kind, "build", "other rules mean a whole new index");
	assert.deepEqual(await ignitions(), ["launch"]);
	assert.equal((await repository.updateIndex({ riskRules: file })).kind, "update", "the same rules do not");

	writeFileSync(join(fixture.root, "src/again.ts"), LAUNCH.replace("launch", "again"));
	assert.deepEqual(await ignitions(), ["again", "launch"], "what a search takes in");
	await repository.buildIndex();
	assert.deepEqual(await ignitions(), ["again", "launch"], "what is built anew");

	writeFileSync(file, "{}");
	await repository.buildIndex({ riskRules: file });
	assert.deepEqual(await ignitions(), []);
});

test("an index that was given a rule for an unknown language is still updated and built again", async (t) => {
	const fixture = await fixtureOf({ "src/launch.ts": LAUNCH }, { freshnessMs: 0 });
	t.after(() => fixture.remove());
	const file = join(dirname(fixture.root), "rules.json");
	const { repository } = fixture;
	writeFileSync(file, RULES);
	await repository.buildIndex({ riskRules: file });
	const database = new DatabaseSync(openIndexFolder(fixture.cacheRoot, fixture.root).current() ?? "");
	const kept = RULES.replace('"patterns"', '"languages":["typescrpt"],"patterns"');
	database.prepare("UPDATE meta SET value = ? WHERE key = 'riskRules'").run(kept);
	database.close();
	writeFileSync(join(fixture.root, "src/again.ts"), LAUNCH.replace("launch", "again"));
	assert.equal((await repository.updateIndex()).kind, "update");
	await repository.buildIndex();
	assert.deepEqual(await namesFound(repository, { query: "*", riskSink: "ignition" }), []);
	writeFileSync(file, kept);
	await assert.rejects(repository.buildIndex({ riskRules: file }), /sinks\[0\]\.languages\[0\]: expected a language/);
});

test("an invalid rule file is refused with the name of the field, and the index stays unchanged", async (t) => {
	const fixture = await fixtureOf({ "src/launch.ts": LAUNCH });
	t.after(() => fixture.remove());
	const { repository, root, cacheRoot } = fixture;
	const file = join(dirname(root), "rules.json");
	writeFileSync(file, '{"sinks":[{"name":"x","category":"c","patterns":["not a name"]}]}');
	await assert.rejects(repository.buildIndex({ riskRules: file }), {
		code: "INVALID_REQUEST",
		message: /sinks\[0\]\.patterns\[0\]: expected a name/,
	});
	await assert.rejects(repository.updateIndex({ riskRules: join(root, "none.json") }), { code: "NOT_FOUND" });
	assert.deepEqual(await namesFound(repository, { query: "launch" }), ["launch"]);

	const before = process.env.PAIROFCLEATS_CACHE_ROOT;
	process.env.PAIROFCLEATS_CACHE_ROOT = cacheRoot;
	t.after(() => {
		if (before === undefined) delete process.env.PAIROFCLEATS_CACHE_ROOT;
		else process.env.PAIROFCLEATS_CACHE_ROOT = before;
	});
	const flags = ["--risk-rules", file, "--repo", root];
	assert.equal((await runCaptured(["index", "build", ...flags])).code, 2);
	writeFileSync(file, RULES);
	assert.equal((await runCaptured(["index", "build", ...flags])).code, 0);
	const other = openRepository(root, { cacheRoot, model: null });
	t.after(() => other.close());
	assert.deepEqual(await namesFound(other, { query: "*", riskSink: "ignition" }), ["launch"]);
});
