import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { makeFolder } from "libmcp/command";
import { CleatsError } from "../contract/errors.ts";
import { adoptWorkFiles, nameWorkFile } from "../files/workFiles.ts";
import type { ProgressReport } from "../workspace/toolCall.ts";
import { findLastFetch, type LockEntry, recordInLock } from "./assetFolder.ts";
import { type Downloaded, download } from "./download.ts";
import { isArchive, readArchive } from "./readArchive.ts";
import type { Source } from "./source.ts";

export type FetchRequest = {
	readonly source: Source;
	readonly folder: string;
	/** Name of the file in the folder. */
	readonly file: string;
	/** Fetch even if the file is present. */
	readonly force?: boolean;
	/** Ask the source whether the file has changed. */
	readonly update?: boolean;
	readonly signal: AbortSignal;
	readonly progress?: (report: ProgressReport) => void;
	/** Validates the file before it replaces the existing one; if this throws, nothing changes. */
	readonly check?: (path: string) => Promise<void>;
};

export type Fetched = {
	readonly name: string;
	readonly file: string;
	readonly outcome: "fetched" | "unchanged" | "present";
	readonly bytes: number;
	readonly sha256?: string;
	readonly verified: boolean;
};

/**
 * Fetches one file into a folder, directly or out of an archive, replaces it atomically and records it in the lock
 * file.
 */
export async function fetchAsset(request: FetchRequest): Promise<Fetched> {
	const { source, folder, file } = request;
	const target = join(folder, file);
	const known = findLastFetch(folder, file);
	// A file from another source, or one a killed process had no time to record in the lock, does not count as present.
	const present = existsSync(target) && known !== undefined && isFrom(source, known);
	if (present && request.force !== true && request.update !== true)
		return report(source, file, "present", target, known.sha256);
	makeFolder(folder);
	adoptWorkFiles(folder, source.name);
	const fetched = nameWorkFile(folder, source.name, "fetch");
	const result = await download(source, fetched, {
		signal: request.signal,
		...(present && request.force !== true && known?.etag !== undefined && { etag: known.etag }),
		onProgress: (bytes, total, rate) =>
			request.progress?.({
				phase: "download",
				message: `${source.name}: ${bytes} bytes, ${rate} bytes/s`,
				done: bytes,
				...(total !== undefined && { total }),
			}),
	});
	if (result.kind === "unchanged") return report(source, file, "unchanged", target, known?.sha256);
	await place(request, fetched, target);
	recordInLock(folder, source.name, lockEntry(source, file, result));
	return report(source, file, "fetched", target, result.sha256);
}

function isFrom({ sha256, url }: Source, known: LockEntry): boolean {
	return sha256 === undefined ? url === known.url : sha256 === known.sha256;
}

async function place({ source, folder, check }: FetchRequest, fetched: string, target: string): Promise<void> {
	const fresh = nameWorkFile(folder, source.name, "place");
	mkdirSync(fresh);
	try {
		const ready = join(fresh, basename(target));
		if (source.member === undefined && !isArchive(new URL(source.url).pathname)) renameSync(fetched, ready);
		else writeFileSync(ready, memberOf(source, readFileSync(fetched)), { mode: 0o644, flush: true });
		await check?.(ready);
		renameSync(ready, target);
	} finally {
		rmSync(fetched, { force: true });
		rmSync(fresh, { recursive: true, force: true });
	}
}

function memberOf(source: Source, bytes: Buffer): Buffer {
	const entries = readArchive(bytes);
	const wanted =
		source.member === undefined && entries.length === 1
			? entries[0]
			: entries.find((entry) => entry.name === source.member);
	if (wanted === undefined) {
		const has = entries
			.slice(0, 10)
			.map((entry) => entry.name)
			.join(", ");
		throw new CleatsError(
			"NOT_FOUND",
			`${source.name}: the archive has no ${source.member ?? "single file"}; it has ${has}`,
		);
	}
	return wanted.data;
}

function lockEntry(source: Source, file: string, result: Downloaded & { kind: "fetched" }) {
	return {
		file,
		url: source.url,
		sha256: result.sha256,
		verified: source.sha256 !== undefined,
		...(result.etag !== undefined && { etag: result.etag }),
		fetchedAt: new Date().toISOString(),
	};
}

function report(
	source: Source,
	file: string,
	outcome: Fetched["outcome"],
	target: string,
	sha256: string | undefined,
): Fetched {
	return {
		name: source.name,
		file,
		outcome,
		bytes: statSync(target).size,
		...(sha256 !== undefined && { sha256 }),
		verified: source.sha256 !== undefined,
	};
}
