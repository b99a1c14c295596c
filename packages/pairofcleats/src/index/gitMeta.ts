export type GitMeta = { readonly branch: string; readonly head: string; readonly files: string };

/** What git knows of the repository, as the index keeps it. */
export async function gitMeta(_root: string, _files: number, _signal?: AbortSignal): Promise<GitMeta> {
	return { branch: "", head: "", files: "{}" };
}
