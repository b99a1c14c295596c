import { DEFAULT_WINDOW, type History, type HistoryOptions, readHistory } from "./gitHistory.ts";

/** A file's history as stored: last author, time of the last change in seconds, churn, and the churn per commit. */
export type KnownFile = readonly [author: string, seconds: number, churn: number, recent: readonly number[]];
export type KnownHistory = Readonly<Record<string, KnownFile>>;

/** What git said when it could not read all of a history comes with what it read. */
export type ReadHistory = { readonly files: KnownHistory; readonly fault?: string };

/**
 * Returns the current history of every file, `undefined` without git. Updates the known history of an older commit if
 * that gives an exact result, because reading a long history takes seconds.
 */
export async function updateHistory(
	root: string,
	known: { readonly head: string; readonly files: KnownHistory } | undefined,
	options: Pick<HistoryOptions, "onCommits" | "signal">,
): Promise<ReadHistory | undefined> {
	const since = known && /^[0-9a-f]{7,64}$/.test(known.head) ? { since: known.head } : {};
	const history = await readHistory(root, { ...options, ...since });
	if (history === undefined) return undefined;
	if (history.whole || known === undefined) return wholeOf(history);
	const merged = merge(known.files, history);
	if (merged) return { files: merged };
	const whole = await readHistory(root, options);
	return whole && wholeOf(whole);
}

function wholeOf({ files, fault }: History): ReadHistory {
	const entries = [...files].map(([path, { lastAuthor, lastModified, churn, recent }]): [string, KnownFile] => [
		path,
		[lastAuthor, lastModified, churn, recent],
	]);
	return { files: Object.fromEntries(entries), ...(fault !== undefined && { fault }) };
}

/** Returns `undefined` if renames make the result inexact, so that the whole history must be read. */
function merge(known: KnownHistory, { files, renamed }: History): KnownHistory | undefined {
	const merged = new Map(Object.entries(known));
	const before = new Map<string, KnownFile | undefined>();
	for (const [from, today] of renamed) {
		if (merged.has(today) || before.has(today)) return undefined;
		before.set(today, known[from]);
	}
	for (const from of renamed.keys()) merged.delete(from);
	for (const [path, { lastAuthor, lastModified, recent }] of files) {
		const older = before.get(path) ?? merged.get(path);
		const all = [...recent, ...(older?.[3] ?? [])].slice(0, DEFAULT_WINDOW);
		merged.set(path, [lastAuthor, lastModified, all.reduce((sum, changed) => sum + changed, 0), all]);
	}
	return Object.fromEntries(merged);
}
