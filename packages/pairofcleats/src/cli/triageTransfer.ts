import { statSync, writeFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { countText, plainText, tableLines } from "libmcp";
import { replaceFile, UsageError } from "libmcp/command";
import { dataRoot } from "../contract/environment.ts";
import { CleatsError } from "../contract/errors.ts";
import { storageTrouble } from "../contract/storageTrouble.ts";
import { triageFolder } from "../index/recordFiles.ts";
import { describeUnreadable, RecordStore } from "../triage/recordStore.ts";
import { exportRecords, importRecords } from "../triage/transferRecords.ts";
import { EXIT } from "./exit.ts";
import { type FlagTable, quoted, readFlags } from "./flags.ts";
import { withRepository } from "./openFromFlags.ts";
import { type Terminal, warn } from "./terminal.ts";

const FLAGS: FlagTable = {
	"--repo": { name: "repoPath", takes: "value" },
	"--json": { name: "json", takes: "boolean" },
};

/** `triage export <file>` and `triage import <file>`: every record of the repository as JSON Lines. */
export async function transfer(
	action: "export" | "import",
	argv: readonly string[],
	terminal: Terminal,
): Promise<number> {
	const { positional, values } = readFlags(argv, FLAGS);
	const [file] = positional;
	if (file === undefined || positional.length > 1)
		throw new UsageError(`triage ${action}: expected <file>, got ${quoted(positional.join(" "))}`);
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
