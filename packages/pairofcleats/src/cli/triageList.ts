import { plainText, tableLines } from "libmcp";
import { folded, widthOf } from "libmcp/command";
import { dataRoot } from "../contract/environment.ts";
import { triageFolder } from "../index/recordFiles.ts";
import { describePlace, findDecisionInForce, SEVERITIES } from "../records/record.ts";
import { describeUnreadable, RecordStore } from "../triage/recordStore.ts";
import { EXIT } from "./exit.ts";
import { type FlagTable, noFurtherWords, readFlags } from "./flags.ts";
import { withRepository } from "./openFromFlags.ts";
import { type Terminal, warn } from "./terminal.ts";

const FLAGS: FlagTable = {
	"--repo": { name: "repoPath", takes: "value" },
	"--json": { name: "json", takes: "boolean" },
};

/** `triage list`: every finding of the repository, the worst first and the settled ones last, with the decision that holds. */
export async function list(argv: readonly string[], terminal: Terminal): Promise<number> {
	const { positional, values } = readFlags(argv, FLAGS);
	noFurtherWords("triage list", positional);
	const { records, unreadable } = await withRepository(values, async ({ root }) =>
		new RecordStore(triageFolder(dataRoot(), root)).all(),
	);
	const holding = Map.groupBy(
		records.filter((record) => record.recordType === "decision"),
		(decision) => decision.finding,
	);
	const findings = records
		.filter((record) => record.recordType === "finding")
		.map((finding) => ({ finding, decision: findDecisionInForce(holding.get(finding.recordId) ?? []) }))
		.map(({ finding, decision }) => ({
			recordId: finding.recordId,
			severity: finding.vuln.severity,
			settled: finding.settled ?? null,
			decision: decision?.status ?? null,
			expiresAt: decision?.expiresAt ?? null,
			where: describePlace(finding) ?? null,
			title: finding.vuln.title,
		}))
		.sort(
			(a, b) =>
				Number(a.settled !== null) - Number(b.settled !== null) ||
				SEVERITIES.indexOf(a.severity) - SEVERITIES.indexOf(b.severity),
		);
	const rows = findings.map(({ recordId, severity, settled, decision, expiresAt, where, title }) => [
		recordId,
		severity,
		settled ?? decision ?? "open",
		// A decision made for a day holds until that day begins.
		settled === null ? (expiresAt?.replace("T00:00:00.000Z", "") ?? "") : "",
		where ?? "",
		title,
	]);
	if (values.json === true) terminal.out(JSON.stringify(findings));
	else if (rows.length > 0) terminal.out(shown(rows, terminal).join("\n"));
	else terminal.out("no findings; pairofcleats triage ingest takes some in");
	if (unreadable.length === 0) return EXIT.done;
	warn(terminal, describeUnreadable(unreadable));
	return EXIT.failed;
}

const HEADINGS = ["FINDING", "SEVERITY", "DECISION", "UNTIL", "WHERE", "TITLE"] as const;
const WIDEST = 120;

/** A table; on a terminal that is too narrow for it, what each finding is about moves below its row. */
function shown(rows: readonly (readonly string[])[], { watched, columns }: Terminal): string[] {
	const whole = tableLines(HEADINGS, rows, WIDEST).map(plainText);
	if (!watched || whole.every((line) => widthOf(line) <= columns)) return whole;
	const [heading = "", ...lines] = tableLines(HEADINGS.slice(0, -2), rows, WIDEST).map(plainText);
	const below = rows.map((row) => `  ${row.slice(-2).filter(Boolean).map(plainText).join("  ")}`);
	return [heading, ...lines.flatMap((line, at) => [line, below[at] ?? ""])].map((line) => folded(line, columns));
}
