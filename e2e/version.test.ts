import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

for (const program of ["holdfast", "metatools", "pairofcleats", "synesthetic"]) {
	test(`${program} tells its version however one asks for it`, () => {
		const manifest = JSON.parse(readFileSync(new URL(`../packages/${program}/package.json`, import.meta.url), "utf8"));
		const said = (...args: readonly string[]) => {
			const bin = fileURLToPath(new URL(`../packages/${program}/bin/${program}.js`, import.meta.url));
			const { status, stdout, stderr } = spawnSync(process.execPath, [bin, ...args], { encoding: "utf8", input: "" });
			assert.deepEqual([status, stderr], [0, ""], args.join(" "));
			return stdout;
		};
		for (const word of ["version", "--version", "-V", "-v"]) {
			assert.equal(said(word), `${program} ${manifest.version}\n`);
			assert.deepEqual(JSON.parse(said(word, "--json")), { name: program, version: manifest.version });
		}
	});
}
