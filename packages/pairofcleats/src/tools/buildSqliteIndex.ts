import { basename } from "node:path";
import { CleatsError } from "../contract/errors.ts";
import { indexFolder } from "../store/indexFolder.ts";
import type { ToolHandler } from "../workspace/toolCall.ts";
import { build } from "./buildIndex.ts";

export const handler: ToolHandler<"build_sqlite_index"> = async (args, call) => {
	const repository = await call.repository();
	const report = await build(args, call, repository);
	const folder = indexFolder(call.workspace.cacheRoot, repository.root);
	const sqlite = { file: basename(folder.current() ?? ""), bytes: folder.bytes() };
	if (args.validate === false) return { repo: repository.label, build: report, sqlite };
	call.progress({ phase: "validate", message: "Reading the whole index." });
	const { ok, checked, problems } = await repository.engine.validate(call.signal);
	if (!ok) throw new CleatsError("INTERNAL", "the index that was built is not sound", { problems });
	return { repo: repository.label, build: report, sqlite: { ...sqlite, checked } };
};
