import { Assets } from "../assets.ts";
import { backendUrl } from "../backend/populateBackend.ts";
import type { Settings } from "../settings.ts";
import { log } from "./log.ts";

/** Reads all files, and logs the ones it skipped and an address that no asset can be sent to. */
export function openAssets(settings: Settings): Assets {
	const assets = new Assets(settings);
	for (const { path, reason } of assets.catalog.skipped)
		log(`skipped path=${JSON.stringify(path)} reason=${JSON.stringify(reason)}`);
	const { backendUrl: address, backendAssetsPath } = settings;
	if (address !== undefined && backendUrl(address, backendAssetsPath) === undefined)
		log("SYN_BACKEND_URL: expected an http or https address; populate_backend cannot reach a backend");
	return assets;
}
