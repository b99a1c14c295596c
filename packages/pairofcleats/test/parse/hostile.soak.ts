import { test } from "node:test";
import { parseFile } from "../../src/parse/parseFile.ts";
import { NESTINGS, nested, PATHS } from "./nestings.ts";
import { assertSound } from "./soundChunks.ts";

test("deep nesting of every kind ends without a crash in every language", async () => {
	for (const path of PATHS) {
		for (const nesting of NESTINGS) {
			const text = nested(nesting);
			assertSound(path, text, await parseFile(path, text));
		}
	}
});
