import { charsIn } from "../contract/charsIn.ts";
import { ToolError } from "../contract/errors.ts";
import type { ToolRunner } from "../run/runner.ts";

/** A chain holds all its results to the end; those of a thousand items could exceed the memory. */
const MOST_CHARS = 64_000_000;

/** Wraps the runner for one chain: a run fails once all results together exceed the limit. */
export function heldResults(runner: ToolRunner): ToolRunner {
	let held = 0;
	return {
		...runner,
		async run(request) {
			const result = await runner.run(request);
			held += charsIn(result.structured);
			if (held <= MOST_CHARS) return result;
			throw new ToolError(
				"validation_output",
				`The results of this chain are more than ${MOST_CHARS} characters; run it over fewer items at a time.`,
				{ tool_id: result.tool.id, op: "validate_output", details: { max_chars: MOST_CHARS } },
			);
		},
	};
}
