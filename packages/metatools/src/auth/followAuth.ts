import { isDeepStrictEqual } from "node:util";
import type { JsonObject } from "../contract/json.ts";
import type { SiteRules } from "../transport/site.ts";
import { readAuth } from "./readAuth.ts";

/** The rules of an `auth` section that may be another one from the next request on; the same object as long as it is not. */
export function followAuth(section: () => JsonObject): () => SiteRules {
	let seen = section();
	let rules = readAuth(seen);
	return () => {
		const now = section();
		// What was counted and fetched under the rules stays while they do.
		if (now !== seen && !isDeepStrictEqual(now, seen)) rules = readAuth(now);
		seen = now;
		return rules;
	};
}
