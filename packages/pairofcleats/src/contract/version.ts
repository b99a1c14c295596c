import { readFileSync } from "node:fs";

/** The version of the installed package; every surface reports this one. */
export const VERSION: string = readVersion();

function readVersion(): string {
	const manifest: unknown = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8"));
	const version =
		typeof manifest === "object" && manifest !== null && "version" in manifest ? manifest.version : undefined;
	if (typeof version !== "string") throw new Error("package.json: expected a version");
	return version;
}
