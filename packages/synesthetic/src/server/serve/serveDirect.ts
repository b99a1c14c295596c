import { setFlagsFromString } from "node:v8";
import type { Settings } from "../../settings.ts";
import { InProcessHandler } from "../dispatch/inProcessHandler.ts";
import { holdConversation } from "./converse.ts";
import { openAssets } from "./serveAsWorker.ts";

// A request leaves little garbage, so waking other threads to collect it costs more than it saves. The text module is
// small and soon hot, so it skips the baseline compiler.
const FLAGS = "--no-parallel-scavenge --semi-space-growth-factor=1 --no-liftoff";

/** Serves stdin and stdout from this process alone. */
export function serveDirect(settings: Settings): Promise<number> {
	setFlagsFromString(FLAGS);
	const assets = openAssets(settings);
	return holdConversation((write) => new InProcessHandler(assets, write, { hosted: false }), {
		readyFile: settings.readyFile,
		announced: true,
	});
}
