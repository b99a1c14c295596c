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

/** The decision that counts: the newest that has not expired. */
export function findDecisionInForce(decisions: readonly Decision[]): Decision | undefined {
	return sortByAge(decisions.filter((decision) => !isExpired(decision))).at(-1);
}

/** An expired decision stays in the history but no longer counts. */
export function isExpired({ expiresAt }: Decision, now: number = Date.now()): boolean {
	return expiresAt !== undefined && new Date(expiresAt).getTime() <= now;
}

/** Oldest first. */
export function sortByAge(decisions: readonly Decision[]): Decision[] {
	return decisions.toSorted((a, b) => readCreationTime(a) - readCreationTime(b));
}

/** The moment of a decision; 0 for one that an import brought without a real date. */
export function readCreationTime({ createdAt }: Decision): number {
	return Date.parse(createdAt) || 0;
}

/** The subject of a finding, in short: its package, its line, or its machine. */
export function describePlace({ package: affected, location, asset }: Finding): string | undefined {
	if (affected !== undefined) return [affected.name, affected.installedVersion].filter(Boolean).join("@");
	if (location === undefined) return asset?.assetId;
	return [location.path, location.startLine].filter(Boolean).join(":");
}

const LONGEST_TEXT = 240;

/** A text as a list of findings shows it; the cut does not split a character. */
export function shortenText(text: string): string {
	return text.length > LONGEST_TEXT ? `${text.slice(0, LONGEST_TEXT).replace(/[\ud800-\udbff]$/, "")}…` : text;
}
