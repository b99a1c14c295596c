import type { Finding } from "./finding.ts";
import { readSarifRun } from "./sarifResults.ts";

/**
 * The results of all runs of a SARIF log, at the first location of each. Skips suppressed, absent and passed results.
 */
export function sarifFindings(runs: readonly unknown[]): { tools: readonly string[]; findings: Finding[] } {
	const read = runs.map((run, index) => readSarifRun(run, `report.runs[${index}]`));
	return {
		tools: [...new Set(read.map(({ tool }) => tool.toLowerCase()))],
		findings: read.flatMap(({ tool, results }) =>
			results
				.filter(({ moot }) => moot === undefined)
				.map(({ places, line = 1, ruleId = "finding", message }) => ({
					tool: tool.toLowerCase(),
					places,
					line,
					rule: ruleId,
					message,
				})),
		),
	};
}
