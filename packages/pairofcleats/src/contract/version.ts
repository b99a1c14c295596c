import { readFileSync } from "node:fs";
import { join } from "node:path";

/** The version of the installed package; every surface reports this one. */
export const VERSION: string = readVersion();

function readVersion(): string {
	const manifest: unknown = JSON.parse(readFileSync(join(import.meta.dirname, "../../package.json"), "utf8"));
	const version =
		typeof manifest === "object" && manifest !== null && "version" in manifest ? manifest.version : undefined;
	if (typeof version !== "string") throw new Error("package.json: expected a version");
	return version;
}

/** Version of the contract: tool definitions, envelopes, error codes. The governance check says when it must rise. */
export const SCHEMA_VERSION = "2.0.0";
/** Version of the package, as answers tell it. */
export const TOOLING_VERSION: string = VERSION;

/** What the legacy transport calls its schema version: a whole number that never falls. */
export const SCHEMA_MAJOR = Number(SCHEMA_VERSION.split(".", 1)[0]);
