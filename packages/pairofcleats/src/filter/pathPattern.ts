import picomatch from "picomatch";
import { invalidField } from "../contract/errors.ts";
import { comparable } from "./comparable.ts";

/** A path filter's value: `/regex/`, a glob if it contains `*`, `?` or `{`, otherwise part of a path. */
export type PathPattern = (
	| { readonly kind: "regex"; readonly source: string; readonly flags: string }
	| { readonly kind: "test"; readonly matches: (path: string) => boolean }
) & {
	/** Whether it names folders and must be compared with the whole path. */
	readonly whole: boolean;
};

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
		const read = caseSensitive || flags.includes("i") ? flags : `${flags}i`;
		return { kind: "regex", source, flags: read, whole: source.includes("/") };
	}
	const part = value.replace(/^\.\//, "");
	if (/[*?{]/.test(part)) {
		const inside = part.replace(/^\//, "");
		const glob = picomatch(part.includes("/") ? inside : `**/${part}`, { dot: true, nocase: !caseSensitive });
		return { kind: "test", matches: (path) => glob(path), whole: part.includes("/") };
	}
	const read = (text: string): string => (caseSensitive ? text.normalize("NFC") : comparable(text));
	const wanted = [read(part), read(part.replaceAll("\\", "/"))];
	const matches = (path: string): boolean => {
		// With a leading slash added to the path, `/src` matches any folder or file name that begins with `src`.
		const rooted = read(`/${path}`);
		return wanted.some((one) => rooted.includes(one));
	};
	return { kind: "test", matches, whole: /[/\\]/.test(value) };
}
