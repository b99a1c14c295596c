import { readPolicy } from "../auth/policy.ts";
import { readAuth, type SiteRules } from "../auth/readAuth.ts";
import type { Config } from "../config/load.ts";
import { readQuarantine } from "../quarantine/quarantine.ts";
import { checkStore } from "./openKeeping.ts";
import { checkSite } from "./site.ts";
import { tlsOf } from "./tlsOf.ts";

/** Throws an Error naming the setting that would prevent serving at this address under these rules. */
export function checkServing(
	{ sections, settings }: Config,
	host: string = settings.host,
	rules: SiteRules = readAuth(sections.auth),
): void {
	readPolicy(sections.policy);
	readQuarantine(sections.quarantine, process.env);
	checkSite({ host, ...rules });
	checkStore(settings);
	tlsOf(settings);
}
