import { closeSync, openSync, readSync } from "node:fs";
import { join } from "node:path";
import { fileName, parseRecord, stateFolder } from "libmcp/control";

/** The name that a host or server was given, where its files had to be called otherwise; the first line of its log has it. */
export function ownName(inFiles: string): string {
	if (!REDUCED.test(inFiles)) return inFiles;
	const record = parseRecord(firstLine(join(stateFolder(), `${inFiles}.jsonl`)));
	return record?.event === "log_opened" && fileName(record.name) === inFiles ? record.name : inFiles;
}

const REDUCED = /-[0-9a-f]{6}$/;
const LONGEST = 65_536;

/** Nothing, where there is no log or it cannot be read. */
function firstLine(path: string): string {
	let fd: number | undefined;
	try {
		fd = openSync(path, "r");
		const bytes = Buffer.alloc(LONGEST);
		const [line = ""] = bytes.toString("utf8", 0, readSync(fd, bytes)).split("\n", 1);
		return line;
	} catch {
		return "";
	} finally {
		if (fd !== undefined) closeSync(fd);
	}
}
