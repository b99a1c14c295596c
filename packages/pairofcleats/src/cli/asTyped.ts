import { CleatsError, isCleatsError } from "../contract/errors.ts";
import type { CommandModule } from "./command.ts";
import { flagOf, withFlags } from "./flags.ts";

/** One or more arguments at the start of a complaint, each of them perhaps with a path behind its name. */
const SUBJECT = /(?<=^|; )\w[^\s:,;]*(?:(?:, | or )\w[^\s:,;]*)*(?=: )/g;
const NAME = /(?<=^|, | or )\w+/g;

/** Rewrites an error about arguments to name them as they were typed: `--modified-after`, not `modifiedAfter`. */
export function asTyped(thrown: unknown, { flags = {}, words = {} }: Pick<CommandModule, "flags" | "words">): unknown {
	if (!isCleatsError(thrown)) return thrown;
	const { code, message, details } = thrown;
	const typed = (name: string): string => {
		if (Object.hasOwn(words, name)) return words[name] ?? name;
		return Object.keys(flags).find((flag) => flags[flag]?.name === name || flag === flagOf(name)) ?? name;
	};
	const inWords = (subject: string): string => subject.replace(NAME, typed);
	const wanted = typeof details.expected === "string" ? details.expected : "";
	const expected = withFlags(wanted, flags);
	const said = message.replace(wanted, () => expected).replace(SUBJECT, inWords);
	if (said === message) return thrown;
	const [subject = ""] = message.match(SUBJECT) ?? [];
	const field = typeof details.field === "string" ? details.field : subject;
	const told = { ...details, field: inWords(field), ...(wanted !== "" && { expected }) };
	return new CleatsError(code, said, told, { cause: thrown });
}
