import * as nodeModule from "node:module";
import { join } from "node:path";
import { findUserFolder, isOutOfReach, makePrivateFolder } from "./folders.ts";

/**
 * Lets Node keep what it has compiled, in a folder that is this user's alone. Left to itself, Node takes a folder of a
 * known name among everybody's temporary files; whoever makes that first can leave code there, which then runs as this user.
 */
export function enableCompileCache(): void {
	// Node has already taken the folder that the user names there.
	if (process.env.NODE_COMPILE_CACHE) return;
	try {
		const folder = join(findUserFolder("cache"), "compiled");
		makePrivateFolder(folder);
		if (isOutOfReach(folder)) nodeModule.enableCompileCache?.(folder);
	} catch {
		// No home, a read-only disk or a folder of somebody else's: everything works without a cache, only slower.
	}
}
