import { invalidField } from "../contract/errors.ts";
import type { ToolHandler } from "../workspace/toolCall.ts";
import { assetFolder } from "./assetFolder.ts";
import { type Fetched, fetchAsset } from "./fetchAsset.ts";
import { DICTIONARIES, pinnedSource, readOwnSource, type Source } from "./source.ts";

export const handler: ToolHandler = async (args, call) => {
	const folder = assetFolder(call.workspace.cacheRoot, "dictionaries", args.dir, "dir");
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

function wanted(args: Readonly<Record<string, unknown>>): Source[] {
	if (args.url !== undefined) {
		const urls = Array.isArray(args.url) ? args.url.map(String) : [String(args.url)];
		return urls.map((url, index) => readOwnSource(`url/${index}`, url, args.allowUnverified === true));
	}
	const languages = String(args.lang ?? "en")
		.split(",")
		.map((lang) => lang.trim());
	return languages.map((lang) => {
		const source = pinnedSource(DICTIONARIES, lang);
		if (source === undefined) throw invalidField("lang", `one of ${Object.keys(DICTIONARIES).join(", ")}`, lang);
		return source;
	});
}
