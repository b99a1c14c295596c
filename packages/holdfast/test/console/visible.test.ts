import assert from "node:assert/strict";
import { test } from "node:test";
import { plainText } from "libmcp";
import { showHidden } from "../../src/console/page/parts/text.ts";

test("what a terminal is not shown as it is, a page is not either, but for breaks and tabs", () => {
	for (let code = 0; code <= 0x10_ffff; code++) {
		const character = String.fromCodePoint(code);
		const isEscaped = plainText(character) !== character && !"\n\t".includes(character);
		assert.equal(showHidden(character) !== character, isEscaped, `U+${code.toString(16)}`);
	}
	assert.equal(showHidden("a\u202eb\u{e0041}\n\tc"), "a\\u202eb\\u{e0041}\n\tc");
});
