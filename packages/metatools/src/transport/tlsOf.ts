import { readTls } from "libmcp/http";
import type { Settings } from "../config/settings.ts";
import type { SiteOptions } from "./site.ts";

/** The certificate that the settings ask for; throws an Error that names what is missing or does not fit. */
export function tlsOf(settings: Settings): Pick<SiteOptions, "tls"> {
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
