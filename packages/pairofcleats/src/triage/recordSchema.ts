import { Ajv2020 } from "ajv/dist/2020.js";
import { DECISION_STATUSES, TRIAGE_SOURCES } from "../contract/triageTerms.ts";
import { SEVERITIES, type TriageRecord } from "../records/record.ts";

/** Why a value is not a valid record, naming the field; `undefined` if it is one. */
export function recordProblem(value: unknown): string | undefined {
	const { recordType } = typeof value === "object" && value !== null && "recordType" in value ? value : {};
	if (recordType !== "finding" && recordType !== "decision")
		return `recordType: expected "finding" or "decision", got ${shown(recordType)}`;
	const check = CHECKS[recordType];
	if (check(value)) return undefined;
	const [first] = check.errors ?? [];
	return `${first?.instancePath.slice(1).replaceAll("/", ".") || "record"}: ${first?.message ?? "is not valid"}`;
}

export function isRecord(value: unknown): value is TriageRecord {
	return recordProblem(value) === undefined;
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
