import { readPolicy } from "../auth/policy.ts";
import { readAuth } from "../auth/readAuth.ts";
import type { Config } from "../config/load.ts";
import { readQuarantine } from "../quarantine/quarantine.ts";
import { checkSite, type SiteRules } from "./site.ts";
import { tlsOf } from "./tlsOf.ts";

/** Throws an Error that names what of a configuration a site at this address, by these rules, would stumble over. */
export function checkServing(
	{ sections, settings }: Config,
	host: string = settings.host,
	rules: SiteRules = readAuth(sections.auth),
): void {
	readPolicy(sections.policy);
	readQuarantine(sections.quarantine, process.env);
	checkSite({ host, ...rules });
	tlsOf(settings);
}
