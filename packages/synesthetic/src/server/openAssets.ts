import { Assets } from "../assets.ts";
import type { Settings } from "../settings.ts";
import { log } from "./log.ts";

/** Reads all files and logs the ones it skipped. */
export function openAssets(settings: Settings): Assets {
	const assets = new Assets(settings);
	for (const { path, reason } of assets.catalog.skipped)
		log(`skipped path=${JSON.stringify(path)} reason=${JSON.stringify(reason)}`);
	return assets;
}
