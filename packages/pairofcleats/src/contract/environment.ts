import { homedir } from "node:os";
import { join } from "node:path";

/** The one place where this package reads the environment. */
export function cacheRoot(): string {
	return (
		process.env.PAIROFCLEATS_CACHE_ROOT ?? join(process.env.XDG_CACHE_HOME ?? join(homedir(), ".cache"), "pairofcleats")
	);
}

/** A model file or folder to use instead of the one in the model cache. */
export function modelPath(): string | undefined {
	return process.env.PAIROFCLEATS_MODEL;
}
