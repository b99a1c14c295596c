import { oneDeeper } from "./gatewayDepth.ts";

// The variables any program needs; everything else, above all tokens, must be configured by name.
const INHERITED =
	/^(?:PATH|HOME|USER|LOGNAME|SHELL|TERM|LANG|LC_\w+|TZ|TMPDIR|TEMP|TMP|XDG_\w+|NODE_EXTRA_CA_CERTS|SSL_CERT_FILE|SSL_CERT_DIR|(?:https?|no|all)_proxy|APPDATA|LOCALAPPDATA|USERPROFILE|HOMEDRIVE|HOMEPATH|USERNAME|SYSTEMROOT|SYSTEMDRIVE|COMSPEC|PATHEXT|PROGRAMFILES|PROCESSOR_ARCHITECTURE|WINDIR)$/i;

/** Changes to our environment for a server: variables it must not see are set to undefined. */
export function childEnvironment(
	own: NodeJS.ProcessEnv,
	given: Readonly<Record<string, string>>,
): Record<string, string | undefined> {
	const hidden = Object.keys(own).filter((name) => !INHERITED.test(name));
	return { ...Object.fromEntries(hidden.map((name) => [name, undefined])), ...oneDeeper(own), ...given };
}
