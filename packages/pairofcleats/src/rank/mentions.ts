/** Which files a text names. */
export type Mentions = {
	/** What `nameOf` makes of the files that it may name, and nothing of any other. */
	readonly names: Iterable<string>;
	/** How it names the file of a path, if it does. */
	of(path: string): Mention | undefined;
};

export type Mention = {
	/** How surely that file is meant, from 0 to 1; 0 where that depends on whether it has a function. */
	readonly sureness: number;
	/** The number of the first frame that names it; 0 is the one that failed. */
	readonly frame: number;
	/** Lines of it that are named, the frame that failed first, and how surely they are of this file. */
	readonly places: readonly { readonly place: Place; readonly sureness: number }[];
};

export type Place = {
	readonly frame: number;
	readonly line: number;
	/** What the frame says beside the path: the function is among it, if it is named at all. */
	readonly names: ReadonlySet<string>;
	/** Whether the file is known only by its class: without that function it is another one. */
	readonly byMethod?: boolean;
};

/** Paths and dotted names, of routes with brackets as well; nobody names a file with more. */
const RUN = /(?:[\w.@+/\\-]|(?<=\/)(?:\$|\[[\w.-]{1,60}\]|\([\w.-]{1,60}\))){3,260}/g;
/** Nearly every run is a plain word: what has none of these is no file and no module. */
const JOINED = /[./\\]|^[A-Z]\w*file$/;
const FILE_NAME = /^[\w@+$[-][\w.@+[\]-]*\.[A-Za-z]\w{0,4}$/;
/** Only a line that is given of it makes a file of this. */
const PLAIN_NAME = /^\w[\w-]*$/;
const IDENTIFIER = /^[A-Za-z_]\w*$/;
/**
 * What follows a path that a line is given of: `:3`, `(3`, `:[3`, `: (3`, `#L3`, `, line 3`, ` on line 3`, ` (lines 3`,
 * ` 3:1`, `: 3:`, ` : 3]`, `|3|`, `|3 col`, `,line=3`, `},{line,3`.
 */
const LINE =
	/^["'`]?(?::|\(|:\[|: ?\(|#L|,? \(?(?:on |at )?lines? |: ?line | (?=\d+:\d)|: (?=\d+:)| : (?=\d+\])|\|(?=\d+(?:\|| col ))|,line=|\},\{line,)(\d{1,7})\b/;
/** What precedes it in a sentence: `line 3 of`, `lines 3-9 in`. */
const LINE_OF = /\blines? (\d{1,7})(?: ?(?:-|–|to) ?\d{1,7})? (?:of|in) (?:the )?(?:file )?["'`]?$/i;
/** `pkg.FooTest.bar`: the last two are a class and a method, where a line is given. */
const METHOD = /(?:^|\.)[A-Z]\w*\.[a-z_]\w*$/;
/** Below a path that stands alone, or at the head of a table: a line of that file, and what is said of it. */
const ROW = /^\s*(\d{1,7})(?::\d{1,7}\s|\s\s)\s*\S/;
/** What a C compiler says before the line that failed. */
const INCLUDED = /^(?:In file included|\s+) ?from \S+:\d+[:,]\s*$/;
/** What pytest puts between a file and its tests. */
const TEST_OF = /(\.[a-z]{1,4})::/g;
/** The start of a hunk of a diff, and the declaration that it is in. */
const HUNK = /^@@ -(\d{1,7})[^@]*(?:@@(.*))?/;
/** A line of a trace and not a sentence: only there is the word beside a path that of the function. */
const FRAME = /^\s*(?:(?:at|by|from)\s|File\s+"|#\d+\s|\d+:\s|==\d+==)|:\d+:in\b|\w@\S*:\d/;
const CALL = /\w[.(][\w(*)]/;
/** Not the tail of a number, as in `+0x1d`. */
const WORD = /(?<![\w+])[A-Za-z_]\w*[!?]?/g;
const FRAME_WORDS: ReadonlySet<string> = new Set(["at", "by", "from", "in", "line"]);
/** A frame that names its function does so near the path. */
const NEAR = 300;
/** What is compiled into what: the trace names one, the repository has the other. */
const SCRIPT = /\.[cm]?[jt]sx?$/;
/** Where other packages are installed: what follows is a path inside one of them. */
const INSTALLED =
	/(?:^|\/)(?:site-packages|dist-packages|node_modules|gems|pkg\/mod|\.cargo\/registry\/src\/[^/]+|rustc)\//;
/** More than this is a listing, not a report about some files. */
const MOST_NAMES = 1_000;
/** Of one file; each is looked for among its chunks. */
const MOST_PLACES = 200;
const DEEPEST_MODULE = 12;
/** Only the ends of the two paths are the same. */
export const SAME_END = 0.8;
/** A name alone may be that of several files; a path that ends otherwise is likely that of another project. */
const NAME_ALONE = 0.4;
const NAME_ELSEWHERE = 0.1;
const OTHER_SCRIPT = 0.8;

type Named = {
	readonly parts: readonly string[];
	readonly installed: boolean;
	readonly frame: number;
	readonly places: Place[];
	readonly byMethod?: boolean;
};

/**
 * Which files a text names: frames of a stack trace, paths in a sentence, heads of a diff, modules written with dots,
 * colons or backslashes. Absolute paths of another machine count by how they end. `undefined` when it names none.
 */
export function mentionsIn(text: string): Mentions | undefined {
	const byName = new Map<string, Named[]>();
	const add = (named: Named): void => {
		const name = nameOf(named.parts.at(-1) ?? "");
		byName.set(name, [...(byName.get(name) ?? []), named]);
	};
	const seen = new Map<string, Named | undefined>();
	const owners = new Map<string, Named>();
	const plain = text.replaceAll("file://", "").replaceAll(TEST_OF, "$1 ").replaceAll("::", ".");
	const lines = plain.split(/\r\n?|\n/);
	let frame = 0;
	let latest: Named | undefined;
	let head: Named | undefined;
	for (const index of failedFirst(lines)) {
		const line = lines[index] ?? "";
		const hunk = HUNK.exec(line);
		if (hunk && latest) {
			addPlace(latest, {
				frame: latest.frame,
				line: firstChange(lines, index, Number(hunk[1])),
				names: new Set(wordsIn(hunk[2] ?? "")),
			});
			continue;
		}
		const row = head && ROW.exec(line)?.[1];
		if (head && row !== undefined) {
			addPlace(head, { frame: head.frame, line: Number(row), names: NO_NAMES });
			continue;
		}
		if (/\w/.test(line)) head = undefined;
		const alone = line.replace(/^ *Line /, "").trim();
		const isTrace = FRAME.test(line);
		let isFrame = false;
		for (const { 0: run, index: at } of line.matchAll(RUN)) {
			if (!JOINED.test(run)) continue;
			const place = placeOf(line, at, run);
			const path = seen.get(run) ?? readPath(run, frame, place !== undefined);
			const isNew = !seen.has(run) || path !== seen.get(run);
			seen.set(run, path);
			if (path && run === alone) head = path;
			if (path && (place !== undefined || path.parts.length > 1)) {
				latest = path;
				isFrame ||= isNew || place !== undefined;
			}
			if (path && place !== undefined) {
				const beside = line.slice(Math.max(0, at - NEAR), at) + line.slice(at + run.length, at + run.length + NEAR);
				addPlace(path, { frame, line: Number(place), names: namesIn(beside, lines[index - 1] ?? "", isTrace) });
			}
			if (place !== undefined && METHOD.test(run)) {
				const owner = owners.get(run) ?? ownerOf(run, frame);
				if (!owners.has(run)) add(owner);
				owners.set(run, owner);
				addPlace(owner, { frame, line: Number(place), names: new Set(run.split(".").slice(-1)), byMethod: true });
				isFrame = true;
			}
			if (!isNew) continue;
			for (const named of path ? [path, ...modules(run, frame)] : modules(run, frame)) add(named);
			if (byName.size > MOST_NAMES) return undefined;
		}
		if (isFrame) frame += 1;
	}
	if (byName.size === 0) return undefined;
	return { names: byName.keys(), of: (path) => mentionOf(path, byName) };
}

/** The numbers of the lines, those of the frame that failed first. */
function failedFirst(lines: readonly string[]): readonly number[] {
	const all = [...lines.keys()];
	if (lines.some((line) => line.includes("most recent call last"))) return all.reverse();
	const included = new Set(all.filter((index) => INCLUDED.test(lines[index] ?? "")));
	return included.size === 0 ? all : [...all.filter((index) => !included.has(index)), ...included];
}

function addPlace({ places }: Named, place: Place): void {
	if (places.length < MOST_PLACES) places.push(place);
}

const NO_NAMES: ReadonlySet<string> = new Set();

/** A file's name without what a compiler changes of it, or a name without an ending as it is. */
export function nameOf(fileName: string): string {
	return fileName.replace(SCRIPT, ".js");
}

export function bareName(fileName: string): string {
	return fileName.replace(/\.\w+$/, "");
}

function mentionOf(path: string, byName: ReadonlyMap<string, readonly Named[]>): Mention | undefined {
	const file = path.slice(path.lastIndexOf("/") + 1);
	const bare = bareName(file);
	const folders = path.split("/").slice(0, -1);
	const found: { readonly named: Named; readonly sureness: number }[] = [];
	for (const named of byName.get(nameOf(file)) ?? []) {
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

function readPath(run: string, frame: number, isPlaced: boolean): Named | undefined {
	const whole = run
		.replace(/[.-]+$/, "")
		.replaceAll(/[/\\]+/g, "/")
		.replace(/^(?:\.{0,2}\/)+/, "");
	const installed = INSTALLED.exec(whole);
	const parts = (installed ? whole.slice(installed.index + installed[0].length) : whole).split("/");
	const name = parts.at(-1) ?? "";
	const isFile = FILE_NAME.test(name) || (isPlaced && PLAIN_NAME.test(name));
	return isFile ? { parts, installed: installed !== null, frame, places: [] } : undefined;
}

/** The line that is given of a path, before it or behind it. */
function placeOf(line: string, at: number, run: string): string | undefined {
	const behind = LINE.exec(line.slice(at + run.length, at + run.length + NEAR))?.[1];
	return behind ?? LINE_OF.exec(line.slice(Math.max(0, at - NEAR), at))?.[1];
}

/** What Maven calls a test that failed by: the class that a file is named after. */
function ownerOf(run: string, frame: number): Named {
	return { parts: run.split(".").slice(0, -1), installed: false, frame, places: [], byMethod: true };
}

/** `package.module.Name.method`: every beginning of it may be the module. */
function modules(run: string, frame: number): Named[] {
	const parts = run.split(/[.\\]/);
	const names = parts.findIndex((part) => !IDENTIFIER.test(part));
	const dotted = parts.slice(0, Math.min(names < 0 ? parts.length : names, DEEPEST_MODULE));
	return dotted
		.slice(1)
		.map((_, index) => ({ parts: dotted.slice(0, index + 2), installed: false, frame, places: [] }));
}

/** The words of a frame beside its path; those of the line before where it says no more, as in Go and Rust. */
function namesIn(beside: string, before: string, isTrace: boolean): ReadonlySet<string> {
	const own = wordsIn(beside);
	if (own.length > 0) return isTrace ? new Set(own) : NO_NAMES;
	return CALL.test(before) && !/\.\w+:\d/.test(before) ? new Set(wordsIn(before.slice(-NEAR))) : NO_NAMES;
}

function wordsIn(text: string): string[] {
	return (text.match(WORD) ?? []).filter((word) => !FRAME_WORDS.has(word));
}

/** The first line that a hunk takes away or puts another before. */
function firstChange(lines: readonly string[], header: number, start: number): number {
	let context = 0;
	while (lines[header + 1 + context]?.startsWith(" ") === true) context += 1;
	return start + context;
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
