import type { Catalog, SkippedFile } from "../catalog/catalog.ts";
import { printable } from "./terminal.ts";

/** One line for each file that a command would have used, but could not read. */
export function skippedLines({ skipped }: Catalog, kinds: readonly SkippedFile["kind"][]): string[] {
	return skipped
		.filter(({ kind }) => kinds.includes(kind))
		.map(({ path, reason }) => `synesthetic: skipped ${printable(path)}: ${reason}`);
}
