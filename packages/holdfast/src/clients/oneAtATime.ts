import { join } from "node:path";
import { inTurn } from "libmcp/command";
import { folders } from "../config/folders.ts";

/** Makes a change to agents' files, the gateway's file or their backups while no other command makes one. */
export async function oneAtATime<Value>(change: () => Value): Promise<Value> {
	return inTurn(join(folders().state, "changing"), change);
}
