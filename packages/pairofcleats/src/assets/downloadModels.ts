import { CleatsError, invalidField } from "../contract/errors.ts";
import type { ToolArgumentsOf } from "../registry/registry.ts";
import type { ToolHandler } from "../workspace/toolCall.ts";
import { findAssetFolder } from "./assetFolder.ts";
import { fetchAsset } from "./fetchAsset.ts";
import { findPinnedSource, MODELS, readOwnSource, type Source } from "./source.ts";

/** The engine prefers a cached model of this name to the one shipped with the package. */
const DEFAULT_FILE = "default";

export const handler: ToolHandler<"download_models"> = async (args, call) => {
	const folder = findAssetFolder(call.workspace.cacheRoot, "models", args.cacheDir, "cacheDir");
	const source = wanted(args);
	if (source === undefined) {
		return { downloads: [], note: "the table this package searches with is inside it; name a url to use another" };
	}
	const fetched = await fetchAsset({
		source,
		folder,
		file: DEFAULT_FILE,
		force: args.force === true,
		update: args.update === true,
		signal: call.signal,
		progress: call.progress,
		check: checkModel,
	});
	return { downloads: [fetched] };
};

function wanted({ model, url, allowUnverified }: ToolArgumentsOf<"download_models">): Source | undefined {
	if (url !== undefined) return readOwnSource("url", url, allowUnverified === true);
	if (model === undefined) return undefined;
	const source = findPinnedSource(MODELS, model);
	if (source !== undefined) return source;
	const names = Object.keys(MODELS).join(", ") || "none, since nothing is pinned; use url";
	throw invalidField("model", `one of ${names}`, model);
}

/** Rejects a file that is not a model table before it replaces the current one. */
async function checkModel(path: string): Promise<void> {
	const { readModel } = await import("../vectors/readModel.ts");
	try {
		readModel(path);
	} catch (error) {
		throw new CleatsError(
			"DOWNLOAD_VERIFY_FAILED",
			`the file is no model: ${error instanceof Error ? error.message : String(error)}`,
		);
	}
}
