import { readFileSync } from "node:fs";
import { join } from "node:path";

/** The version of the installed package, as every interface reports it. */
export const VERSION: string = readVersion();

function readVersion(): string {
	const manifest: unknown = JSON.parse(readFileSync(join(import.meta.dirname, "../../package.json"), "utf8"));
	const version =
		typeof manifest === "object" && manifest !== null && "version" in manifest ? manifest.version : undefined;
	if (typeof version !== "string") throw new Error("package.json: expected a version");
	return version;
}

/**
 * Version of the contract: tool definitions, envelopes, error codes. The governance check tells when it must be raised.
 */
export const SCHEMA_VERSION = "2.0.0";
/** Version of the package, as reported in responses. */
export const TOOLING_VERSION: string = VERSION;

/** The schema version reported by the legacy transport: a whole number that never decreases. */
export const SCHEMA_MAJOR = Number(SCHEMA_VERSION.split(".", 1)[0]);
