import picomatch from "picomatch";
import { invalidField } from "../contract/errors.ts";

/** A path filter's value: `/regex/`, a glob when it has `*`, `?` or `{`, else a part of the path. */
export type PathPattern =
	| { readonly kind: "regex"; readonly source: string; readonly flags: string }
	| { readonly kind: "test"; readonly matches: (path: string) => boolean };

export function readPathPattern(field: string, value: string, caseSensitive: boolean): PathPattern {
	const regex = /^\/(.+)\/([imsu]*)$/s.exec(value);
	if (regex) {
		const source = regex[1] ?? "";
		const flags = regex[2] ?? "";
		try {
			new RegExp(source, flags);
		} catch {
			throw invalidField(field, "a valid regular expression", value);
		}
		return { kind: "regex", source, flags: caseSensitive || flags.includes("i") ? flags : `${flags}i` };
	}
	if (/[*?{]/.test(value)) {
		const glob = picomatch(value.includes("/") ? value : `**/${value}`, { dot: true, nocase: !caseSensitive });
		return { kind: "test", matches: (path) => glob(path) };
	}
	const fold = (text: string): string => (caseSensitive ? text : text.toLowerCase());
	const wanted = fold(value);
	return { kind: "test", matches: (path) => fold(path).includes(wanted) };
}
