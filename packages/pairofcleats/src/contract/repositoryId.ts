import { createHash } from "node:crypto";
import { basename } from "node:path";

/** The name of a repository's folder in the cache: readable, and unique even for repositories with the same name. */
export function repositoryId(root: string): string {
	const digest = createHash("sha256").update(root).digest("hex").slice(0, 12);
	return `${basename(root).replace(/[^\w.-]/g, "_") || "root"}-${digest}`;
}
