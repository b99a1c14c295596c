import { statSync, writeFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { countText, plainText, tableLines } from "libmcp";
import { folded, replaceFile, UsageError, widthOf } from "libmcp/command";
import { dataRoot } from "../../contract/environment.ts";
import { CleatsError, storageTrouble } from "../../contract/errors.ts";
import { triageFolder } from "../../index/recordFiles.ts";
import { describePlace, findDecisionInForce, SEVERITIES } from "../../records/record.ts";
import { describeUnreadable, RecordStore } from "../../triage/recordStore.ts";
import { exportRecords, importRecords } from "../../triage/transferRecords.ts";
import { type FlagTable, quoteWord, readFlags, refuseFurtherWords } from "../flags.ts";
import { withRepository } from "../repositoryCommand.ts";
import { EXIT, type Terminal, warn } from "../terminal.ts";

const LIST_FLAGS: FlagTable = {
	"--repo": { name: "repoPath", takes: "value" },
	"--json": { name: "json", takes: "boolean" },
};

/** `triage list`: every finding of the repository, the worst first and the settled ones last, with the decision that holds. */
export async function listFindings(argv: readonly string[], terminal: Terminal): Promise<number> {
	const { positional, values } = readFlags(argv, LIST_FLAGS);
	refuseFurtherWords("triage list", positional);
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

const TRANSFER_FLAGS: FlagTable = {
	"--repo": { name: "repoPath", takes: "value" },
	"--json": { name: "json", takes: "boolean" },
};

/** `triage export <file>` and `triage import <file>`: every record of the repository as JSON Lines. */
export async function transferRecords(
	action: "export" | "import",
	argv: readonly string[],
	terminal: Terminal,
): Promise<number> {
	const { positional, values } = readFlags(argv, TRANSFER_FLAGS);
	const [file] = positional;
	if (file === undefined || positional.length > 1)
		throw new UsageError(`triage ${action}: expected <file>, got ${quoteWord(positional.join(" "))}`);
	const store = await withRepository(values, async ({ root }) => new RecordStore(triageFolder(dataRoot(), root)));
	const json = values.json === true;
	return action === "export" ? write(store, file, json, terminal) : read(store, file, json, terminal);
}

async function write(store: RecordStore, file: string, json: boolean, terminal: Terminal): Promise<number> {
	const { text, records, unreadable } = exportRecords(store);
	try {
		// Readable only by its owner: findings tell where a system is vulnerable.
		if (isReplaceable(file)) replaceFile(file, text, 0o600);
		else writeFileSync(file, text);
	} catch (cause) {
		throw unusable(file, "written", cause);
	}
	const said = json ? JSON.stringify({ file, records }) : `${countText(records, "record")} written to ${file}`;
	// Of what is no plain file, the reader may be the same as that of this line.
	if (isReplaceable(file)) terminal.out(said);
	else terminal.error(said);
	if (unreadable.length === 0) return EXIT.done;
	warn(terminal, describeUnreadable(unreadable));
	return EXIT.failed;
}

async function read(store: RecordStore, file: string, json: boolean, terminal: Terminal): Promise<number> {
	const text = await readFile(file, "utf8").catch((cause: unknown) => {
		throw unusable(file, "read", cause);
	});
	const report = importRecords(store, text);
	if (json) terminal.out(JSON.stringify(report));
	else {
		const { created, updated, kept, errors } = report;
		terminal.out(`${created} new, ${updated} updated, ${kept} there already, ${countText(errors.length, "bad line")}`);
		const rows = errors.map(({ line, message }) => [line, message]);
		if (rows.length > 0) terminal.out(["", ...tableLines(["LINE", "PROBLEM"], rows, 400)].map(plainText).join("\n"));
	}
	return report.errors.length > 0 ? EXIT.failed : EXIT.done;
}

/** What is no plain file, such as `/dev/stdout` or a pipe, is written to, not replaced. */
function isReplaceable(file: string): boolean {
	return statSync(file, { throwIfNoEntry: false })?.isFile() ?? true;
}

function unusable(file: string, verb: "read" | "written", cause: unknown): CleatsError {
	const trouble = storageTrouble(cause);
	return new CleatsError(
		"NOT_FOUND",
		`file: expected a file that can be ${verb}, got ${JSON.stringify(file)}${trouble === undefined ? "" : ` (${trouble})`}`,
		{ field: "file" },
		{ cause },
	);
}
