import { run } from "../../src/cli/main.ts";
import type { Terminal } from "../../src/cli/terminal.ts";

/** How a command ended, and what it wrote to each stream. */
export type Ran = { readonly code: number; readonly lines: string[]; readonly errors: string[] };

/** Runs a command in this process, with a terminal that records the output. */
export async function runCaptured(argv: readonly string[], given: Partial<Terminal> = {}): Promise<Ran> {
	const lines: string[] = [];
	const errors: string[] = [];
	const terminal: Terminal = {
		out: (text) => void lines.push(...text.split("\n")),
		error: (text) => void errors.push(text),
		status: () => {},
		watched: false,
		colour: false,
		errorColour: false,
		columns: 80,
		interrupted: new AbortController().signal,
		...given,
	};
	return { code: await run(argv, terminal), lines, errors };
}
