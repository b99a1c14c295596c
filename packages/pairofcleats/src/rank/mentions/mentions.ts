import { MentionReader, type Named, type Place } from "./mentionReader.ts";

export type { Place };

/** The files that a text names. */
export type Mentions = {
	/** `nameOf` of every file that the text may name. */
	readonly names: readonly string[];
	/** How the text names the file at a path, if it does. */
	of(path: string): Mention | undefined;
};

export type Mention = {
	/** Certainty that the text means this file, from 0 to 1; 0 if that depends on the file having a function. */
	readonly sureness: number;
	/** The number of the first frame that names it; 0 is the failing frame. */
	readonly frame: number;
	/** Its named lines, the failing frame's first, each with the certainty that it belongs to this file. */
	readonly places: readonly { readonly place: Place; readonly sureness: number }[];
};

/** Pytest's separator between a file and its tests. */
const TEST_OF = /(\.[a-z]{1,4})::/g;
/** Dart's `package:shop/` is the folder `lib` of that package. */
const PACKAGE = /\bpackage:(\w+)\//g;
/** What a bundler puts between a path and the line: `app.vue?t=17:3:1`. */
const LOADED = /(\.\w{1,6})\?[\w=&.-]{1,80}(?=:\d)/g;
/** The include chain that a C compiler prints before the failing line. */
const INCLUDED = /^(?:In file included|\s+) ?from \S+:\d+[:,]\s*$/;
/** Sources and their compiled forms: the trace names one, the repository has the other. */
const SCRIPT = /\.[cm]?[jt]sx?$/;
/** A text with more names is a listing, not a report about some files. */
const MOST_NAMES = 1_000;
/** Certainty if only the ends of the two paths agree. */
export const SAME_END = 0.8;
/** Several files may share a bare name. A path with another end likely belongs to another project. */
const NAME_ALONE = 0.4;
const NAME_ELSEWHERE = 0.1;
const OTHER_SCRIPT = 0.8;

/**
 * Which files a text names: frames of a stack trace, paths in a sentence, heads of a diff, modules written with dots,
 * colons or backslashes. Absolute paths from another machine are compared by their ends. `undefined` when the text
 * names none.
 */
export function readMentions(text: string): Mentions | undefined {
	const plain = text
		.replaceAll("file://", "")
		.replaceAll(PACKAGE, "$1/lib/")
		.replaceAll(LOADED, "$1")
		.replaceAll(TEST_OF, "$1 ")
		.replaceAll("::", ".");
	const lines = plain.split(/\r\n?|\n/);
	const reader = new MentionReader(lines);
	const byName = new Map<string, Named[]>();
	for (const index of failedFirst(lines)) {
		reader.read(index);
		for (const named of reader.named.splice(0)) {
			const name = makeNameKey(named.parts.at(-1) ?? "");
			const known = byName.get(name);
			if (known) known.push(named);
			else byName.set(name, [named]);
		}
		if (byName.size > MOST_NAMES) return undefined;
	}
	if (byName.size === 0) return undefined;
	return { names: [...byName.keys()], of: (path) => mentionOf(path, byName) };
}

/** The line indexes in reading order, the failing frame first. */
function failedFirst(lines: readonly string[]): readonly number[] {
	const all = [...lines.keys()];
	if (lines.some((line) => line.includes("most recent call last"))) return all.reverse();
	const included = new Set(all.filter((index) => INCLUDED.test(lines[index] ?? "")));
	return included.size === 0 ? all : [...all.filter((index) => !included.has(index)), ...included];
}

/** A key that is the same for a script and its compiled form. */
export function makeNameKey(fileName: string): string {
	return fileName.replace(SCRIPT, ".js");
}

export function dropExtension(fileName: string): string {
	return fileName.replace(/\.\w+$/, "");
}

function mentionOf(path: string, byName: ReadonlyMap<string, readonly Named[]>): Mention | undefined {
	const file = path.slice(path.lastIndexOf("/") + 1);
	const bare = dropExtension(file);
	const folders = path.split("/").slice(0, -1);
	const found: { readonly named: Named; readonly sureness: number }[] = [];
	for (const named of byName.get(makeNameKey(file)) ?? []) {
		const name = named.parts.at(-1) ?? "";
		found.push({ named, sureness: sureness([...folders, name], named) * (name === file ? 1 : OTHER_SCRIPT) });
	}
	const own = [...folders, bare];
	for (const named of (bare !== file && byName.get(bare)) || []) {
		if (named.byMethod || sharedEnd(own, named.parts) > 1) found.push({ named, sureness: sureness(own, named) });
	}
	const surest = Math.max(0, ...found.map((one) => one.sureness));
	if (surest === 0) return undefined;
	const meant = found.filter((one) => one.sureness === surest);
	return {
		sureness: Math.max(0, ...found.filter(({ named }) => !named.byMethod).map((one) => one.sureness)),
		frame: Math.min(...meant.map(({ named }) => named.frame)),
		places: found
			.filter((one) => one.sureness >= NAME_ALONE * OTHER_SCRIPT)
			.flatMap(({ named, sureness }) => named.places.map((place) => ({ place, sureness }))),
	};
}

function sureness(path: readonly string[], { parts, installed }: Named): number {
	const shared = sharedEnd(path, parts);
	if (shared === path.length || (shared > 1 && shared === parts.length)) return 1;
	if (shared > (installed ? 2 : 1)) return SAME_END;
	if (installed) return 0;
	return parts.length === 1 ? NAME_ALONE : NAME_ELSEWHERE;
}

function sharedEnd(left: readonly string[], right: readonly string[]): number {
	let shared = 0;
	while (shared < left.length && shared < right.length && left.at(-1 - shared) === right.at(-1 - shared)) shared += 1;
	return shared;
}
