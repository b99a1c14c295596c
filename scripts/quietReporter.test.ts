import assert from "node:assert/strict";
import { test } from "node:test";
import type { TestEvent } from "node:test/reporters";
import quietReporter from "./quietReporter.ts";

test("a failure is shown whatever was thrown", async () => {
	const thrown = { code: "ERR_ASSERTION", __proto__: null };
	for (const [cause, shown] of [
		[thrown, /\[Object: null prototype\] \{ code: 'ERR_ASSERTION' \}/],
		["in words", /\n {2}in words\n/],
		[new TypeError("of a class"), /TypeError: of a class\n +at /],
	] as const) {
		const details = { error: new Error("failed", { cause }), duration_ms: 1 };
		const report: string[] = [];
		for await (const text of quietReporter(
			events(
				{ type: "test:fail", data: { name: "breaks", file: "/a.test.ts", line: 3, details } },
				{ type: "test:summary", data: { success: false, duration_ms: 1, counts: { tests: 1, passed: 0, skipped: 0 } } },
			),
		))
			report.push(text);
		assert.match(report.join(""), shown);
		assert.equal(report.at(-1), "0 passed, 1 failed, 0 skipped\n");
	}
});

async function* events(...given: readonly object[]): AsyncGenerator<TestEvent> {
	yield* given as readonly TestEvent[];
}
