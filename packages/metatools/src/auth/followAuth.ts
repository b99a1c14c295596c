import { isDeepStrictEqual } from "node:util";
import type { JsonObject } from "../contract/json.ts";
import { readAuth } from "./readAuth.ts";
import type { SiteRules } from "./siteRules.ts";

/** The rules of an `auth` section that a reload can replace; returns the same object until the section changes. */
export function followAuth(section: () => JsonObject): () => SiteRules {
	let seen = section();
	let rules = readAuth(seen);
	return () => {
		const now = section();
		// Keeps rate-limit counts and fetched keys for as long as the rules stay the same.
		if (now !== seen && !isDeepStrictEqual(now, seen)) rules = readAuth(now);
		seen = now;
		return rules;
	};
}
