import type { FieldMessage } from "./commandFailure.ts";

/** What is wrong with a command's options; `unknown` is the one it does not have. */
export type OptionProblem = { readonly says: FieldMessage; readonly unknown?: string };

/** What the platform's `parseArgs` threw about these words, said as everything else is: the option, what was expected, what came. */
export function optionProblem(thrown: unknown, args: readonly string[]): OptionProblem {
	const [line = ""] = (thrown instanceof Error ? thrown.message : String(thrown)).split("\n");
	const unknown = /^Unknown option '(-[^'=]+)/.exec(line)?.[1];
	if (unknown !== undefined) return { says: `no option ${unknown}`, unknown };
	const [, option, problem = ""] = /^Option '(?:-\w, )?(--[\w-]+)(?: <value>)?' (.*)/.exec(line) ?? [];
	if (option === undefined) return { says: `options: expected others: ${line}` };
	if (problem.startsWith("argument missing")) return { says: `${option}: expected a value, got nothing` };
	if (problem.startsWith("does not take")) return { says: `${option}: expected no value` };
	const came = args[args.indexOf(option) + 1];
	return { says: `${option}: expected a value, got ${came}; one that begins with a dash is written ${option}=-…` };
}
