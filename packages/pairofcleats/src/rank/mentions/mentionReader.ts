/** A file or module that a text names, as written there. */
export type Named = {
	readonly parts: readonly string[];
	readonly installed: boolean;
	readonly frame: number;
	readonly places: Place[];
	readonly byMethod?: boolean;
};

export type Place = {
	readonly frame: number;
	readonly line: number;
	/** The words of the frame beside the path. They include the function, if the frame names it. */
	readonly names: ReadonlySet<string>;
	/** Whether only a class identifies the file: a file without that method is a different one. */
	readonly byMethod?: boolean;
};

/** Paths and dotted names, including route files with brackets. No file name is longer. */
const RUN = /(?:[\w.@+/\\-]|(?<=\/)(?:\$|\[[\w.-]{1,60}\]|\([\w.-]{1,60}\))){3,260}/g;
/** A run without any of these is a plain word, as nearly all are, and names no file or module. */
const JOINED = /[./\\]|^[A-Z]\w*file$/;
const FILE_NAME = /^[\w@+$[-][\w.@+[\]-]*\.[A-Za-z]\w{0,4}$/;
/** Names a file only if a line number comes with it. */
const PLAIN_NAME = /^\w[\w-]*$/;
const IDENTIFIER = /^[A-Za-z_]\w*$/;
/**
 * The line number after a path: `:3`, `(3`, `:[3`, `: (3`, `#L3`, `, line 3`, ` on line 3`, ` (lines 3`, ` 3:1`, `:
 * 3:`, ` : 3]`, `|3|`, `|3 col`, `,line=3`, `},{line,3`.
 */
const LINE =
	/^["'`]?(?::|\(|:\[|: ?\(|#L|,? \(?(?:on |at )?lines? |: ?line | (?=\d+:\d)|: (?=\d+:)| : (?=\d+\])|\|(?=\d+(?:\|| col ))|,line=|\},\{line,)(\d{1,7})\b/;
/** The line number before a path: `line 3 of`, `lines 3-9 in`. */
const LINE_OF = /\blines? (\d{1,7})(?: ?(?:-|–|to) ?\d{1,7})? (?:of|in) (?:the )?(?:file )?["'`]?$/i;
/** `pkg.FooTest.bar`: with a line number, the last two parts are a class and a method. */
const METHOD = /(?:^|\.)[A-Z]\w*\.[a-z_]\w*$/;
/** A row below a path on a line of its own, or below a table's head: a line number of that file, and a message. */
const ROW = /^\s*(\d{1,7})(?::\d{1,7}\s|\s\s)\s*\S/;
/** The start of a diff hunk, and the declaration around it. */
const HUNK = /^@@ -(\d{1,7})[^@]*(?:@@(.*))?/;
/** A line of a stack trace. Only there does the word beside a path name the function. */
const FRAME = new RegExp(
	[
		String.raw`^\s*(?:(?:at|by|from)\s|File\s+"|(?:frame )?#\d+:?\s|\d+:\s|==\d+==)`,
		// Xdebug of PHP, and crashes on macOS.
		String.raw`^\s*(?:PHP\s+\d+\.\s|\d+\s+\S+\s+0x)`,
		// Ruby and browsers.
		String.raw`:\d+:in\b|\w@\S*:\d`,
		// Lua, Zig and Elixir.
		String.raw`:\d+: in (?:function|method|field|local|upvalue|global)\b`,
		String.raw`:\d+: 0x[\da-f]+ in\s`,
		String.raw`:\d+: (?:anonymous fn/\d+ in )?:?[\w.@]+[?!]?/\d`,
	].join("|"),
);
const CALL = /\w[.(][\w(*)]/;
/** Not the tail of a number, as in `+0x1d`. */
const WORD = /(?<![\w+])[A-Za-z_]\w*[!?]?/g;
const FRAME_WORDS: ReadonlySet<string> = new Set(["at", "by", "from", "in", "line"]);
/** A frame names its function near the path. */
const NEAR = 300;
/** Folders of installed packages: the rest of the path is inside one of them. */
const INSTALLED =
	/(?:^|\/)(?:site-packages|dist-packages|node_modules|gems|pkg\/mod|\.cargo\/registry\/src\/[^/]+|rustc)\//;
/** Per file. Each place costs a walk through the file's chunks. */
const MOST_PLACES = 200;
const DEEPEST_MODULE = 12;
const NO_NAMES: ReadonlySet<string> = new Set();

/** Reads the lines of a text, the failing frame first, and collects the files they name. */
export class MentionReader {
	readonly named: Named[] = [];
	readonly #lines: readonly string[];
	/** The path found in each run. A run that alone is no path may be read as one where a line number follows it. */
	readonly #paths = new Map<string, Named | undefined>();
	readonly #owners = new Map<string, Named>();
	#frame = 0;
	/** The file of the hunks below. */
	#latest: Named | undefined;
	/** The file of the rows below: a path on a line of its own. */
	#head: Named | undefined;

	constructor(lines: readonly string[]) {
		this.#lines = lines;
	}

	read(index: number): void {
		const line = this.#lines[index] ?? "";
		if (this.#readHunk(line, index) || this.#readRow(line)) return;
		if (/\w/.test(line)) this.#head = undefined;
		// Asked once: the line may be long and have many runs.
		const isTrace = FRAME.test(line);
		let isFrame = false;
		for (const { 0: run, index: at } of line.matchAll(RUN)) {
			if (JOINED.test(run) && this.#readRun(run, at, line, index, isTrace)) isFrame = true;
		}
		if (isFrame) this.#frame += 1;
	}

	#readHunk(line: string, index: number): boolean {
		const hunk = HUNK.exec(line);
		if (!hunk || !this.#latest) return false;
		const changed = firstChange(this.#lines, index, Number(hunk[1]));
		addPlace(this.#latest, { frame: this.#latest.frame, line: changed, names: new Set(wordsIn(hunk[2] ?? "")) });
		return true;
	}

	#readRow(line: string): boolean {
		const row = this.#head && ROW.exec(line)?.[1];
		if (!this.#head || row === undefined) return false;
		addPlace(this.#head, { frame: this.#head.frame, line: Number(row), names: NO_NAMES });
		return true;
	}

	/** Reads a path, a module or a class's method. Returns whether that makes the line a frame. */
	#readRun(run: string, at: number, line: string, index: number, isTrace: boolean): boolean {
		const given = lineGiven(line, at, run);
		const known = this.#paths.get(run);
		const path = known ?? readPath(run, this.#frame, given !== undefined);
		const isNew = !this.#paths.has(run) || path !== known;
		this.#paths.set(run, path);
		if (path && run === line.replace(/^ *Line /, "").trim()) this.#head = path;
		const isFile = path !== undefined && (given !== undefined || path.parts.length > 1);
		if (isFile) this.#latest = path;
		if (path && given !== undefined) {
			const beside = line.slice(Math.max(0, at - NEAR), at) + line.slice(at + run.length, at + run.length + NEAR);
			const names = namesIn(beside, this.#lines[index - 1] ?? "", isTrace);
			addPlace(path, { frame: this.#frame, line: given, names });
		}
		const isMethod = given !== undefined && METHOD.test(run);
		if (isMethod) this.#addMethod(run, given);
		if (isNew) this.named.push(...(path ? [path] : []), ...modules(run, this.#frame));
		return isMethod || (isFile && (isNew || given !== undefined));
	}

	/** Maven names a failed test by its class, and the file has the class's name. */
	#addMethod(run: string, line: number): void {
		const parts = run.split(".");
		let owner = this.#owners.get(run);
		if (!owner) {
			owner = { parts: parts.slice(0, -1), installed: false, frame: this.#frame, places: [], byMethod: true };
			this.#owners.set(run, owner);
			this.named.push(owner);
		}
		addPlace(owner, { frame: this.#frame, line, names: new Set(parts.slice(-1)), byMethod: true });
	}
}

function addPlace({ places }: Named, place: Place): void {
	if (places.length < MOST_PLACES) places.push(place);
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

/** The line number given before or after a path. */
function lineGiven(line: string, at: number, run: string): number | undefined {
	const behind = LINE.exec(line.slice(at + run.length, at + run.length + NEAR))?.[1];
	const given = behind ?? LINE_OF.exec(line.slice(Math.max(0, at - NEAR), at))?.[1];
	return given === undefined ? undefined : Number(given);
}

/** `package.module.Name.method`: every prefix of it may be the module. */
function modules(run: string, frame: number): Named[] {
	const parts = run.split(/[.\\]/);
	const names = parts.findIndex((part) => !IDENTIFIER.test(part));
	const dotted = parts.slice(0, Math.min(names < 0 ? parts.length : names, DEEPEST_MODULE));
	return dotted
		.slice(1)
		.map((_, index) => ({ parts: dotted.slice(0, index + 2), installed: false, frame, places: [] }));
}

/** The words beside a frame's path or, if there are none, those of the line before, as in Go and Rust. */
function namesIn(beside: string, before: string, isTrace: boolean): ReadonlySet<string> {
	const own = wordsIn(beside);
	if (own.length > 0) return isTrace ? new Set(own) : NO_NAMES;
	return CALL.test(before) && !/\.\w+:\d/.test(before) ? new Set(wordsIn(before.slice(-NEAR))) : NO_NAMES;
}

function wordsIn(text: string): string[] {
	return (text.match(WORD) ?? []).filter((word) => !FRAME_WORDS.has(word));
}

/** The first line that a hunk removes or inserts before. */
function firstChange(lines: readonly string[], header: number, start: number): number {
	let context = 0;
	while (lines[header + 1 + context]?.startsWith(" ") === true) context += 1;
	return start + context;
}
