import { isDeepStrictEqual } from "node:util";
import type { Decision, Finding, TriageRecord } from "../records/record.ts";
import { readLines } from "./readReports.ts";
import { isRecord, recordProblem } from "./recordSchema.ts";
import type { RecordStore } from "./recordStore.ts";

export type Export = { readonly text: string; readonly records: number; readonly unreadable: readonly string[] };

/** Exports all records of a store as JSON Lines, findings before their decisions. */
export function exportRecords(store: RecordStore): Export {
	const { records: all, unreadable } = store.all();
	const { findings, decisions } = byKind(all);
	const records = [...findings, ...decisions];
	const text = records.map((record) => `${JSON.stringify(record)}\n`).join("");
	return { text, records: records.length, unreadable };
}

export type ImportReport = {
	readonly total: number;
	readonly created: number;
	readonly updated: number;
	/** Records already present, the same or newer. */
	readonly kept: number;
	/** Lines that were not imported, counted from 1. */
	readonly errors: readonly { readonly line: number; readonly message: string }[];
};

/**
 * Imports an export. A finding is replaced only by a newer one, and a decision never. Invalid lines are reported
 * without stopping the import.
 */
export function importRecords(store: RecordStore, text: string): ImportReport {
	const errors: { line: number; message: string }[] = [];
	const counts = { created: 0, updated: 0, kept: 0 };
	const lines = [...readLines(text)];
	const good = new Map<TriageRecord, number>();
	for (const { line, ...report } of lines) {
		const record: unknown = "raw" in report ? report.raw : undefined;
		if (isRecord(record)) good.set(record, line);
		else errors.push({ line, message: "problem" in report ? report.problem : String(recordProblem(record)) });
	}
	const { findings, decisions } = byKind([...good.keys()]);
	for (const finding of findings) counts[takeFinding(store, finding)] += 1;
	for (const decision of decisions) {
		const taken = takeDecision(store, decision);
		if (typeof taken === "string") counts[taken] += 1;
		else errors.push({ line: good.get(decision) ?? 0, message: taken.problem });
	}
	return { total: lines.length, ...counts, errors: errors.sort((a, b) => a.line - b.line) };
}

function byKind(records: readonly TriageRecord[]): { findings: Finding[]; decisions: Decision[] } {
	return {
		findings: records.filter((record) => record.recordType === "finding"),
		decisions: records.filter((record) => record.recordType === "decision"),
	};
}

function takeFinding(store: RecordStore, finding: Finding): "created" | "updated" | "kept" {
	const known = store.read(finding.recordId);
	if (known?.recordType === "finding" && known.updatedAt >= finding.updatedAt) return "kept";
	return store.putFinding(finding);
}

function takeDecision(store: RecordStore, decision: Decision): "created" | "kept" | { readonly problem: string } {
	const known = store.read(decision.recordId);
	if (known !== undefined)
		return isDeepStrictEqual(known, decision)
			? "kept"
			: { problem: `recordId: another decision is recorded as ${decision.recordId}; it stays as it is` };
	if (store.read(decision.finding)?.recordType !== "finding")
		return { problem: `finding: there is no finding ${decision.finding}` };
	store.addDecision(decision);
	return "created";
}
