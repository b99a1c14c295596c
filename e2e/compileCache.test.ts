import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { ROOT } from "../scripts/run.ts";
import { newPlace } from "./place.ts";

const INITIALIZE =
	'{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"c","version":"1"}}}\n';

for (const line of [
	"holdfast --help",
	"holdfast host -- cat",
	"pairofcleats --help",
	"pairofcleats mcp",
	"pairofcleats mcp --direct",
	"pairofcleats search lantern",
	"metatools --help",
	"metatools serve",
	"synesthetic --help",
]) {
	test(`${line} leaves nothing of a known name among everybody's temporary files`, { timeout: 120_000 }, (t) => {
		const place = newPlace();
		t.after(place.remove);
		const temporary = join(place.folder, "tmp");
		mkdirSync(temporary);
		const [name = "", ...args] = line.split(" ");
		const { status, stderr } = spawnSync(process.execPath, [join(ROOT, `packages/${name}/bin/${name}.js`), ...args], {
			env: { ...place.environment, TMPDIR: temporary },
			cwd: place.repository,
			// A host would wait for the answer of this one.
			input: name === "holdfast" ? "" : INITIALIZE,
			encoding: "utf8",
		});
		assert.equal(status, 0, stderr);
		assert.deepEqual(readdirSync(temporary), []);
		const compiled = join(place.folder, "home/.cache/holdfast/compiled");
		assert.equal(statSync(compiled).mode & 0o777, 0o700);
		assert.notEqual(readdirSync(compiled).length, 0, "it serves the next start");
	});
}
