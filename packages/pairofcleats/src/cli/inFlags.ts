import { CleatsError, isCleatsError } from "../contract/errors.ts";
import type { FlagTable } from "./flags.ts";

/** Rewrites an error about an argument to name the flag: the user typed `--modified-after`, not `modifiedAfter`. */
export function inFlags(thrown: unknown, flags: FlagTable): unknown {
	if (!isCleatsError(thrown)) return thrown;
	const { code, message, details } = thrown;
	const [field = "", name] = /^(\w+)[^\s:]*(?=: )/.exec(message) ?? [];
	const [flag] = Object.entries(flags).find(([, spec]) => spec.name === name) ?? [];
	if (flag === undefined || name === undefined) return thrown;
	const written = `${flag}${field.slice(name.length)}`;
	const said = `${written}${message.slice(field.length)}`;
	return new CleatsError(code, said, { ...details, field: written }, { cause: thrown });
}
