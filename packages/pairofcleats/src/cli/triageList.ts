import { plainText, tableLines } from "libmcp";
import { dataRoot } from "../contract/environment.ts";
import { triageFolder } from "../index/recordFiles.ts";
import { isExpired } from "../triage/contextPack.ts";
import { whereOf } from "../triage/ingest.ts";
import { SEVERITIES } from "../triage/record.ts";
import { RecordStore } from "../triage/recordStore.ts";
import { unreadableRecords } from "../triage/unreadableRecords.ts";
import { EXIT } from "./exit.ts";
import { type FlagTable, noFurtherWords, readFlags } from "./flags.ts";
import { withRepository } from "./openFromFlags.ts";
import { type Terminal, warn } from "./terminal.ts";

const FLAGS: FlagTable = {
	"--repo": { name: "repoPath", takes: "value" },
	"--json": { name: "json", takes: "boolean" },
};

/** `triage list`: every finding of the repository, the worst first, with the decision that holds. */
export async function list(argv: readonly string[], terminal: Terminal): Promise<number> {
	const { positional, values } = readFlags(argv, FLAGS);
	noFurtherWords("triage list", positional);
	const { records, unreadable } = await withRepository(values, async ({ root }) =>
		new RecordStore(triageFolder(dataRoot(), root)).all(),
	);
	const holding = new Map<string, { readonly status: string; readonly createdAt: string }>();
	for (const record of records) {
		if (record.recordType !== "decision" || isExpired(record)) continue;
		if ((holding.get(record.finding)?.createdAt ?? "") <= record.createdAt) holding.set(record.finding, record);
	}
	const findings = records
		.filter((record) => record.recordType === "finding")
		.map((finding) => ({
			recordId: finding.recordId,
			severity: finding.vuln.severity,
			decision: holding.get(finding.recordId)?.status ?? null,
			where: whereOf(finding) ?? null,
			title: finding.vuln.title,
		}))
		.sort((a, b) => SEVERITIES.indexOf(a.severity) - SEVERITIES.indexOf(b.severity));
	const rows = findings.map(({ recordId, severity, decision, where, title }) => [
		recordId,
		severity,
		decision ?? "open",
		where ?? "",
		title,
	]);
	if (values.json === true) terminal.out(JSON.stringify(findings));
	else if (rows.length > 0)
		terminal.out(
			tableLines(["FINDING", "SEVERITY", "DECISION", "WHERE", "TITLE"], rows, 120).map(plainText).join("\n"),
		);
	else terminal.out("no findings; pairofcleats triage ingest takes some in");
	if (unreadable.length === 0) return EXIT.done;
	warn(terminal, unreadableRecords(unreadable));
	return EXIT.failed;
}
