import assert from "node:assert/strict";
import { test } from "node:test";
import { fixtureOf } from "../filter/fixtureRepository.ts";

test("a map takes any spelling of a path, also one that begins with a dot", async (t) => {
	const fixture = await fixtureOf({
		".config/x.ts": "export function hidden() {}\n",
		"src/y.ts": "export function shown() {}\n",
	});
	t.after(() => fixture.remove());
	const names = async (path?: string): Promise<string[]> =>
		(await fixture.repository.map(path)).map(({ name }) => name);
	for (const path of [".config", "./.config", ".config/", ".config/x.ts"])
		assert.deepEqual(await names(path), ["hidden"], path);
	for (const path of [undefined, ".", "./"]) assert.deepEqual(await names(path), ["hidden", "shown"], path);
	await assert.rejects(names("config"), { code: "NOT_FOUND" });
});

test("a map of a folder without files says that nothing is indexed", async (t) => {
	const fixture = await fixtureOf({});
	t.after(() => fixture.remove());
	await assert.rejects(fixture.repository.map(), { code: "NOT_FOUND", message: "no file is indexed here" });
});
