import type { Finding } from "./record.ts";

/** The subject of a finding, in short: its package, its line, or its machine. */
export function whereOf({ package: affected, location, asset }: Finding): string | undefined {
	if (affected !== undefined) return [affected.name, affected.installedVersion].filter(Boolean).join("@");
	if (location === undefined) return asset?.assetId;
	return [location.path, location.startLine].filter(Boolean).join(":");
}
