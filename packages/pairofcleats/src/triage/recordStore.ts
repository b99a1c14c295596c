import { createHash, randomBytes } from "node:crypto";
import {
	closeSync,
	fsyncSync,
	linkSync,
	openSync,
	readdirSync,
	readFileSync,
	renameSync,
	rmSync,
	writeSync,
} from "node:fs";
import { basename, join } from "node:path";
import { makeFolder } from "libmcp/command";
import { CleatsError } from "../contract/errors.ts";
import { takeOver, workFile } from "../files/workFiles.ts";
import type { Decision, Finding, TriageRecord } from "./record.ts";

const RECORD_ID = /^[a-z]+-[0-9a-f]{32}$/;

/** A repository's records, one file each, outside the cache so that no clean-up deletes them. */
export class RecordStore {
	readonly folder: string;
	#swept: boolean = false;

	constructor(folder: string) {
		this.folder = folder;
	}

	read(recordId: string): TriageRecord | undefined {
		if (!RECORD_ID.test(recordId)) return undefined;
		try {
			return JSON.parse(readFileSync(join(this.folder, `${recordId}.json`), "utf8"));
		} catch {
			return undefined;
		}
	}

	finding(field: string, recordId: string): Finding {
		const record = this.read(recordId);
		if (record?.recordType === "finding") return record;
		throw new CleatsError("NOT_FOUND", `${field}: there is no finding ${JSON.stringify(recordId)}`, { field });
	}

	/** Writes a finding atomically. An existing one is replaced but keeps the time it was first seen. */
	putFinding(finding: Finding): "created" | "updated" {
		const known = this.read(finding.recordId);
		const record = known === undefined ? finding : { ...finding, createdAt: known.createdAt };
		renameSync(this.#write(record), this.#path(finding.recordId));
		return known === undefined ? "created" : "updated";
	}

	/** Uses a hard link, so that an existing decision is never replaced. */
	addDecision(decision: Decision): void {
		const fresh = this.#write(decision);
		try {
			linkSync(fresh, this.#path(decision.recordId));
		} finally {
			rmSync(fresh, { force: true });
		}
	}

	/** All readable records, sorted by id. */
	all(): TriageRecord[] {
		let names: string[];
		try {
			names = readdirSync(this.folder);
		} catch {
			return [];
		}
		return names.sort().flatMap((name) => this.read(basename(name, ".json")) ?? []);
	}

	/** The decisions about a finding, oldest first. */
	decisions(finding: string): Decision[] {
		return this.all()
			.filter((record) => record.recordType === "decision")
			.filter((decision) => decision.finding === finding)
			.sort((a, b) => (a.createdAt < b.createdAt ? -1 : a.createdAt > b.createdAt ? 1 : 0));
	}

	#path(recordId: string): string {
		return join(this.folder, `${recordId}.json`);
	}

	#write(record: TriageRecord): string {
		if (!this.#swept) {
			makeFolder(this.folder, 0o700);
			takeOver(this.folder);
			this.#swept = true;
		}
		const path = workFile(this.folder, record.recordId, "place");
		const file = openSync(path, "w", 0o600);
		try {
			writeSync(file, `${JSON.stringify(record, null, 2)}\n`);
			fsyncSync(file);
		} finally {
			closeSync(file);
		}
		return path;
	}
}

/** The same finding always gets the same id. The parts are joined by a character that none of them contains. */
export function findingId(source: string, parts: readonly (string | undefined)[]): string {
	return `finding-${createHash("sha256")
		.update([source, ...parts.map((part) => part ?? "")].join("\0"))
		.digest("hex")
		.slice(0, 32)}`;
}

export function decisionId(): string {
	return `decision-${randomBytes(16).toString("hex")}`;
}
