import { fstatSync } from "node:fs";

/** Whether a descriptor is a pipe or socket that can be read and written directly, without its stream. */
export function isPipe(descriptor: number): boolean {
	const stat = fstatSync(descriptor);
	return process.platform !== "win32" && (stat.isFIFO() || stat.isSocket());
}
