import type { IndexReader } from "../store/store.ts";
import { type GitHeads, type GitMeta, gitMeta } from "./gitMeta.ts";
import type { IndexerOptions } from "./indexerOptions.ts";
import type { Outcome } from "./indexFiles.ts";

/** Reads a long history in git's process while this one parses; if either fails, the other ends too. */
export async function besideHistory(
	heads: GitHeads | undefined,
	reader: IndexReader,
	options: IndexerOptions,
	indexing: (signal: AbortSignal) => Promise<Outcome>,
): Promise<[Outcome, GitMeta]> {
	const stop = new AbortController();
	const signal = AbortSignal.any([stop.signal, ...(options.signal ? [options.signal] : [])]);
	let commits = 0;
	let isIndexed = false;
	const tell = (): void =>
		options.onProgress?.({ phase: "git", done: commits, message: `Reading the history: commit ${commits}.` });
	const onCommits = (read: number): void => {
		commits = read;
		if (isIndexed) tell();
	};
	const history = gitMeta(options.root, heads, reader, { onCommits, signal });
	const indexed = indexing(signal).then((outcome) => {
		isIndexed = true;
		if (commits > 0) tell();
		return outcome;
	});
	try {
		return await Promise.all([indexed, history]);
	} catch (error) {
		stop.abort(error);
		await Promise.allSettled([indexed, history]);
		throw error;
	}
}
