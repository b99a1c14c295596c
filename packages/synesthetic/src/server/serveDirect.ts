import { Assets } from "../assets.ts";
import type { Settings } from "../settings.ts";
import { converse, log } from "./converse.ts";
import { LocalClerk } from "./localClerk.ts";

/** Serves stdin and stdout from this process alone; under a host it is the worker, whose client the host is. */
export function serveDirect(settings: Settings, { hosted = false } = {}): Promise<number> {
	const assets = new Assets(settings);
	for (const { path, reason } of assets.catalog.skipped)
		log(`skipped path=${JSON.stringify(path)} reason=${JSON.stringify(reason)}`);
	return converse((write) => new LocalClerk(assets, write, { hosted }), {
		readyFile: hosted ? undefined : settings.readyFile,
		announced: !hosted,
	});
}
