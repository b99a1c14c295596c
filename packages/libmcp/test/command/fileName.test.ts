import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join, normalize } from "node:path";
import { test } from "node:test";
import fc from "fast-check";
import { openRuntimeFolder, toFileName } from "../../src/command/folders.ts";

const ODD = [
	"",
	" ",
	".",
	"..",
	"../..",
	"a/b",
	"a\\b",
	"a\0b",
	"a\nb",
	"-a",
	".a",
	"a".repeat(300),
	"é",
	"e\u0301",
	"раypal",
];

test("whatever a server is called, its file stays in its folder, and is found by its own name too", () => {
	const name = fc.oneof(fc.string({ unit: "binary" }), fc.constantFrom(...ODD));
	fc.assert(
		fc.property(name, (name) => {
			const file = toFileName(name);
			assert.match(file, /^[A-Za-z0-9@_][A-Za-z0-9._@-]{0,47}$/);
			assert.equal(basename(normalize(file)), file);
			assert.equal(toFileName(file), file);
		}),
	);
	assert.equal(new Set(ODD.map(toFileName)).size, ODD.length, "no two of them share a file");
});

test("a server with the name of a device of Windows has a file all the same", () => {
	for (const name of ["con", "NUL", "aux.txt", "com1", "lpt9.a.b", "prn."]) {
		const file = toFileName(name);
		assert.doesNotMatch(`${file}.jsonl`, /^(?:con|nul|aux|prn|com\d|lpt\d)\./i);
		assert.equal(toFileName(file), file);
	}
	for (const name of ["console", "con-a", "nullable", "com10", "auxiliary.x"]) assert.equal(toFileName(name), name);
});

test("sockets are where XDG says if that is absolute; a relative path would be another folder in each directory", (t) => {
	const place = mkdtempSync(join(tmpdir(), "runtime-"));
	const { XDG_RUNTIME_DIR } = process.env;
	t.after(() => {
		if (XDG_RUNTIME_DIR === undefined) delete process.env.XDG_RUNTIME_DIR;
		else process.env.XDG_RUNTIME_DIR = XDG_RUNTIME_DIR;
		rmSync(place, { recursive: true, force: true });
	});
	process.env.XDG_RUNTIME_DIR = place;
	assert.equal(openRuntimeFolder(), join(place, "holdfast"));
	process.env.XDG_RUNTIME_DIR = "relative";
	assert.equal(openRuntimeFolder(), join(tmpdir(), `holdfast-${process.getuid?.() ?? -1}`));
});
