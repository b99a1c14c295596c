import { unescape as decoded } from "node:querystring";
import type { UpstreamSpec } from "./spec.ts";

const SECRET_NAME = /pass|secret|token|key|auth|credential|cookie|signature|bearer|session|pwd/i;

/** The secrets in a server's configuration, which failing servers tend to quote in their errors. */
export function configuredSecrets(spec: UpstreamSpec): readonly string[] {
	if (spec.kind === "unusable") return [];
	if (spec.kind === "stdio") return [...valuesOf(Object.entries(spec.env)), ...argumentSecrets(spec.args)];
	const url = URL.parse(spec.url);
	const credentials = spec.oauthClient !== undefined && "secret" in spec.oauthClient ? spec.oauthClient.secret : "";
	return [
		// All headers: a header configured by hand is nearly always a credential.
		...Object.values(spec.headers).flatMap((value) => [value, value.replace(/^\S+\s+/, "")]),
		...(url === null ? [] : [decoded(url.password), ...valuesOf([...url.searchParams])]),
		credentials ?? "",
	];
}

function valuesOf(entries: readonly (readonly [name: string, value: string])[]): string[] {
	return entries.filter(([name]) => SECRET_NAME.test(name)).map(([, value]) => value);
}

/** `--token x` and `--token=x`. */
function argumentSecrets(args: readonly string[]): string[] {
	return args.flatMap((arg, index) => {
		const [flag = "", ...value] = arg.split("=");
		if (!flag.startsWith("-") || !SECRET_NAME.test(flag)) return [];
		return value.length > 0 ? [value.join("=")] : [args[index + 1] ?? ""];
	});
}
