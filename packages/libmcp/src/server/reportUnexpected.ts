import { writeStderr } from "../process/ownProcess.ts";

/** The default for errors that no handler expected: clients see only a failure, so the author must see the cause. */
export function reportUnexpected(error: unknown, what: string): void {
	const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
	writeStderr(`libmcp: ${what.slice(0, 64)} failed: ${text}\n`);
}
