import { relative } from "node:path";
import type { TestEvent } from "node:test/reporters";
import { inspect } from "node:util";
import { ROOT } from "./run.ts";

/** Prints a line per file, every failure and skip in full, and the totals last. */
export default async function* quietReporter(source: AsyncIterable<TestEvent>): AsyncGenerator<string> {
	const failures: string[] = [];
	for await (const event of source) {
		if (event.type === "test:fail") {
			const { error } = event.data.details;
			if ("failureType" in error && error.failureType === "subtestsFailed") continue;
			const where = `${relative(ROOT, event.data.file ?? "")}:${event.data.line ?? 0}`;
			const cause = textOf(error.cause ?? error);
			failures.push(`✖ ${event.data.name}\n  ${where}\n  ${cause.replaceAll("\n", "\n  ")}\n`);
			yield `✖ ${where} ${event.data.name}\n`;
		} else if (event.type === "test:pass" && event.data.skip !== undefined) {
			yield `- skipped: ${event.data.name}${typeof event.data.skip === "string" ? ` (${event.data.skip})` : ""}\n`;
		} else if (event.type === "test:summary" && event.data.file !== undefined) {
			const { passed, tests } = event.data.counts;
			const mark = event.data.success ? "✔" : "✖";
			yield `${mark} ${relative(ROOT, event.data.file)} ${passed} of ${tests} passed, ${Math.round(event.data.duration_ms)} ms\n`;
		} else if (event.type === "test:summary") {
			const { tests, passed, skipped } = event.data.counts;
			yield `${failures.length > 0 ? `\n${failures.join("\n")}` : ""}\n`;
			yield `ℹ tests ${tests}\nℹ pass ${passed}\nℹ fail ${failures.length}\nℹ skipped ${skipped}\n`;
			yield `ℹ duration_ms ${Math.round(event.data.duration_ms)}\n`;
			yield `${passed} passed, ${failures.length} failed, ${skipped} skipped\n`;
		} else if (event.type === "test:stderr" && process.env.CI === undefined) {
			yield event.data.message;
		}
	}
}

/** Anything can be thrown, and what comes from a test's process may have lost its prototype. */
function textOf(cause: unknown): string {
	if (cause instanceof Error) return cause.stack ?? cause.message;
	return typeof cause === "string" ? cause : inspect(cause);
}
