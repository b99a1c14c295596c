import type { Settings } from "../settings.ts";
import { converse } from "./converse.ts";
import { LocalClerk } from "./localClerk.ts";
import { openAssets } from "./openAssets.ts";

/** Serves stdin and stdout from this process alone. */
export function serveDirect(settings: Settings): Promise<number> {
	const assets = openAssets(settings);
	return converse((write) => new LocalClerk(assets, write, { hosted: false }), {
		readyFile: settings.readyFile,
		announced: true,
	});
}
