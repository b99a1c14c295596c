import { existsSync } from "node:fs";
import { join } from "node:path";

/** Whether a folder or one above it is a git repository. */
export function insideRepository(root: string): boolean {
	for (let folder = root; ; ) {
		if (existsSync(join(folder, ".git"))) return true;
		const parent = join(folder, "..");
		if (parent === folder) return false;
		folder = parent;
	}
}
