import { dataRoot } from "../contract/environment.ts";
import { invalidField } from "../contract/errors.ts";
import { triageFolder } from "../index/recordFiles.ts";
import { readDate } from "../query/request.ts";
import { type Decision, readCreationTime } from "../records/record.ts";
import type { ToolHandler } from "../workspace/toolCall.ts";
import { dropAbsent } from "./fields.ts";
import { makeDecisionId, RecordStore } from "./recordStore.ts";

export const handler: ToolHandler<"triage_decision"> = async (args, call) => {
	const { label, root } = await call.repository();
	const store = new RecordStore(triageFolder(dataRoot(), root));
	const finding = store.finding("finding", args.finding);
	const expiresAt = args.expires === undefined ? undefined : readExpiry(args.expires);
	const decision: Decision = {
		recordId: makeDecisionId(),
		recordType: "decision",
		source: "manual",
		createdAt: afterAll(store.decisions(finding.recordId).records),
		finding: finding.recordId,
		status: args.status,
		...dropAbsent({
			justification: args.justification,
			reviewer: args.reviewer,
			expiresAt,
			codes: args.codes,
			evidence: args.evidence,
			meta: args.meta,
		}),
		vuln: { vulnId: finding.vuln.vulnId, title: finding.vuln.title, severity: finding.vuln.severity },
		...(finding.package !== undefined && {
			package: { name: finding.package.name, ...dropAbsent({ ecosystem: finding.package.ecosystem }) },
		}),
	};
	store.addDecision(decision);
	return {
		repo: label,
		recordId: decision.recordId,
		finding: finding.recordId,
		status: decision.status,
		...(expiresAt !== undefined && { expiresAt }),
	};
};

/** Now, or just after the newest decision, which an imported one or a clock that was ahead may date in the future. */
function afterAll(decisions: readonly Decision[]): string {
	const newest = decisions.at(-1);
	return new Date(Math.max(Date.now(), newest === undefined ? 0 : readCreationTime(newest) + 1)).toISOString();
}

/** A future date or time: a decision that has already expired is a mistake. */
function readExpiry(text: string): string {
	// A year or a month alone does not say on which day.
	const ms = /^\d{4}-\d{2}-\d{2}/.test(text) ? readDate(text) : undefined;
	if (ms === undefined) throw invalidField("expires", "a date such as 2030-01-31, or a time in ISO 8601", text);
	if (ms <= Date.now()) throw invalidField("expires", "a time in the future (a date is its first moment, UTC)", text);
	return new Date(ms).toISOString();
}
