// The variables any program needs; everything else, above all tokens, must be configured by name.
const INHERITED =
	/^(?:PATH|HOME|USER|LOGNAME|SHELL|TERM|LANG|LC_\w+|TZ|TMPDIR|TEMP|TMP|XDG_\w+|NODE_EXTRA_CA_CERTS|SSL_CERT_FILE|SSL_CERT_DIR|(?:https?|no|all)_proxy|APPDATA|LOCALAPPDATA|USERPROFILE|HOMEDRIVE|HOMEPATH|USERNAME|SYSTEMROOT|SYSTEMDRIVE|COMSPEC|PATHEXT|PROGRAMFILES|PROCESSOR_ARCHITECTURE|WINDIR)$/i;

/** Changes to our environment for a server: variables it must not see are set to undefined. */
export function createChildEnvironment(
	own: NodeJS.ProcessEnv,
	given: Readonly<Record<string, string>>,
): Record<string, string | undefined> {
	const hidden = Object.keys(own).filter((name) => !INHERITED.test(name));
	return { ...Object.fromEntries(hidden.map((name) => [name, undefined])), ...writeNextDepth(own), ...given };
}

const VARIABLE = "METATOOLS_DEPTH";

// An agent behind a gateway may use that gateway; a third one can only come from gateways that start each other.
const DEEPEST = 1;

/** How many gateways this process was started behind. */
function readGatewayDepth(environment: NodeJS.ProcessEnv): number {
	const depth = Number(environment[VARIABLE] ?? 0);
	return Number.isSafeInteger(depth) && depth > 0 ? depth : 0;
}

/** Tells a server how many gateways it is behind. */
function writeNextDepth(environment: NodeJS.ProcessEnv): Readonly<Record<string, string>> {
	return { [VARIABLE]: String(readGatewayDepth(environment) + 1) };
}

/** Throws in a gateway that was started behind others, because a configuration that starts its own gateway never ends. */
export function refuseTooDeep(environment: NodeJS.ProcessEnv, file: string | undefined): void {
	const depth = readGatewayDepth(environment);
	if (depth <= DEEPEST) return;
	const where = file === undefined ? "the configuration" : file;
	throw new Error(
		`this gateway was started behind ${depth} others, which would never end; a server in ${where}, or in a file that it imports, starts the gateway itself: take that one out`,
	);
}
