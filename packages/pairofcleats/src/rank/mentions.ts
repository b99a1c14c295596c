/** How surely a text names a file, from 0 to 1. */
export type Mentions = (path: string) => number;

/** Paths and dotted names; nobody names a file with more. */
const RUN = /[\w.@+/\\-]{3,260}/g;
const FILE_NAME = /^[\w@+-][\w.@+-]*\.[A-Za-z]\w{0,4}$/;
const IDENTIFIER = /^[A-Za-z_]\w*$/;
/** More than this is a listing, not a report about some files. */
const MOST_NAMES = 1_000;
const DEEPEST_MODULE = 6;
/** A name alone may be that of several files. */
const NAME_ALONE = 0.5;

/**
 * Which files a text names: frames of a stack trace, paths in a sentence, modules written with dots. Absolute paths of
 * another machine count by how they end. `undefined` when it names none.
 */
export function mentionsIn(text: string): Mentions | undefined {
	const byName = new Map<string, string[][]>();
	for (const run of new Set(text.match(RUN))) {
		for (const parts of [...paths(run), ...modules(run)]) {
			const name = parts.at(-1) ?? "";
			byName.set(name, [...(byName.get(name) ?? []), parts]);
		}
		if (byName.size > MOST_NAMES) return undefined;
	}
	if (byName.size === 0) return undefined;
	return (path) => {
		const parts = path.split("/");
		const file = parts.at(-1) ?? "";
		const bare = file.replace(/\.\w+$/, "");
		let best = 0;
		for (const named of byName.get(file) ?? []) best = Math.max(best, sureness(sharedEnd(parts, named), parts.length));
		const asModule = [...parts.slice(0, -1), bare];
		for (const named of byName.get(bare) ?? []) {
			const shared = sharedEnd(asModule, named);
			if (shared > 1) best = Math.max(best, sureness(shared, parts.length));
		}
		return best;
	};
}

function paths(run: string): string[][] {
	const parts = run.replace(/[.-]+$/, "").split(/[/\\]+/);
	return FILE_NAME.test(parts.at(-1) ?? "") ? [parts] : [];
}

/** `package.module.Name.method`: every beginning of it may be the module. */
function modules(run: string): string[][] {
	const parts = run.split(".");
	const names = parts.findIndex((part) => !IDENTIFIER.test(part));
	const dotted = parts.slice(0, Math.min(names < 0 ? parts.length : names, DEEPEST_MODULE));
	return dotted.slice(1).map((_, index) => dotted.slice(0, index + 2));
}

function sharedEnd(left: readonly string[], right: readonly string[]): number {
	let shared = 0;
	while (shared < left.length && shared < right.length && left.at(-1 - shared) === right.at(-1 - shared)) shared += 1;
	return shared;
}

function sureness(shared: number, length: number): number {
	return shared > 1 || length === 1 ? 1 : NAME_ALONE;
}
