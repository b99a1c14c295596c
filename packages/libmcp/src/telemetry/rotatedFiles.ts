import { readdirSync } from "node:fs";
import { basename, dirname, join } from "node:path";

/** The name that a full log is renamed to. It is unique, since renaming onto an older file would erase that one. */
export function rotatedName(path: string): string {
	const stamp = new Date().toISOString().replace(/[-:.]/g, "");
	return `${path}.${stamp}-${process.pid}-${process.hrtime.bigint()}`;
}

/** The rotated files of a log, oldest first. Those of a server called `a.jsonl` do not belong to the log of `a`. */
export function rotatedFiles(path: string): string[] {
	const [folder, prefix] = [dirname(path), `${basename(path)}.`];
	return readdirSync(folder)
		.filter((name) => name.startsWith(prefix) && ROTATION.test(name.slice(prefix.length)))
		.sort()
		.map((name) => join(folder, name));
}

const ROTATION = /^\d{8}T\d{9}Z-\d+-\d+$/;
