// Child process of compactIndex: rewrites the index without free pages and switches to the new file.
import { copyFileSync, rmSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { sendToParent } from "../contract/childMessage.ts";
import { toCleatsError } from "../contract/errors.ts";
import { openIndexFolder } from "../store/indexFolder.ts";
import { EDIT_MS } from "../store/writeLock.ts";

type Job = { readonly cacheRoot: string; readonly root: string; readonly keepBackup: boolean };
type Compacted = { readonly before: number; readonly after: number; readonly backup?: string };

const job = JSON.parse(process.argv[2] ?? "{}") as Job;
try {
	sendToParent({ ok: true, ...(await compact(job)) });
} catch (error) {
	const { code, message } = toCleatsError(error);
	sendToParent({ ok: false, code, message });
}

async function compact({ cacheRoot, root, keepBackup }: Job): Promise<Compacted> {
	const folder = openIndexFolder(cacheRoot, root);
	return folder.hold((held) => {
		const current = held.current();
		if (current === undefined) throw new Error("there is no index to compact");
		const before = folder.bytes();
		const next = held.next();
		// Files left by an interrupted compaction or build cannot be reused.
		for (const suffix of ["", "-wal", "-shm"]) rmSync(`${next}${suffix}`, { force: true });
		const database = new DatabaseSync(current);
		database.prepare("VACUUM INTO ?").run(next);
		database.close();
		prove(next);
		const backup = keepBackup ? `backup-${basename(current)}` : undefined;
		if (backup !== undefined) copyFileSync(current, join(folder.path, backup));
		held.use(next);
		return { before, after: statSync(next).size, ...(backup !== undefined && { backup }) };
	}, EDIT_MS);
}

/** Verifies the copy before it replaces the original. */
function prove(file: string): void {
	const copy = new DatabaseSync(file);
	copy.exec("PRAGMA journal_mode = WAL");
	const verdict = copy.prepare("PRAGMA quick_check").get();
	copy.close();
	if (verdict?.quick_check !== "ok")
		throw new Error(`the compacted copy is not sound: ${String(verdict?.quick_check)}`);
}
