import type { FieldMessage } from "./commandFailure.ts";
import { suggestion } from "./nearest.ts";

/**
 * Rewords an error of Node's `parseArgs` in our usual form: the option, what was expected, what came. For an unknown
 * option it suggests the nearest of `names`, or else says `otherwise`.
 */
export function optionProblem(
	thrown: unknown,
	args: readonly string[],
	names: readonly string[],
	otherwise?: string,
): FieldMessage {
	const [line = ""] = (thrown instanceof Error ? thrown.message : String(thrown)).split("\n");
	const name = /^Unknown option '(-=?[^'=]*)/.exec(line)?.[1];
	if (name !== undefined) {
		// `parseArgs` splits `-ab=1` into letters and reports the `=` as an option; find the whole word again.
		const unknown = name === "-=" ? (args.find((word) => /^-[^-]*=/.test(word)) ?? name) : name;
		const known = names.map((name) => `--${name}`);
		return `no option ${unknown}${suggestion(unknown, known, otherwise)}`;
	}
	const [, option, problem = ""] = /^Option '(?:-\w, )?(--[\w-]+|-\w)(?: <value>)?' (.*)/.exec(line) ?? [];
	if (option === undefined) return `options: expected valid ones: ${line}`;
	if (problem.startsWith("argument missing")) return `${option}: expected a value, got nothing`;
	if (problem.startsWith("does not take")) return `${option}: expected no value`;
	const came = args[args.indexOf(option) + 1];
	const written = option.startsWith("--") ? `${option}=-…` : `${option}-…`;
	return `${option}: expected a value, got ${came}; one that begins with a dash is written ${written}`;
}
