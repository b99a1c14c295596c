import { readdirSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import { CleatsError } from "../contract/errors.ts";
import type { BuildReport } from "../index/build.ts";
import type { ToolArgumentsOf } from "../registry/registry.ts";
import { openIndexFolder } from "../store/indexFolder.ts";
import type { ToolCall, ToolHandler } from "../workspace/toolCall.ts";
import type { OpenedRepository } from "../workspace/workspace.ts";

export const buildIndex: ToolHandler<"build_index"> = async (args, call) => {
	const repository = await call.repository();
	return { repo: repository.label, build: await runBuild(args, call, repository) };
};

/** Builds in a child process, which the call's signal ends. */
export function runBuild(
	{ incremental, blame }: Pick<ToolArgumentsOf<"build_index">, "incremental" | "blame">,
	call: ToolCall,
	{ engine }: OpenedRepository,
): Promise<BuildReport> {
	const options = typeof blame === "boolean" ? { blame } : {};
	const start = incremental === true ? engine.updateIndex : engine.buildIndex;
	return start(options, (progress) => call.progress(progress), call.signal);
}

export const buildSqliteIndex: ToolHandler<"build_sqlite_index"> = async (args, call) => {
	const repository = await call.repository();
	const report = await runBuild(args, call, repository);
	const folder = openIndexFolder(call.workspace.cacheRoot, repository.root);
	const sqlite = { file: basename(folder.current() ?? ""), bytes: folder.bytes() };
	if (args.validate === false) return { repo: repository.label, build: report, sqlite };
	call.progress({ phase: "validate", message: "Reading the whole index." });
	const { ok, checked, problems } = await repository.engine.validate(call.signal);
	if (!ok) throw new CleatsError("INTERNAL", "the index that was built is not sound", { problems });
	return { repo: repository.label, build: report, sqlite: { ...sqlite, checked } };
};

export const reportArtifacts: ToolHandler<"report_artifacts"> = async ({ allRepos }, call) => {
	const { label, root } = await call.repository();
	const { cacheRoot } = call.workspace;
	const folder = openIndexFolder(cacheRoot, root);
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
