import { setTimeout as delay } from "node:timers/promises";
import { CleatsError } from "../contract/errors.ts";
import { makePathRelative, makeRequestRelative, readSearchRequest, warnOfEmptyFilters } from "../query/request.ts";
import type { FileText } from "../repo/repository.ts";
import { searchPayload } from "../searching/writtenSearch.ts";
import type { ToolCall, ToolHandler } from "../workspace/toolCall.ts";

export const search: ToolHandler<"search"> = async ({ render, ...args }, call) => {
	const { label, root, engine } = await call.repository();
	const request = makeRequestRelative(root, readSearchRequest(args));
	for (const warning of warnOfEmptyFilters(args, request)) call.warn(warning);
	if (!args.repoPath) warnOfOthers(label, call);
	call.progress({ phase: "search", message: "Running search." });
	const { workspace, signal } = call;
	const ask = async () =>
		call.written && render !== "porcelain"
			? (await workspace.searches()).answer(engine, workspace.open, request, signal)
			: engine.search(request, signal);
	const answer = await askAfterFirstIndex(ask, signal);
	for (const warning of answer.warnings) call.warn(warning);
	return { repo: label, search: "hits" in answer ? searchPayload(answer) : answer };
};

const MOST_NAMED = 5;

/** A search that names no repository covers the default one, which a caller who sees several may not expect. */
function warnOfOthers(searched: string, { workspace, warn }: ToolCall): void {
	const others = workspace.repositories.slice(1).map((root) => workspace.nameOf(root));
	if (others.length === 0) return;
	const named = others.slice(0, MOST_NAMED).join(", ") + (others.length > MOST_NAMED ? ", …" : "");
	const message = `only ${searched} was searched; repoPath names another repository: ${named}`;
	warn({ code: "default_repository", field: "repoPath", message });
}

/** How long a call waits for the first index. A model has no clock, and would ask again at once or never. */
const LONGEST_WAIT_MS = 20_000;
const PAUSE_MS = 200;

/** Asks again while the repository's first index is being built. */
export async function askAfterFirstIndex<Value>(ask: () => Promise<Value>, signal: AbortSignal): Promise<Value> {
	const until = performance.now() + LONGEST_WAIT_MS;
	for (;;) {
		try {
			return await ask();
		} catch (error) {
			if (!isBeingBuilt(error) || performance.now() > until) throw error;
		}
		await delay(PAUSE_MS, undefined, { signal }).catch(() => signal.throwIfAborted());
	}
}

function isBeingBuilt(error: unknown): boolean {
	return error instanceof CleatsError && error.details.reason === "being_built";
}

/** Limited, because clients keep the text in their context. The next lines are one more call. */
const MOST_LETTERS = 80_000;

export const showFile: ToolHandler<"show_file"> = async ({ path, startLine, endLine }, call) => {
	const { label, root, engine } = await call.repository();
	const whole = startLine === undefined && endLine === undefined;
	const range = { start: startLine ?? 1, end: endLine ?? Number.MAX_SAFE_INTEGER };
	const file = await engine.show(makePathRelative(root, path), whole ? undefined : range);
	return { repo: label, file: file.text.length > MOST_LETTERS ? cut(file, call) : file };
};

/** As many whole lines as fit, or the beginning of a longer line. */
function cut(file: FileText, { warn }: Pick<ToolCall, "warn">): FileText {
	const fits = file.text.slice(0, MOST_LETTERS);
	const end = file.text[MOST_LETTERS] === "\n" ? MOST_LETTERS : fits.lastIndexOf("\n");
	const text = end < 0 ? fits : fits.slice(0, end);
	const endLine = file.startLine + text.split("\n").length - 1;
	const message =
		end < 0
			? `line ${endLine} has more than ${MOST_LETTERS} letters; its beginning is shown`
			: `lines ${endLine + 1} to ${file.endLine} are left out; startLine ${endLine + 1} goes on with them`;
	warn({ code: "text_cut", field: "endLine", message });
	return { ...file, text, endLine };
}
