import { relative } from "node:path";
import type { TestEvent } from "node:test/reporters";
import { ROOT } from "./run.ts";

/** The name under which a whole file is recorded as failed. */
export const FAILED_FILE = "(the file)";

/** One JSON line per finished test, which `npm run requirements` counts, and one for each file with a failure. */
export default async function* resultsReporter(source: AsyncIterable<TestEvent>): AsyncGenerator<string> {
	const line = (file: string | undefined, name: string, outcome: "pass" | "fail" | "skip"): string =>
		`${JSON.stringify({ file: relative(ROOT, file ?? ""), name, outcome })}\n`;
	for await (const event of source) {
		if (event.type === "test:summary" && event.data.file !== undefined && !event.data.success) {
			yield line(event.data.file, FAILED_FILE, "fail");
		}
		if (event.type !== "test:pass" && event.type !== "test:fail") continue;
		const skipped = event.data.skip !== undefined || event.data.todo !== undefined;
		yield line(event.data.file, event.data.name, skipped ? "skip" : event.type === "test:pass" ? "pass" : "fail");
	}
}
