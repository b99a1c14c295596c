import { createHash, randomBytes } from "node:crypto";
import { existsSync, linkSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { countText } from "libmcp";
import { errorCode, ifPresent, makeFolder } from "libmcp/command";
import { CleatsError } from "../contract/errors.ts";
import { adoptWorkFiles, nameWorkFile } from "../files/workFiles.ts";
import { readRecord } from "../records/readRecord.ts";
import { type Decision, type Finding, sortByAge, type TriageRecord } from "../records/record.ts";

const RECORD_ID = /^[a-z]+-[0-9a-f]{32}$/;
const RECORD_PATH = /^@records\/([a-z]+-[0-9a-f]{32})\.json$/;
const RECORD_FILE = /^([a-z]+-[0-9a-f]{32})\.json$/;
const DECISION_FILE = /^(decision-[0-9a-f]{32})\.json$/;

/** Records read from a folder, and the ids of those that are there but are damaged or cannot be read. */
export type Stored<T> = { readonly records: readonly T[]; readonly unreadable: readonly string[] };

/** A repository's records, one file each, outside the cache so that no clean-up deletes them. */
export class RecordStore {
	readonly folder: string;
	#swept: boolean = false;

	constructor(folder: string) {
		this.folder = folder;
	}

	/** Returns `undefined` if there is no such record, or a damaged one. */
	read(recordId: string): TriageRecord | undefined {
		const text = RECORD_ID.test(recordId) ? this.#textOf(recordId) : undefined;
		return text === undefined ? undefined : readRecord(text);
	}

	has(recordId: string): boolean {
		return existsSync(this.#path(recordId));
	}

	/** A finding by its id, or by the path that a search gives for it. */
	finding(field: string, recordId: string): Finding {
		const record = this.read(recordId.replace(RECORD_PATH, "$1"));
		if (record?.recordType === "finding") return record;
		throw new CleatsError("NOT_FOUND", `${field}: there is no finding ${JSON.stringify(recordId)}`, { field });
	}

	/** Writes a finding atomically. An existing one is replaced but keeps the time it was first seen. */
	putFinding(finding: Finding): "created" | "updated" {
		const known = this.read(finding.recordId);
		this.#place(known === undefined ? finding : { ...finding, createdAt: known.createdAt }, renameSync);
		return known === undefined ? "created" : "updated";
	}

	addDecision(decision: Decision): void {
		this.#place(decision, placeAnew);
	}

	/** All records, sorted by id. */
	all(): Stored<TriageRecord> {
		return this.#allOf(RECORD_FILE);
	}

	/** The decisions about a finding, oldest first. */
	decisions(finding: string): Stored<Decision> {
		const { records, unreadable } = this.#allOf(DECISION_FILE);
		const decisions = records
			.filter((record) => record.recordType === "decision")
			.filter((decision) => decision.finding === finding);
		return { records: sortByAge(decisions), unreadable };
	}

	#allOf(names: RegExp): Stored<TriageRecord> {
		const records: TriageRecord[] = [];
		const unreadable: string[] = [];
		for (const name of (ifPresent(() => readdirSync(this.folder)) ?? []).sort()) {
			const recordId = names.exec(name)?.[1];
			if (recordId === undefined) continue;
			const record = this.#tryRead(recordId);
			if (record === "unreadable") unreadable.push(recordId);
			else if (record !== undefined) records.push(record);
		}
		return { records, unreadable };
	}

	/** `undefined` for a record that was removed after its folder was listed. */
	#tryRead(recordId: string): TriageRecord | "unreadable" | undefined {
		try {
			const text = this.#textOf(recordId);
			return text === undefined ? undefined : (readRecord(text) ?? "unreadable");
		} catch {
			return "unreadable";
		}
	}

	#textOf(recordId: string): string | undefined {
		return ifPresent(() => readFileSync(this.#path(recordId), "utf8"));
	}

	#path(recordId: string): string {
		return join(this.folder, `${recordId}.json`);
	}

	#place(record: TriageRecord, move: (from: string, to: string) => void): void {
		if (!this.#swept) {
			makeFolder(this.folder, 0o700);
			adoptWorkFiles(this.folder);
			this.#swept = true;
		}
		const fresh = nameWorkFile(this.folder, record.recordId, "place");
		try {
			writeFileSync(fresh, `${JSON.stringify(record, null, 2)}\n`, { mode: 0o600, flush: true });
			move(fresh, this.#path(record.recordId));
		} finally {
			rmSync(fresh, { force: true });
		}
	}
}

const NO_LINKS: ReadonlySet<unknown> = new Set(["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS"]);

/** Uses a hard link, so that an existing decision is never replaced; where there are none, its random id must do. */
function placeAnew(from: string, to: string): void {
	try {
		linkSync(from, to);
	} catch (error) {
		if (!NO_LINKS.has(errorCode(error)) || existsSync(to)) throw error;
		renameSync(from, to);
	}
}

/** The same finding always gets the same id. The parts are joined by a character that none of them contains. */
export function makeFindingId(source: string, parts: readonly (string | undefined)[]): string {
	return `finding-${createHash("sha256")
		.update([source, ...parts.map((part) => part ?? "")].join("\0"))
		.digest("hex")
		.slice(0, 32)}`;
}

export function makeDecisionId(): string {
	return `decision-${randomBytes(16).toString("hex")}`;
}

const NAMED = 5;

/** Says which records were left out because they cannot be read. */
export function describeUnreadable(unreadable: readonly string[]): string {
	const names = [...unreadable.slice(0, NAMED), ...(unreadable.length > NAMED ? ["…"] : [])].join(", ");
	return `${countText(unreadable.length, "record")} left out, damaged or not readable: ${names}`;
}
