import { readFileSync, readlinkSync } from "node:fs";
import { basename } from "node:path";

/** Who started a process and in which folder, to tell hosts of one name apart; `undefined` if the system hides it. */
export function processOrigin(pid: number): string | undefined {
	const parent = known(() => /^PPid:\t(\d+)$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]);
	// Its first thread's name is Node's own, not the program's.
	const starter = known(
		() => basename(readFileSync(`/proc/${parent ?? ""}/cmdline`, "utf8").split("\0")[0] ?? "") || undefined,
	);
	const folder = known(() => readlinkSync(`/proc/${pid}/cwd`));
	const parts = [
		...(starter === undefined ? [] : [`started by ${starter} (${parent})`]),
		...(folder === undefined ? [] : [`runs in ${folder}`]),
	];
	return parts.length === 0 ? undefined : parts.join(", ");
}

function known(read: () => string | undefined): string | undefined {
	try {
		return read();
	} catch {
		return undefined;
	}
}
