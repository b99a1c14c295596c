import { CleatsError, invalidField } from "../contract/errors.ts";
import type { ToolArgumentsOf } from "../registry/registry.ts";
import type { ToolHandler } from "../workspace/toolCall.ts";
import { findAssetFolder } from "./assetFolder.ts";
import { fetchAsset } from "./fetchAsset.ts";
import { EXTENSIONS, findPinnedSource, readOwnSource, type Source } from "./source.ts";

export const PROVIDER = "sqlite-vec";

export const handler: ToolHandler<"download_extensions"> = async (args, call) => {
	const folder = findAssetFolder(call.workspace.cacheRoot, "extensions", args.dir, "dir");
	const source = args.url === undefined ? pinned(args) : readOwnSource("url", args.url, args.allowUnverified === true);
	const fetched = await fetchAsset({
		source,
		folder,
		file: fileName(args.out, source),
		force: args.force === true,
		update: args.update === true,
		signal: call.signal,
		progress: call.progress,
	});
	return { downloads: [fetched] };
};

function pinned(args: ToolArgumentsOf<"download_extensions">): Source {
	const provider = args.provider ?? PROVIDER;
	if (provider !== PROVIDER) throw invalidField("provider", PROVIDER, provider);
	const platform = platformKey(args);
	const source = findPinnedSource(EXTENSIONS, platform);
	if (source !== undefined) return source;
	throw new CleatsError("CAPABILITY_MISSING", `${PROVIDER} is not published for ${platform}`, {
		platforms: Object.keys(EXTENSIONS),
	});
}

function platformKey({
	platform = process.platform,
	arch = process.arch,
}: Pick<ToolArgumentsOf<"download_extensions">, "platform" | "arch">): string {
	return `${platform}-${arch}`;
}

function fileName(out: string | undefined, source: Source): string {
	const name = out ?? source.member?.split("/").at(-1) ?? new URL(source.url).pathname.split("/").at(-1) ?? source.name;
	if (!/^[\w][\w.-]{0,80}$/.test(name)) throw invalidField("out", "a plain file name", out);
	return name;
}
