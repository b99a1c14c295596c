import { existingFolder } from "../repo/existingFolder.ts";
import { openRepository } from "../repo/openRepository.ts";
import type { OpenOptions, Repository } from "../repo/repository.ts";
import { type ReadFlags, textFlag } from "./flags.ts";

/** A command sees the disk as it is now: every answer is preceded by a check. */
export async function withRepository<Value>(
	values: ReadFlags["values"],
	body: (repository: Repository) => Promise<Value>,
	options: OpenOptions = {},
): Promise<Value> {
	const folder = textFlag(values, "repoPath");
	if (folder !== undefined) existingFolder(folder);
	const repository = openRepository(folder ?? process.cwd(), { freshnessMs: 0, ...options });
	try {
		return await body(repository);
	} finally {
		await repository.close();
	}
}
