import { existsSync } from "node:fs";
import { join } from "node:path";
import { userFolder } from "libmcp/launch";

/** Where Holdfast keeps what it was told and what it must remember. */
export type Folders = { readonly config: string; readonly state: string };

export function folders(environment: NodeJS.ProcessEnv = process.env): Folders {
	return { config: userFolder("config", environment), state: userFolder("state", environment) };
}

/** The servers behind the gateway, in the gateway's own format: the file that is there, or the one that would be. */
export function configFile(found: Folders): string {
	const [standard = "", ...others] = ["json", "yaml", "yml"].map((kind) => join(found.config, `metatools.${kind}`));
	return [standard, ...others].find((file) => existsSync(file)) ?? standard;
}

/** What clients' files were before we changed them. */
export function backupFolder(found: Folders): string {
	return join(found.state, "backups");
}
