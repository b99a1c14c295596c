import { readdirSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import { indexFolder } from "../store/indexFolder.ts";
import type { ToolHandler } from "../workspace/toolCall.ts";

export const handler: ToolHandler<"report_artifacts"> = async ({ allRepos }, call) => {
	const { label, root } = await call.repository();
	const { cacheRoot } = call.workspace;
	const folder = indexFolder(cacheRoot, root);
	const current = folder.current();
	const files = filesIn(folder.path);
	const artifacts = {
		id: basename(folder.path),
		indexed: current !== undefined,
		...(current !== undefined && { index: basename(current) }),
		files,
		totalBytes: total(files),
	};
	if (allRepos !== true) return { repo: label, artifacts };
	const repositories = namesIn(join(cacheRoot, "repos")).map((id) => ({
		id,
		totalBytes: total(filesIn(join(cacheRoot, "repos", id))),
	}));
	return { repo: label, artifacts, repositories };
};

type Artifact = { readonly name: string; readonly bytes: number };

/** Every file under a folder with its size, names relative to it. */
function filesIn(folder: string, prefix = ""): Artifact[] {
	return namesIn(folder).flatMap((name) => {
		const path = join(folder, name);
		const stat = statSync(path, { throwIfNoEntry: false });
		if (stat === undefined) return [];
		if (stat.isDirectory()) return filesIn(path, `${prefix}${name}/`);
		return [{ name: prefix + name, bytes: stat.size }];
	});
}

function namesIn(folder: string): string[] {
	try {
		return readdirSync(folder).sort();
	} catch {
		// Nothing was built yet.
		return [];
	}
}

function total(files: readonly Artifact[]): number {
	return files.reduce((sum, { bytes }) => sum + bytes, 0);
}
