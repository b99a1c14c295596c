/** Keeps git from running programs that a hostile repository configures. */
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
	"log.date=default",
	"-c",
	"diff.external=",
	"--no-pager",
];

/** Variables that point git at another repository; git sets them when it runs hooks. */
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

/** Keeps git from fetching the missing parts of a partial clone from an address that the repository configures. */
const OFFLINE = { GIT_NO_LAZY_FETCH: "1", GIT_ALLOW_PROTOCOL: "none" } as const;

export function gitEnvironment(): NodeJS.ProcessEnv {
	const environment: NodeJS.ProcessEnv = { ...process.env };
	for (const name of OF_ANOTHER) delete environment[name];
	return { ...environment, ...OFFLINE, GIT_OPTIONAL_LOCKS: "0", GIT_TERMINAL_PROMPT: "0", LC_ALL: "C.UTF-8" };
}
