import { invalidField } from "../contract/errors.ts";
import type { ToolArgumentsOf } from "../registry/registry.ts";
import type { ToolHandler } from "../workspace/toolCall.ts";
import { findAssetFolder } from "./assetFolder.ts";
import { type Fetched, fetchAsset } from "./fetchAsset.ts";
import { DICTIONARIES, findPinnedSource, readOwnSource, type Source } from "./source.ts";

export const handler: ToolHandler<"download_dictionaries"> = async (args, call) => {
	const folder = findAssetFolder(call.workspace.cacheRoot, "dictionaries", args.dir, "dir");
	const downloads: Fetched[] = [];
	for (const source of wanted(args)) {
		downloads.push(
			await fetchAsset({
				source,
				folder,
				file: `${source.name}.txt`,
				force: args.force === true,
				update: args.update === true,
				signal: call.signal,
				progress: call.progress,
			}),
		);
	}
	return { downloads };
};

function wanted({ url, lang, allowUnverified }: ToolArgumentsOf<"download_dictionaries">): Source[] {
	if (url !== undefined) {
		const urls = typeof url === "string" ? [url] : url;
		return urls.map((one, index) => readOwnSource(`url/${index}`, one, allowUnverified === true));
	}
	const languages = (lang ?? "en").split(",").map((one) => one.trim());
	return languages.map((language) => {
		const source = findPinnedSource(DICTIONARIES, language);
		if (source === undefined) throw invalidField("lang", `one of ${Object.keys(DICTIONARIES).join(", ")}`, language);
		return source;
	});
}
