import { accessSync, constants, existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { failureText, userFolder } from "libmcp/command";

/** Holdfast's configuration and state folders. */
export type Folders = { readonly config: string; readonly state: string };

export function findFolders(): Folders {
	return { config: userFolder("config"), state: userFolder("state") };
}

/** The gateway's configuration file: the existing one, or the path where it would be created. */
export function findConfigFile(found: Folders): string {
	const [standard = "", ...others] = ["json", "yaml", "yml"].map((kind) => join(found.config, `metatools.${kind}`));
	return [standard, ...others].find((file) => existsSync(file)) ?? standard;
}

/** Holds copies of clients' configuration files from before Holdfast changed them. */
export function findBackupFolder(found: Folders): string {
	return join(found.state, "backups");
}

/** The folder for servers' telemetry; `undefined` without a state folder, as in some services and containers. */
export function findTelemetryFolder(log: (line: string) => void): string | undefined {
	try {
		return userFolder("state");
	} catch (error) {
		log(`no telemetry file is written: ${failureText(error)}`);
		return undefined;
	}
}

/** The package's version, from its manifest. */
export function readVersion(): string {
	const manifest: unknown = JSON.parse(readFileSync(join(import.meta.dirname, "../../package.json"), "utf8"));
	const found = typeof manifest === "object" && manifest !== null && "version" in manifest ? manifest.version : "";
	return String(found);
}

/** What was expected of a folder that cannot be searched. An unreadable one would look empty, and its server not start. */
export function findRepositoryProblem(path: string): string | undefined {
	if (statSync(path, { throwIfNoEntry: false })?.isDirectory() !== true) return "the folder of a repository";
	try {
		accessSync(path, constants.R_OK | constants.X_OK);
		return undefined;
	} catch {
		return "the folder of a repository that you may read";
	}
}
