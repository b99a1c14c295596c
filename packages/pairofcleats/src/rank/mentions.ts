/** How surely a text names a file, from 0 to 1. */
export type Mentions = (path: string) => number;

/** Paths and dotted names; nobody names a file with more. */
const RUN = /[\w.@+/\\-]{3,260}/g;
const FILE_NAME = /^[\w@+-][\w.@+-]*\.[A-Za-z]\w{0,4}$/;
const IDENTIFIER = /^[A-Za-z_]\w*$/;
/** What is compiled into what: the trace names one, the repository has the other. */
const SCRIPT = /\.[cm]?[jt]sx?$/;
/** Where other packages are installed: what follows is a path inside one of them. */
const INSTALLED =
	/(?:^|\/)(?:site-packages|dist-packages|node_modules|gems|pkg\/mod|\.cargo\/registry\/src\/[^/]+|rustc)\//;
/** More than this is a listing, not a report about some files. */
const MOST_NAMES = 1_000;
const DEEPEST_MODULE = 12;
/** Only the ends of the two paths are the same. */
const SAME_END = 0.8;
/** A name alone may be that of several files; a path that ends otherwise is likely that of another project. */
const NAME_ALONE = 0.4;
const NAME_ELSEWHERE = 0.1;
const OTHER_SCRIPT = 0.8;
/** Frames count less the further they are from where it failed, down to this. */
const PER_FRAME = 0.15;
const FURTHEST = 0.4;

type Named = { readonly parts: readonly string[]; readonly installed: boolean; readonly nearness: number };

/**
 * Which files a text names: frames of a stack trace, paths in a sentence, modules written with dots, colons or
 * backslashes. Absolute paths of another machine count by how they end. `undefined` when it names none.
 */
export function mentionsIn(text: string): Mentions | undefined {
	const byName = new Map<string, Named[]>();
	const runs = [...new Set(text.replaceAll("::", ".").match(RUN))];
	if (text.includes("most recent call last")) runs.reverse();
	let frames = 0;
	for (const run of runs) {
		const path = readPath(run, Math.max(FURTHEST, 1 - PER_FRAME * frames));
		if (path && path.parts.length > 1) frames += 1;
		for (const named of path ? [path, ...modules(run)] : modules(run)) {
			const name = alike(named.parts.at(-1) ?? "");
			byName.set(name, [...(byName.get(name) ?? []), named]);
		}
		if (byName.size > MOST_NAMES) return undefined;
	}
	if (byName.size === 0) return undefined;
	return (path) => {
		const file = path.slice(path.lastIndexOf("/") + 1);
		const bare = file.replace(/\.\w+$/, "");
		const asFile = byName.get(alike(file));
		const asModule = byName.get(bare);
		// Most files are not named at all.
		if (!asFile && !asModule) return 0;
		const folders = path.split("/").slice(0, -1);
		let best = 0;
		for (const named of asFile ?? []) {
			const name = named.parts.at(-1) ?? "";
			best = Math.max(best, sureness([...folders, name], named) * (name === file ? 1 : OTHER_SCRIPT));
		}
		const own = [...folders, bare];
		for (const named of asModule ?? []) {
			if (sharedEnd(own, named.parts) > 1) best = Math.max(best, sureness(own, named));
		}
		return best;
	};
}

function alike(fileName: string): string {
	return fileName.replace(SCRIPT, ".js");
}

function readPath(run: string, nearness: number): Named | undefined {
	const whole = run
		.replace(/[.-]+$/, "")
		.replaceAll(/[/\\]+/g, "/")
		.replace(/^(?:\.{0,2}\/)+/, "");
	const installed = INSTALLED.exec(whole);
	const parts = (installed ? whole.slice(installed.index + installed[0].length) : whole).split("/");
	return FILE_NAME.test(parts.at(-1) ?? "") ? { parts, installed: installed !== null, nearness } : undefined;
}

/** `package.module.Name.method`: every beginning of it may be the module. */
function modules(run: string): Named[] {
	const parts = run.split(/[.\\]/);
	const names = parts.findIndex((part) => !IDENTIFIER.test(part));
	const dotted = parts.slice(0, Math.min(names < 0 ? parts.length : names, DEEPEST_MODULE));
	return dotted.slice(1).map((_, index) => ({ parts: dotted.slice(0, index + 2), installed: false, nearness: 1 }));
}

function sureness(path: readonly string[], { parts, installed, nearness }: Named): number {
	const shared = sharedEnd(path, parts);
	if (shared === path.length || (shared > 1 && shared === parts.length)) return nearness;
	if (shared > (installed ? 2 : 1)) return SAME_END * nearness;
	if (installed) return 0;
	return parts.length === 1 ? NAME_ALONE : NAME_ELSEWHERE;
}

function sharedEnd(left: readonly string[], right: readonly string[]): number {
	let shared = 0;
	while (shared < left.length && shared < right.length && left.at(-1 - shared) === right.at(-1 - shared)) shared += 1;
	return shared;
}
