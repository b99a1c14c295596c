import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import type { Terminal } from "../../src/cli/terminal.ts";
import { runValidateCommand } from "../../src/cli/validateCommand.ts";
import { readSettings } from "../../src/settings.ts";
import { sampleFolder } from "../server/sample.ts";

function terminalOf(readable: boolean): Terminal & { readonly lines: string[] } {
	const lines: string[] = [];
	const out = (line: string): void => void lines.push(line);
	return { lines, out, err: out, progress: () => {}, readable, paint: (_color, text) => text };
}

test("a person at a terminal reads what failed where, and a program the same as JSON", async (t) => {
	const cwd = sampleFolder(t);
	const settings = readSettings({}, cwd);
	const file = (name: string, text: string): string => {
		writeFileSync(join(cwd, name), text);
		return join(cwd, name);
	};
	const broken = file("not\u001b[31m.json", "{");
	const paths = [
		join(cwd, "libs/synesthetic-schemas/examples/Tone_Example.json"),
		file("SynestheticAsset_Bad.json", '{\n  "name": "x",\n  "tone": {\n    "frequency": -1\n  }\n}\n'),
		broken,
	];
	const person = terminalOf(true);
	assert.equal(await runValidateCommand({ paths, watch: false, json: false }, settings, person), 2);
	assert.deepEqual(person.lines, [
		`valid    ${paths[0]}  tone`,
		`invalid  ${paths[1]}  nested-synesthetic-asset`,
		"         4:18  /tone/frequency  expected at least 0, got -1",
		`unread   ${broken.replace("\u001b", "\ufffd")}  not valid JSON: line 1 column 2`,
		"1 valid, 1 invalid, 1 unread",
	]);
	for (const [readable, json] of [
		[true, true],
		[false, false],
	] as const) {
		const program = terminalOf(readable);
		await runValidateCommand({ paths, watch: false, json }, settings, program);
		assert.deepEqual(
			program.lines.map((line) => JSON.parse(line).ok),
			[true, false, false],
		);
	}
});
