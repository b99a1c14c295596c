import { existsSync } from "node:fs";
import { join } from "node:path";
import { userFolder } from "libmcp/command";

/** Holdfast's configuration and state folders. */
export type Folders = { readonly config: string; readonly state: string };

export function folders(): Folders {
	return { config: userFolder("config"), state: userFolder("state") };
}

/** The gateway's configuration file: the existing one, or the path where it would be created. */
export function configFile(found: Folders): string {
	const [standard = "", ...others] = ["json", "yaml", "yml"].map((kind) => join(found.config, `metatools.${kind}`));
	return [standard, ...others].find((file) => existsSync(file)) ?? standard;
}

/** Holds copies of clients' configuration files from before Holdfast changed them. */
export function backupFolder(found: Folders): string {
	return join(found.state, "backups");
}
