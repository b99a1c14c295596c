import { isDeepStrictEqual } from "node:util";
import { Ajv2020 } from "ajv/dist/2020.js";
import { DECISION_STATUSES, TRIAGE_SOURCES } from "../contract/triageTerms.ts";
import { type Decision, type Finding, SEVERITIES, type TriageRecord } from "../records/record.ts";
import { readLines } from "./readReports.ts";
import type { RecordStore } from "./recordStore.ts";

type Export = { readonly text: string; readonly records: number; readonly unreadable: readonly string[] };

/** Exports all records of a store as JSON Lines, findings before their decisions. */
export function exportRecords(store: RecordStore): Export {
	const { records: all, unreadable } = store.all();
	const { findings, decisions } = byKind(all);
	const records = [...findings, ...decisions];
	const text = records.map((record) => `${JSON.stringify(record)}\n`).join("");
	return { text, records: records.length, unreadable };
}

type ImportReport = {
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
		else errors.push({ line, message: "problem" in report ? report.problem : String(findRecordProblem(record)) });
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

/** Why a value is not a valid record, naming the field; `undefined` if it is one. */
function findRecordProblem(value: unknown): string | undefined {
	const { recordType } = typeof value === "object" && value !== null && "recordType" in value ? value : {};
	if (recordType !== "finding" && recordType !== "decision")
		return `recordType: expected "finding" or "decision", got ${shown(recordType)}`;
	const check = CHECKS[recordType];
	if (check(value)) return undefined;
	const [first] = check.errors ?? [];
	return `${first?.instancePath.slice(1).replaceAll("/", ".") || "record"}: ${first?.message ?? "is not valid"}`;
}

function isRecord(value: unknown): value is TriageRecord {
	return findRecordProblem(value) === undefined;
}

function shown(value: unknown): string {
	return value === undefined ? "nothing" : JSON.stringify(value).slice(0, 60);
}

const TEXT = { type: "string" };
const TEXTS = { type: "array", items: TEXT };
const MOMENT = { type: "string", pattern: "^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(\\.\\d+)?Z$" };
const VULN = {
	type: "object",
	required: ["vulnId", "title", "severity"],
	properties: {
		vulnId: TEXT,
		title: TEXT,
		severity: { enum: SEVERITIES },
		cve: TEXT,
		description: TEXT,
		cvss: { type: "object", properties: { score: { type: "number" }, vector: TEXT } },
		cwe: TEXTS,
		references: TEXTS,
	},
};
const PACKAGE = {
	type: "object",
	required: ["name"],
	properties: {
		name: TEXT,
		ecosystem: TEXT,
		installedVersion: TEXT,
		affectedRange: TEXT,
		fixedVersion: TEXT,
		manifestPath: TEXT,
	},
};
const COMMON = { createdAt: MOMENT, vuln: VULN, package: PACKAGE, meta: { type: "object" } };
const FINDING_ID = { type: "string", pattern: "^finding-[0-9a-f]{32}$" };

const ajv = new Ajv2020({ strict: false });
const CHECKS = {
	finding: ajv.compile({
		type: "object",
		required: ["recordId", "source", "createdAt", "updatedAt", "vuln", "warnings"],
		properties: {
			...COMMON,
			recordId: FINDING_ID,
			source: { enum: TRIAGE_SOURCES },
			updatedAt: MOMENT,
			service: TEXT,
			env: TEXT,
			team: TEXT,
			owner: TEXT,
			asset: {
				type: "object",
				required: ["assetId"],
				properties: { assetId: TEXT, assetType: TEXT, account: TEXT, region: TEXT },
			},
			location: { type: "object", required: ["path"], properties: { path: TEXT, startLine: { type: "number" } } },
			settled: TEXT,
			warnings: TEXTS,
		},
	}),
	decision: ajv.compile({
		type: "object",
		required: ["recordId", "source", "createdAt", "finding", "status", "vuln"],
		properties: {
			...COMMON,
			recordId: { type: "string", pattern: "^decision-[0-9a-f]{32}$" },
			source: { const: "manual" },
			finding: FINDING_ID,
			status: { enum: DECISION_STATUSES },
			justification: TEXT,
			reviewer: TEXT,
			expiresAt: MOMENT,
			codes: TEXTS,
			evidence: TEXTS,
		},
	}),
};
