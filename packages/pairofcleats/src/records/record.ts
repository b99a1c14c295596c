import type { DecisionStatus, TriageSource } from "../contract/triageTerms.ts";

/** A finding in the common form of all scanners' reports: one vulnerability in one package or place. */
export type Finding = {
	readonly recordId: string;
	readonly recordType: "finding";
	readonly source: TriageSource;
	readonly createdAt: string;
	readonly updatedAt: string;
	readonly service?: string;
	readonly env?: string;
	readonly team?: string;
	readonly owner?: string;
	readonly vuln: Vulnerability;
	readonly package?: AffectedPackage;
	readonly asset?: {
		readonly assetId: string;
		readonly assetType?: string;
		readonly account?: string;
		readonly region?: string;
	};
	/** Where the scanner found it in the repository. */
	readonly location?: { readonly path: string; readonly startLine?: number };
	/** Why its scanner no longer reports it as open, such as `fixed`. */
	readonly settled?: string;
	readonly meta?: Readonly<Record<string, unknown>>;
	readonly warnings: readonly string[];
};

export type Vulnerability = {
	readonly vulnId: string;
	readonly cve?: string;
	readonly title: string;
	readonly description?: string;
	readonly severity: Severity;
	readonly cvss?: { readonly score?: number; readonly vector?: string };
	readonly cwe?: readonly string[];
	readonly references?: readonly string[];
};

export type AffectedPackage = {
	readonly name: string;
	readonly ecosystem?: string;
	readonly installedVersion?: string;
	readonly affectedRange?: string;
	readonly fixedVersion?: string;
	readonly manifestPath?: string;
};

/** A decision about a finding. Decisions are added, never changed. */
export type Decision = {
	readonly recordId: string;
	readonly recordType: "decision";
	readonly source: "manual";
	readonly createdAt: string;
	readonly finding: string;
	readonly status: DecisionStatus;
	readonly justification?: string;
	readonly reviewer?: string;
	/** ISO 8601 date or time; from then on the decision no longer counts. */
	readonly expiresAt?: string;
	readonly codes?: readonly string[];
	readonly evidence?: readonly string[];
	readonly meta?: Readonly<Record<string, unknown>>;
	/** Copied from the finding, so that a search for either finds the decision. */
	readonly vuln: Pick<Vulnerability, "vulnId" | "title" | "severity">;
	readonly package?: Pick<AffectedPackage, "name" | "ecosystem">;
};

export type TriageRecord = Finding | Decision;

export const SEVERITIES = ["critical", "high", "medium", "low", "unknown"] as const;
export type Severity = (typeof SEVERITIES)[number];
