import { readFileSync } from "node:fs";

/** The package's version, from its manifest. */
export function version(): string {
	const manifest: unknown = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8"));
	const found = typeof manifest === "object" && manifest !== null && "version" in manifest ? manifest.version : "";
	return String(found);
}
