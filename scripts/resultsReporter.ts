import { relative } from "node:path";
import type { TestEvent } from "node:test/reporters";
import { ROOT } from "./run.ts";

/** One JSON line per finished test: what `npm run requirements` counts. */
export default async function* resultsReporter(source: AsyncIterable<TestEvent>): AsyncGenerator<string> {
	for await (const event of source) {
		if (event.type !== "test:pass" && event.type !== "test:fail") continue;
		const skipped = event.data.skip !== undefined || event.data.todo !== undefined;
		const outcome = skipped ? "skip" : event.type === "test:pass" ? "pass" : "fail";
		yield `${JSON.stringify({ file: relative(ROOT, event.data.file ?? ""), name: event.data.name, outcome })}\n`;
	}
}
