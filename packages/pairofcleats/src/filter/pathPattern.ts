import picomatch from "picomatch";
import { invalidField } from "../contract/errors.ts";
import { completeFlags, describeExpressionFault } from "../expression/expressionFault.ts";
import { foldText } from "./filterContext.ts";

/**
 * A path filter's value: `/regex/`, a glob if it contains `*`, `?` or `{`, otherwise part of a path. Expressions and the
 * globs that can take long are of the kind `regex`, which runs under a time limit.
 */
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
		const flags = completeFlags(source, regex[2] ?? "");
		if (describeExpressionFault(source, flags) !== undefined)
			throw invalidField(field, "a valid regular expression", value);
		const read = caseSensitive || flags.includes("i") ? flags : `${flags}i`;
		return { kind: "regex", source, flags: read, whole: source.includes("/") };
	}
	// A lone `.` is the whole repository, as it is for other tools that search.
	const part = value.replace(/^\.(?:\/|$)/, "");
	if (/[*?{]/.test(part)) {
		const whole = part.includes("/");
		const glob = whole ? part.replace(/^\//, "") : part.replace(/^(?:!(?!\())?/, "$&**/");
		const options = { dot: true, nocase: !caseSensitive };
		if (!isQuick(glob)) return { kind: "regex", ...regexOf(glob, options), whole };
		const matches = picomatch(glob, options);
		return { kind: "test", matches: (path) => matches(path), whole };
	}
	const read = (text: string): string => (caseSensitive ? text.normalize("NFC") : foldText(text));
	const wanted = [read(part), read(part.replaceAll("\\", "/"))];
	const matches = (path: string): boolean => {
		// With a leading slash added to the path, `/src` matches any folder or file name that begins with `src`.
		const rooted = read(`/${path}`);
		return wanted.some((one) => rooted.includes(one));
	};
	return { kind: "test", matches, whole: /[/\\]/.test(value) };
}

/**
 * Whether a glob tries few combinations on any path, and so needs no time limit. Most do, and a thread takes longer to
 * start than they take. A star that is a whole folder's name leaves nothing to try.
 */
function isQuick(glob: string): boolean {
	const names = glob.split("/");
	const depths = names.filter((name) => name === "**");
	const stars = names.filter((name) => !/^\*\*?$/.test(name)).flatMap((name) => name.match(/\*+/g) ?? []);
	const braces = glob.match(/\{/g) ?? [];
	return depths.length <= 2 && stars.length <= 2 && braces.length <= 1 && !/[()[\]+!@|\\]/.test(glob);
}

/** The same matches as picomatch finds, which also takes a path that is spelt like the glob. */
function regexOf(glob: string, options: picomatch.PicomatchOptions): { source: string; flags: string } {
	// Parentheses without alternatives belong to the name, as in `app/(shop)/page.tsx`.
	const plain = glob.replace(/(?<![?*+@!\\])\(([^()|]*)\)/g, "\\($1\\)");
	const { source, flags } = picomatch.makeRe(plain, options);
	return { source: `${source}|^${glob.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&")}$`, flags };
}
