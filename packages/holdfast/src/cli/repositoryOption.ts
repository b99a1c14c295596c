import { UsageError } from "libmcp/command";
import { findRepositoryProblem } from "../up/productConfig.ts";
import { came } from "./came.ts";

/** The folder that `--repo` names, or this one. */
export function repositoryOption({ repo, bare }: { readonly repo?: string; readonly bare: boolean }): string {
	const problem = repo === undefined || bare ? undefined : findRepositoryProblem(repo);
	if (problem !== undefined) throw new UsageError(`--repo: expected ${problem}, got ${came(repo)}`);
	return repo ?? process.cwd();
}
