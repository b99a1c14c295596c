const OUT_OF_FILES = "the gateway's own process is out of file descriptors; raise its limit (ulimit -n)";

/** By the code of a system error, and by that of the fault which a host makes of it. */
const SHORTAGES: Readonly<Record<string, string>> = {
	EMFILE: OUT_OF_FILES,
	no_more_files: OUT_OF_FILES,
};

/** What this process lacked to reach a server, if it was that and nothing about the server. */
export function shortageOf(code: string | undefined): string | undefined {
	return code !== undefined && Object.hasOwn(SHORTAGES, code) ? SHORTAGES[code] : undefined;
}
