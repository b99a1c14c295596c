import { extname } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { fileURLToPath } from "node:url";
import { spawnCustody } from "libmcp";
import { messageOf } from "../contract/childMessage.ts";
import { CleatsError, type ErrorCode } from "../contract/errors.ts";
import { openIndexFolder } from "../store/indexFolder.ts";
import type { ToolHandler } from "../workspace/toolCall.ts";

type Outcome =
	| { readonly ok: true; readonly before: number; readonly after: number; readonly backup?: string }
	| { readonly ok: false; readonly code: ErrorCode; readonly message: string };

const PROGRAM = fileURLToPath(new URL(`./compactMain${extname(import.meta.url)}`, import.meta.url));

/** Runs in a separate process, so that it can be killed at any moment and searches continue. */
export const compactIndex: ToolHandler<"compact_sqlite_index"> = async (args, call) => {
	const { label, root } = await call.repository();
	const { cacheRoot } = call.workspace;
	const folder = openIndexFolder(cacheRoot, root);
	const current = folder.current();
	if (current === undefined) throw new CleatsError("NO_INDEX", "there is no index to compact; build one first");
	if (args.dryRun === true)
		return { repo: label, before: folder.bytes(), after: folder.bytes() - reclaimable(current), dryRun: true };
	call.progress({ phase: "compact", message: "Rewriting the index." });
	const outcome = await run(JSON.stringify({ cacheRoot, root, keepBackup: args.keepBackup === true }), call.signal);
	if (!outcome.ok) throw new CleatsError(outcome.code, outcome.message);
	const { before, after, backup } = outcome;
	return { repo: label, before, after, dryRun: false, ...(backup !== undefined && { backup }) };
};

async function run(job: string, signal: AbortSignal): Promise<Outcome> {
	const custody = await spawnCustody(process.execPath, ["--disable-warning=ExperimentalWarning", PROGRAM, job], {
		signal,
		stdio: ["ignore", "pipe", "inherit"],
	});
	let said = "";
	custody.child.stdout?.on("data", (chunk: Buffer) => {
		said += chunk.toString("utf8");
	});
	const exit = await custody.exited;
	signal.throwIfAborted();
	const message = `the compaction ended early (${exit.signal ?? exit.code}); the index is as it was`;
	return messageOf<Outcome>(said) ?? { ok: false, code: "INTERNAL", message };
}

/** Bytes of free pages. */
function reclaimable(file: string): number {
	const database = new DatabaseSync(file, { readOnly: true });
	try {
		const free = Number(database.prepare("PRAGMA freelist_count").get()?.freelist_count ?? 0);
		return free * Number(database.prepare("PRAGMA page_size").get()?.page_size ?? 0);
	} finally {
		database.close();
	}
}
