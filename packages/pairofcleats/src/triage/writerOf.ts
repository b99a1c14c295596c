import type { TriageSource } from "../contract/triageTerms.ts";
import type { Raw } from "./fields.ts";

/** Members that only the reports of one source have. */
const MARKS = [
	["sarif", ["runs"]],
	["generic", ["auditReportVersion"]],
	["dependabot", ["security_advisory", "securityAdvisory", "alert"]],
	["aws_inspector", ["packageVulnerabilityDetails", "findingArn", "detail-type"]],
	["osv", ["vulns", "packages", "affected"]],
] as const satisfies readonly (readonly [TriageSource, readonly string[]])[];

/** The source whose form a report has, as far as it can be told. */
export function writerOf(raw: Raw): TriageSource | undefined {
	return MARKS.find(([, names]) => names.some((name) => Object.hasOwn(raw, name)))?.[0];
}
