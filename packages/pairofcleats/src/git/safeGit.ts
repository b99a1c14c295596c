/** A repository's own settings may name programs to run; these and what follows keep git from running any of them. */
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
	"log.showRoot=true",
	"-c",
	"diff.external=",
	"--no-pager",
];

/** What names another repository than the folder does; git sets these for its hooks. */
const OF_ANOTHER: readonly string[] = [
	"GIT_DIR",
	"GIT_WORK_TREE",
	"GIT_COMMON_DIR",
	"GIT_INDEX_FILE",
	"GIT_OBJECT_DIRECTORY",
	"GIT_ALTERNATE_OBJECT_DIRECTORIES",
	"GIT_NAMESPACE",
	"GIT_PREFIX",
	"GIT_SHALLOW_FILE",
	"GIT_GRAFT_FILE",
	"GIT_EXTERNAL_DIFF",
];

/** What a partial clone lacks, git would fetch, by the program and from the address that the repository names. */
const OFFLINE = { GIT_NO_LAZY_FETCH: "1", GIT_ALLOW_PROTOCOL: "none" } as const;

export function gitEnvironment(): NodeJS.ProcessEnv {
	const environment: NodeJS.ProcessEnv = { ...process.env };
	for (const name of OF_ANOTHER) delete environment[name];
	return { ...environment, ...OFFLINE, GIT_OPTIONAL_LOCKS: "0", GIT_TERMINAL_PROMPT: "0", LC_ALL: "C.UTF-8" };
}
