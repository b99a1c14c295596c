import { LineIndex, type LineRange } from "./chunkLines.ts";
import { ERROR_TYPE, type FlatTree, type Grammar } from "./tree/flatTree.ts";

export type Around = {
	readonly tree: FlatTree;
	/** Lines hidden from the grammar, because they kept it from parsing others. */
	readonly unread: readonly LineRange[];
};

/** The text that a grammar could not parse: its characters, its places, and the lines of the first ones. */
type Damage = { readonly size: number; readonly places: number; readonly lines: readonly number[] };
type Attempt = Damage & { readonly cost: number; readonly text: string; readonly hidden: LineRange };

/** An error does more damage than its length: an extra brace ends the block around it. */
const COST_OF_PLACE = 300;
/** Damage below either limit is a small part of the file and affects nothing else. */
const LEAST_DAMAGE = 200;
const LEAST_SHARE = 0.1;
const MOST_LINES = 5;
const MOST_ROUNDS = 3;
const MOST_TRIES = 16;
/** Characters that may be parsed again. */
const BUDGET = 1_000_000;
/**
 * Errors that may be parsed again. Each makes the grammar search for a recovery, which takes seconds in a hostile text.
 * Real files have a few dozen.
 */
const MOST_ERRORS = 4_000;

/**
 * Parses a text that may be newer than its grammar. One unknown construct can turn the rest of the file into an error,
 * so its lines are hidden if the others can then be parsed.
 */
export function parseAround(parse: Grammar["parse"], text: string): Around | undefined {
	const tree = parse(text);
	if (!tree || !hasErrors(tree)) return tree && { tree, unread: [] };
	const lines = new LineIndex(text);
	const first = damageOf(tree, lines);
	if (!isGrave(first, text)) return { tree, unread: [] };
	const unread: LineRange[] = [];
	let shown = text;
	let damage = first;
	let left = Math.min(MOST_TRIES, Math.floor(BUDGET / text.length), Math.floor(MOST_ERRORS / first.places));
	if (left === 0) return { tree, unread: [] };
	for (let round = 0; round < MOST_ROUNDS && isGrave(damage, text); round += 1) {
		const most = costOf(damage) / 2;
		// Hidden code counts as damage, since an empty file would have no errors.
		const tries = rangesOf(damage.lines, lines).filter((range) => codeIn(shown, range, lines) < most);
		const best = bestOf(tries.slice(0, left), shown, lines, parse);
		if (!best || best.cost > most) break;
		left -= tries.length;
		shown = best.text;
		damage = best;
		unread.push(best.hidden);
	}
	const read = parse(shown);
	return read && { tree: read, unread };
}

function hasErrors({ type, count, missing }: FlatTree): boolean {
	return missing.length > 0 || type.subarray(0, count).includes(ERROR_TYPE);
}

function isGrave({ size }: Damage, text: string): boolean {
	return size >= LEAST_DAMAGE && size >= text.length * LEAST_SHARE;
}

function costOf({ size, places }: Damage): number {
	return size + places * COST_OF_PLACE;
}

function damageOf({ type, start, end, parent, count, missing }: FlatTree, lines: LineIndex): Damage {
	const met = new Set<number>();
	let size = 0;
	let places = 0;
	let counted = 0;
	for (let node = 0; node < count; node += 1) {
		if (type[node] !== ERROR_TYPE) continue;
		const from = start[node] ?? 0;
		const to = end[node] ?? 0;
		if (met.size < MOST_LINES) met.add(lines.lineAt(from));
		places += 1;
		size += Math.max(0, to - Math.max(from, counted));
		counted = Math.max(counted, to);
	}
	for (const node of missing) {
		const line = lines.lineAt(start[parent[node] ?? 0] ?? 0);
		const taken = (start[node] ?? 0) - Math.max(closedBy(lines, line), counted);
		places += 1;
		if (taken <= 0) continue;
		if (met.size < MOST_LINES) met.add(line);
		size += taken;
		counted = start[node] ?? 0;
	}
	return { size, places, lines: [...met] };
}

/**
 * Where the block of a line ends by its indentation: beyond it, a block without its closing token takes what is not its
 * own. A block that is not indented has no such end.
 */
function closedBy(lines: LineIndex, line: number): number {
	const end = lines.endOf(blockEnd(lines, line));
	const block = lines.text.slice(lines.startOf(line), end);
	return /[{([]\s*$/.test(block) ? Number.POSITIVE_INFINITY : end;
}

/** Each line alone, and each with the lines indented below it. */
function rangesOf(starts: readonly number[], lines: LineIndex): LineRange[] {
	return starts.flatMap((startLine) => {
		const endLine = blockEnd(lines, startLine);
		const line = { startLine, endLine: startLine };
		return endLine > startLine ? [line, { startLine, endLine }] : [line];
	});
}

function blockEnd(lines: LineIndex, start: number): number {
	const depth = lines.indentOf(start);
	let end = start;
	while (end < lines.count && lines.indentOf(end + 1) > depth) end += 1;
	if (end === start || end === lines.count) return end;
	return /^\s*(?:[)\]}]|end\b)/.test(lines.lineText(end + 1)) ? end + 1 : end;
}

/** The number of characters that are not blank. */
function codeIn(text: string, { startLine, endLine }: LineRange, lines: LineIndex): number {
	return text.slice(lines.startOf(startLine), lines.endOf(endLine)).replace(/\s/g, "").length;
}

function bestOf(
	tries: readonly LineRange[],
	text: string,
	lines: LineIndex,
	parse: Grammar["parse"],
): Attempt | undefined {
	let best: Attempt | undefined;
	for (const hidden of tries) {
		const from = lines.startOf(hidden.startLine);
		const to = lines.endOf(hidden.endLine);
		const without = text.slice(0, from) + text.slice(from, to).replace(/[^\r\n]/g, " ") + text.slice(to);
		const tree = parse(without);
		if (!tree) continue;
		const damage = damageOf(tree, lines);
		const cost = costOf(damage) + codeIn(text, hidden, lines);
		if (!best || cost < best.cost) best = { ...damage, cost, text: without, hidden };
	}
	return best;
}
