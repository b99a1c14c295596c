import { fstatSync } from "node:fs";

/** Whether a descriptor is a pipe, or what stands for one, that can be read and written past its stream. */
export function isPipe(descriptor: number): boolean {
	const stat = fstatSync(descriptor);
	return process.platform !== "win32" && (stat.isFIFO() || stat.isSocket());
}
