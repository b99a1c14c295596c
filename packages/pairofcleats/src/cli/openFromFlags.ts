import { openRepository } from "../repo/openRepository.ts";
import type { OpenOptions, Repository } from "../repo/repository.ts";
import type { ReadFlags } from "./flags.ts";
import { folderOf } from "./folderOf.ts";

/** Opens the repository for one command, which checks the index against the disk before every answer. */
export async function withRepository<Value>(
	values: ReadFlags["values"],
	body: (repository: Repository) => Promise<Value>,
	options: OpenOptions = {},
): Promise<Value> {
	const repository = openRepository(folderOf(values), { freshnessMs: 0, ...options });
	try {
		return await body(repository);
	} finally {
		await repository.close();
	}
}
