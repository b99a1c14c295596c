import { unescape as decoded } from "node:querystring";
import type { UpstreamSpec } from "./spec.ts";

const SECRET_NAME = /pass|secret|token|key|auth|credential|cookie|signature|bearer|session|pwd/i;
/** Variables that most users have set and that say where something runs. */
const USUAL_VARIABLE =
	/^(HOME|PATH|(OLD)?PWD|USER(NAME)?|LOGNAME|HOST(NAME)?|SHELL|LANG(UAGE)?|TERM|TZ|LC_\w+|XDG_\w+)$/;
const SHORTEST_VALUE = 8;

/** The secrets in a server's configuration, which failing servers tend to quote in their errors. */
export function configuredSecrets(spec: UpstreamSpec): readonly string[] {
	if (spec.kind === "unusable") return [];
	const given = variableSecrets(Object.entries(spec.variables ?? {}));
	if (spec.kind === "stdio") return [...given, ...valuesOf(Object.entries(spec.env)), ...argumentSecrets(spec.args)];
	const url = URL.parse(spec.url);
	const credentials = spec.oauthClient !== undefined && "secret" in spec.oauthClient ? spec.oauthClient.secret : "";
	return [
		...given,
		// All headers: a header configured by hand is nearly always a credential.
		...Object.values(spec.headers).flatMap((value) => [value, value.replace(/^\S+\s+/, "")]),
		...(url === null ? [] : urlSecrets(url)),
		credentials ?? "",
	];
}

/** A secret is kept in a variable of any name, so all values count but those that are plainly something else. */
function variableSecrets(entries: readonly (readonly [name: string, value: string])[]): string[] {
	return entries
		.filter(([name]) => !USUAL_VARIABLE.test(name))
		.flatMap(([name, value]) => {
			if (SECRET_NAME.test(name)) return [value];
			const url = /^\w[\w+.-]*:\/\//.test(value) ? URL.parse(value) : null;
			if (url !== null) return urlSecrets(url);
			return value.length < SHORTEST_VALUE || isPath(value) ? [] : [value];
		});
}

function isPath(value: string): boolean {
	return /^(~|\.{1,2})?\/|^[A-Za-z]:[\\/]/.test(value);
}

function urlSecrets(url: URL): string[] {
	return [decoded(url.password), ...valuesOf([...url.searchParams])];
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
