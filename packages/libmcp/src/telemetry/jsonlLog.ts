import { Buffer } from "node:buffer";
import {
	closeSync,
	fstatSync,
	openSync,
	readdirSync,
	readSync,
	renameSync,
	rmSync,
	statSync,
	writeSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { makeFolder } from "../command/folders.ts";
import type { Fault } from "../fault/fault.ts";
import { readErrorCode, toError } from "../fault/thrown.ts";
import { clipText, isLong, type LoggedRecord, type TelemetryRecord, type TelemetrySink } from "./record.ts";

export type JsonlLogOptions = {
	/** The file to append to; its folder is created when missing. */
	readonly path: string;
	/** The writer's name; shown in the first record of each file. */
	readonly name: string;
	/** A file that reaches this size is renamed and a new one begun; 8 MiB by default. */
	readonly maxBytes?: number;
	/** How many rotated files to keep; all by default, since evidence is removed only on request. */
	readonly keepFiles?: number;
	/** Called when the log cannot be written; the host continues, and records are dropped until `retryMs` has passed. */
	readonly onFailure?: (error: Error) => void;
	/** Pause after a failed write; one minute by default. */
	readonly retryMs?: number;
};

/**
 * Appends each record as one line in one write, so that several processes do not mix their records and a kill leaves no
 * half line in the middle. Files are never truncated or rewritten: rotation renames them.
 */
export class JsonlLog implements TelemetrySink {
	readonly #options: JsonlLogOptions;
	readonly #maxBytes: number;
	#fd: number | undefined;
	#inode = 0;
	#written = 0;
	#lastFault: Fault | null = null;
	/** After a failed write, when to try again. */
	#resumesAt: number | undefined;

	constructor(options: JsonlLogOptions) {
		this.#options = options;
		this.#maxBytes = options.maxBytes ?? 8 * 1024 * 1024;
	}

	record(record: TelemetryRecord): void {
		this.recordAll([record]);
	}

	/** Writes several records, with as many per write as fit one page. */
	recordAll(records: Iterable<TelemetryRecord>): void {
		const dropped = this.#resumesAt !== undefined && performance.now() < this.#resumesAt;
		let page = "";
		try {
			for (const record of records) {
				if (record.event === "fault") this.#lastFault = record.fault;
				if (dropped) continue;
				const line = toLine(record);
				if (page.length + line.length > PAGE_CHARS) {
					this.#write(page);
					page = "";
				}
				page += line;
			}
			this.#write(page);
			if (!dropped) this.#resumesAt = undefined;
		} catch (error) {
			this.#failed(toError(error));
		}
	}

	close(): void {
		if (this.#fd === undefined) return;
		const fd = this.#fd;
		this.#fd = undefined;
		try {
			closeSync(fd);
		} catch {
			// A failed write may be reported again on close; the descriptor is gone either way.
		}
	}

	#failed(error: Error): void {
		const news = this.#resumesAt === undefined;
		this.#resumesAt = performance.now() + (this.#options.retryMs ?? RETRY_MS);
		this.close();
		if (news) this.#options.onFailure?.(error);
	}

	#write(lines: string): void {
		if (lines === "") return;
		const found = statSync(this.#options.path, { throwIfNoEntry: false });
		// Another process has rotated the file, or somebody moved or removed it, so nobody would look there.
		if (found?.ino !== this.#inode) this.close();
		if (this.#fd !== undefined && this.#written >= this.#maxBytes) this.#rotate();
		this.#append(this.#fd ?? this.#open(), lines);
	}

	#open(): number {
		makeFolder(dirname(this.#options.path), 0o700);
		const fd = openSync(this.#options.path, "a+", 0o600);
		this.#fd = fd;
		const { size, ino } = fstatSync(fd);
		this.#inode = ino;
		this.#written = size;
		// A full disk or a power loss may have left half a line; it must not merge with the next whole one.
		if (size > 0 && !endsLine(fd, size)) this.#append(fd, "\n");
		this.#append(
			fd,
			toLine({
				event: "log_opened",
				at: Date.now(),
				generation: this.#lastFault?.generation ?? 0,
				name: this.#options.name,
				pid: process.pid,
				lastFault: this.#lastFault,
			}),
		);
		return fd;
	}

	#append(fd: number, line: string): void {
		const written = writeSync(fd, line);
		this.#written += written;
		// When only part of the line was written, the file is reopened, so that the next line starts after the half one.
		const length = Buffer.byteLength(line);
		if (written === length) return;
		const told = `ENOSPC: no space left on device, ${written} of ${length} bytes were written`;
		throw Object.assign(new Error(told), { code: "ENOSPC" });
	}

	#rotate(): void {
		this.close();
		const { path } = this.#options;
		try {
			renameSync(path, createRotatedName(path));
		} catch (error) {
			// Another process is rotating it right now and has not created the new file yet.
			if (readErrorCode(error) === "ENOENT") return;
			throw error;
		}
		this.#prune();
	}

	#prune(): void {
		const { path, keepFiles } = this.#options;
		if (keepFiles === undefined) return;
		const rotated = listRotatedFiles(path);
		for (const old of rotated.slice(0, Math.max(0, rotated.length - keepFiles))) rmSync(old, { force: true });
	}
}

const RETRY_MS = 60_000;

// Less than a page, which the kernel writes whole even for a process that is being killed.
const PAGE_CHARS = 3_500;

/** Cuts strings whose length a peer controls: a record must fit into one atomic write. */
function toLine(record: TelemetryRecord): string {
	return `${JSON.stringify({ ...clipRecord(record), pid: process.pid } satisfies LoggedRecord)}\n`;
}

function clipRecord(record: TelemetryRecord): TelemetryRecord {
	switch (record.event) {
		case "call":
			return record.fault === undefined ? clipNames(record) : clipNames({ ...record, fault: clipFault(record.fault) });
		case "replay":
			return clipNames(record);
		case "fault":
			return { ...record, fault: clipFault(record.fault) };
		case "restart":
			return { ...record, cause: clipFault(record.cause) };
		case "rollout_step":
			return record.fault === undefined ? record : { ...record, fault: clipFault(record.fault) };
		case "log_opened":
			return { ...record, name: clipText(record.name), lastFault: record.lastFault && clipFault(record.lastFault) };
	}
}

function clipNames<Named extends { readonly method: string; readonly tool?: string; readonly id: string }>(
	record: Named,
): Named {
	const { method, tool, id } = record;
	if (!isLong(method) && !isLong(tool ?? "") && !isLong(id)) return record;
	return {
		...record,
		method: clipText(method),
		id: clipText(id),
		...(tool === undefined ? {} : { tool: clipText(tool) }),
	};
}

function clipFault(fault: Fault): Fault {
	return isLong(fault.detail) ? { ...fault, detail: clipText(fault.detail) } : fault;
}

function endsLine(fd: number, size: number): boolean {
	const last = Buffer.alloc(1);
	readSync(fd, last, 0, 1, size - 1);
	return last[0] === 0x0a;
}

const WAIT_MS = 25;
const MAX_WAITING = 128;

/** Keeps logging off the path of calls: their records are written shortly after in batches, all others at once. */
export class DeferredLog implements TelemetrySink {
	readonly #log: JsonlLog;
	#waiting: TelemetryRecord[] = [];
	#timer: NodeJS.Timeout | undefined;

	constructor(log: JsonlLog) {
		this.#log = log;
	}

	record(record: TelemetryRecord): void {
		this.#waiting.push(record);
		if (record.event !== "call" || this.#waiting.length >= MAX_WAITING) this.#flush();
		else this.#timer ??= setTimeout(() => this.#flush(), WAIT_MS);
	}

	close(): void {
		this.#flush();
		this.#log.close();
	}

	#flush(): void {
		clearTimeout(this.#timer);
		this.#timer = undefined;
		const records = this.#waiting;
		this.#waiting = [];
		this.#log.recordAll(records);
	}
}

/** The name that a full log is renamed to. It is unique, since renaming onto an older file would erase that one. */
export function createRotatedName(path: string): string {
	const stamp = new Date().toISOString().replace(/[-:.]/g, "");
	return `${path}.${stamp}-${process.pid}-${process.hrtime.bigint()}`;
}

/** The rotated files of a log, oldest first. Those of a server called `a.jsonl` do not belong to the log of `a`. */
export function listRotatedFiles(path: string): string[] {
	const [folder, prefix] = [dirname(path), `${basename(path)}.`];
	return readdirSync(folder)
		.filter((name) => name.startsWith(prefix) && ROTATION.test(name.slice(prefix.length)))
		.sort()
		.map((name) => join(folder, name));
}

const ROTATION = /^\d{8}T\d{9}Z-\d+-\d+$/;
