import { setFlagsFromString } from "node:v8";
import type { Settings } from "../settings.ts";
import { converse } from "./converse.ts";
import { LocalClerk } from "./localClerk.ts";
import { openAssets } from "./openAssets.ts";

// What a request leaves behind is little: waking other threads to collect it costs more than collecting it. The module that
// reads text is small and soon hot: it is compiled once and well.
const FLAGS = "--no-parallel-scavenge --semi-space-growth-factor=1 --no-liftoff";

/** Serves stdin and stdout from this process alone. */
export function serveDirect(settings: Settings): Promise<number> {
	setFlagsFromString(FLAGS);
	const assets = openAssets(settings);
	return converse((write) => new LocalClerk(assets, write, { hosted: false }), {
		readyFile: settings.readyFile,
		announced: true,
	});
}
