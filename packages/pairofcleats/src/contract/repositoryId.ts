import { createHash } from "node:crypto";
import { basename } from "node:path";

/** A folder name for what is kept of a repository: readable, and different for two of the same name. */
export function repositoryId(root: string): string {
	const digest = createHash("sha256").update(root).digest("hex").slice(0, 12);
	return `${basename(root).replace(/[^\w.-]/g, "_") || "root"}-${digest}`;
}
