import { readTls } from "libmcp/http";
import { readPolicy } from "../auth/policy.ts";
import { readAuth, type SiteRules } from "../auth/readAuth.ts";
import type { Config } from "../config/load.ts";
import type { Settings } from "../config/settings.ts";
import { readQuarantine } from "../quarantine/quarantine.ts";
import { checkStore } from "./openKeeping.ts";
import { checkSite, type SiteOptions } from "./site.ts";

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
	readTlsFiles(settings);
}

/** The certificate that the settings ask for; throws an Error that names what is missing or does not fit. */
export function readTlsFiles(settings: Settings): Pick<SiteOptions, "tls"> {
	if (!settings.tls) return {};
	const tls = {
		cert: requirePath(settings.tlsCert, "transport.http.tls.cert", "--tls-cert"),
		key: requirePath(settings.tlsKey, "transport.http.tls.key", "--tls-key"),
	};
	readTls(tls);
	return { tls };
}

function requirePath(path: string, key: string, flag: string): string {
	if (path === "") throw new Error(`${key}: expected a file (${flag}) where TLS is on, got nothing`);
	return path;
}
