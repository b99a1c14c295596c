import { readdirSync } from "node:fs";
import { basename, dirname, join } from "node:path";

/** What a log is renamed to when a new one is begun: a name of its own, since to rename onto an older file would erase it. */
export function rotatedName(path: string): string {
	const stamp = new Date().toISOString().replace(/[-:.]/g, "");
	return `${path}.${stamp}-${process.pid}-${process.hrtime.bigint()}`;
}

/** The paths that a log was renamed to, oldest first. The log of a server called `a.jsonl` is none of `a`. */
export function rotatedFiles(path: string): string[] {
	const [folder, prefix] = [dirname(path), `${basename(path)}.`];
	return readdirSync(folder)
		.filter((name) => name.startsWith(prefix) && ROTATION.test(name.slice(prefix.length)))
		.sort()
		.map((name) => join(folder, name));
}

const ROTATION = /^\d{8}T\d{9}Z-\d+-\d+$/;
