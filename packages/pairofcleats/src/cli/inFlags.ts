import { CleatsError, isCleatsError } from "../contract/errors.ts";
import { type FlagTable, withFlags } from "./flags.ts";

/** Rewrites an error about an argument to name the flag: the user typed `--modified-after`, not `modifiedAfter`. */
export function inFlags(thrown: unknown, flags: FlagTable): unknown {
	if (!isCleatsError(thrown)) return thrown;
	const { code, message, details } = thrown;
	const [field = "", name] = /^(\w+)[^\s:]*(?=: )/.exec(message) ?? [];
	const [flag] = Object.entries(flags).find(([, spec]) => spec.name === name) ?? [];
	if (flag === undefined || name === undefined) return thrown;
	const written = `${flag}${field.slice(name.length)}`;
	const wanted = typeof details.expected === "string" ? details.expected : "";
	const expected = withFlags(wanted, flags);
	const said = `${written}${message.slice(field.length).replace(wanted, () => expected)}`;
	const told = { ...details, field: written, ...(wanted !== "" && { expected }) };
	return new CleatsError(code, said, told, { cause: thrown });
}
