import assert from "node:assert/strict";
import { test } from "node:test";
import { completeModernResult } from "../../src/server/protocol/fitResult.ts";
import { WrittenResult } from "../../src/server/protocol/outlet.ts";

const INFO = { name: "s", version: "1" };

function stampedText(members: string, method = "tools/call"): string {
	const result = completeModernResult(method, new WrittenResult(members), INFO);
	return result instanceof WrittenResult ? `{${result.members}}` : JSON.stringify(result);
}

test("a written result is stamped like any other, and its text stays as it is", () => {
	for (const members of [
		'"content":[],"structuredContent":{"a":[1,"x"]},"isError":true',
		'"content":[],"_meta":{"own":1}',
		'"resultType":"input_required","content":[]',
		'"content":[{"type":"text","text":"\\"_meta\\""}]',
		"",
	])
		for (const method of ["tools/call", "tools/list"]) {
			const plain = JSON.stringify(completeModernResult(method, JSON.parse(`{${members}}`), INFO));
			assert.equal(stampedText(members, method), plain, members);
		}
	for (const inner of ['{"n":1e400,"m":1.0}', '{"_meta":1e400,"resultType":1.0}'])
		assert.ok(stampedText(`"content":[],"structuredContent":${inner}`).includes(inner));
});
