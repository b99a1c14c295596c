import { homedir } from "node:os";
import { join } from "node:path";

/** Where Holdfast keeps what it was told and what it must remember. */
export type Folders = { readonly config: string; readonly state: string };

export function folders(environment: NodeJS.ProcessEnv = process.env): Folders {
	const home = environment.HOME ?? homedir();
	return {
		config: join(environment.XDG_CONFIG_HOME || join(home, ".config"), "holdfast"),
		state: join(environment.XDG_STATE_HOME || join(home, ".local", "state"), "holdfast"),
	};
}

/** The servers behind the gateway, in the gateway's own format. */
export function configFile(found: Folders): string {
	return join(found.config, "metatools.json");
}

/** What clients' files were before we changed them. */
export function backupFolder(found: Folders): string {
	return join(found.state, "backups");
}
