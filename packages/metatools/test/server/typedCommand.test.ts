import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { createTypedCommand } from "../../src/catalog/text.ts";
import { loadConfig } from "../../src/config/load.ts";
import { createGateway } from "../../src/server/createGateway.ts";

test("a command names the configuration unless it is the one that is found without a name", (t) => {
	const folder = mkdtempSync(join(tmpdir(), "metatools-typed-"));
	const { XDG_CONFIG_HOME } = process.env;
	process.env.XDG_CONFIG_HOME = folder;
	t.after(() => {
		if (XDG_CONFIG_HOME === undefined) delete process.env.XDG_CONFIG_HOME;
		else process.env.XDG_CONFIG_HOME = XDG_CONFIG_HOME;
		rmSync(folder, { recursive: true, force: true });
	});
	mkdirSync(join(folder, "holdfast"));
	const own = join(folder, "holdfast", "metatools.json");
	writeFileSync(own, "{}");
	const other = join(folder, "two words.json");
	writeFileSync(other, "{}");
	const command = (configFile: string): string =>
		createGateway(loadConfig({ flags: {}, configFile, environment: {} }), { command: "npx holdfast" }).command(
			"login",
			"web",
		);
	assert.equal(command(own), "npx holdfast login web");
	assert.equal(command(other), `npx holdfast login web --config '${other}'`);
	assert.equal(command(""), "npx holdfast login web");
});

test("a shell reads each name of a command as one word, whatever is in it", () => {
	for (const name of ["my files", "x; touch evil|sh", "it's", "$HOME", "`id`", "ré sumé", "*", ""]) {
		const line = createTypedCommand("printf '%s\\0'")(name);
		assert.equal(execFileSync("sh", ["-c", line], { encoding: "utf8" }), `${name}\0`);
	}
});
