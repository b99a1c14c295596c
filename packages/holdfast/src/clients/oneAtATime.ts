import { join } from "node:path";
import { inTurn } from "libmcp/command";
import { findFolders } from "../config/installation.ts";

/** Makes a change to agents' files, the gateway's file or their backups while no other command makes one. */
export async function oneAtATime<Value>(change: () => Value): Promise<Value> {
	return inTurn(join(findFolders().state, "changing"), change);
}
