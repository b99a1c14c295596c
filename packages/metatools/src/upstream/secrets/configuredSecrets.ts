import { unescape as decoded } from "node:querystring";
import type { UpstreamSpec } from "../spec.ts";

const SECRET_NAME = /pass|secret|token|key|auth|credential|cookie|signature|bearer|session|pwd/i;
/** Variables that most users have set and that say where something runs. */
const USUAL_VARIABLE =
	/^(HOME|PATH|(OLD)?PWD|USER(NAME)?|LOGNAME|HOST(NAME)?|SHELL|LANG(UAGE)?|TERM|TZ|LC_\w+|XDG_\w+)$/;
/** An option whose value is a header, as of bridges to remote servers. */
const HEADER_OPTION = /^(-H|-.*headers?)$/;
const SHORTEST_VALUE = 8;

/** The secrets in a server's configuration, which failing servers tend to quote in their errors. */
export function collectSecrets(spec: UpstreamSpec): readonly string[] {
	if (spec.kind === "unusable") return [];
	const given = variableSecrets(Object.entries(spec.variables ?? {}));
	if (spec.kind === "stdio") return [...given, ...writtenSecrets(spec.env), ...argumentSecrets(spec.args)];
	const url = URL.parse(spec.url);
	const credentials = spec.oauthClient !== undefined && "secret" in spec.oauthClient ? spec.oauthClient.secret : "";
	return [
		...given,
		// All headers: a header configured by hand is nearly always a credential.
		...Object.values(spec.headers).flatMap(withAndWithoutScheme),
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
			return addressSecrets(value) ?? (value.length < SHORTEST_VALUE || isPath(value) ? [] : [value]);
		});
}

/** Without the plain words of settings, such as production or localhost, which an error is about. */
function writtenSecrets(env: Readonly<Record<string, string>>): string[] {
	return variableSecrets(Object.entries(env).filter(([name, value]) => SECRET_NAME.test(name) || !isWord(value)));
}

function isWord(value: string): boolean {
	return /^[a-z]+$/i.test(value);
}

function isPath(value: string): boolean {
	return /^(~|\.{1,2})?\/|^[A-Za-z]:[\\/]/.test(value);
}

/** Undefined for what is no address; one that cannot be taken apart counts as a whole. */
function addressSecrets(value: string): string[] | undefined {
	if (!/^\w[\w+.:-]*:\/\//.test(value)) return undefined;
	const url = URL.parse(value);
	return url === null ? [value] : urlSecrets(url);
}

function urlSecrets(url: URL): string[] {
	return [decoded(url.password), ...valuesOf([...url.searchParams])];
}

function valuesOf(entries: readonly (readonly [name: string, value: string])[]): string[] {
	return entries.filter(([name]) => SECRET_NAME.test(name)).map(([, value]) => value);
}

/** Of `Bearer x` a server may quote the whole or only the `x`. */
function withAndWithoutScheme(header: string): string[] {
	return [header, header.replace(/^\S+\s+/, "")];
}

/** `--token x`, `--token=x`, `TOKEN=x` as containers take it, headers, and addresses wherever they stand. */
function argumentSecrets(args: readonly string[]): string[] {
	return args.flatMap((arg, index) => {
		const [, name, value] = /^(-[^=]*|\w+)=(.*)$/s.exec(arg) ?? [];
		if (name !== undefined && value !== undefined)
			return SECRET_NAME.test(name) ? [value] : (addressSecrets(value) ?? headerSecrets(value, name));
		if (arg.startsWith("-") && SECRET_NAME.test(arg)) return [args[index + 1] ?? ""];
		return addressSecrets(arg) ?? headerSecrets(arg, args[index - 1]);
	});
}

/** `X-Any: x` after an option for headers, elsewhere only a name like a secret's: `node:24-alpine` is none. */
function headerSecrets(arg: string, option = ""): string[] {
	const [, name, value] = /^([\w-]+):\s*(.+)$/s.exec(arg) ?? [];
	if (name === undefined || value === undefined || isPath(arg)) return [];
	return HEADER_OPTION.test(option) || SECRET_NAME.test(name) ? withAndWithoutScheme(value) : [];
}
