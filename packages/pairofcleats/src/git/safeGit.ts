/** A repository's own settings may name programs to run; these keep git from running any of them. */
export const GIT_SAFE_FLAGS: readonly string[] = [
	"-c",
	"core.fsmonitor=false",
	"-c",
	"core.hooksPath=/dev/null",
	"-c",
	"core.quotePath=false",
	"-c",
	"log.showSignature=false",
	"-c",
	"diff.external=",
	"--no-pager",
];

export const GIT_SAFE_ENVIRONMENT: Readonly<Record<string, string>> = {
	GIT_OPTIONAL_LOCKS: "0",
	GIT_TERMINAL_PROMPT: "0",
	LC_ALL: "C.UTF-8",
};
