/** The scanners whose reports are taken in. */
export const TRIAGE_SOURCES = ["dependabot", "aws_inspector", "generic", "manual", "sarif", "osv"] as const;
export type TriageSource = (typeof TRIAGE_SOURCES)[number];

/** What may be decided about a finding. */
export const DECISION_STATUSES = ["fix", "accept", "defer", "false_positive", "not_affected"] as const;
export type DecisionStatus = (typeof DECISION_STATUSES)[number];
