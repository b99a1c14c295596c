import assert from "node:assert/strict";
import { test } from "node:test";
import { detectLanguage } from "../../src/parse/detectLanguage.ts";
import { named, parsed } from "./soundFile.ts";

test("an .inc file is in the language of the files that include it", () => {
	for (const [text, id] of [
		["#include <windows.h>\n\nnamespace absl {\nbool Symbolize();\n}\n", "cpp"],
		["#ifndef TABLE_INC\n#define TABLE_INC\nint lookup(int key) { return key; }\n#endif\n", "c"],
		["<?php\nfunction open_session() {}\n", "php"],
		['SUMMARY = "A recipe"\nLICENSE = "MIT"\n', "plain"],
		["<?php\n# if the user is not known, redirect\nfunction load_user($id) {}\n", "php"],
		['# if not set, take the default\n#define the colours\nSUMMARY = "busybox"\n', "plain"],
		["#if defined(GET_TABLE)\nTABLE(1)\n#endif\n", "c"],
		["#  ifdef GET_TABLE\nTABLE(1)\n#  endif\n", "c"],
		["#if VERSION >= 3\nTABLE(1)\n#endif\n", "c"],
		["; macros\n%macro push_all 0\n%endmacro\n", "plain"],
	] as const)
		assert.equal(detectLanguage("src/a.inc", text).id, id, text);
});

test("declarations of C++ in .inc, .tpp and module files are found", async () => {
	const text =
		"#include <string>\n\nnamespace app {\nbool Symbolize(const void* pc) {\n\treturn pc != nullptr;\n}\n}\n";
	for (const path of ["a.inc", "a.tpp", "a.txx", "a.tcc", "a.ixx", "a.cppm"])
		assert.ok(named(await parsed(path, text)).includes("4-6 function app.Symbolize"), path);
});
