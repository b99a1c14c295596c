import { accessSync, constants, statSync } from "node:fs";
import { delimiter, isAbsolute, join } from "node:path";

/**
 * Settings that keep git from running programs that a hostile repository configures, and from looking for a repository
 * among its files. Only keys without an equals sign can be set this way, because `-c` splits at the first one.
 */
const SETTINGS: readonly string[] = [
	"core.fsmonitor=false",
	"core.hooksPath=/dev/null",
	"core.quotePath=false",
	"core.sshCommand=false",
	"core.askPass=",
	"core.alternateRefsCommand=",
	"core.editor=false",
	"sequence.editor=false",
	"gpg.program=",
	"credential.helper=",
	"log.showSignature=false",
	"log.showRoot=true",
	"log.date=default",
	"diff.external=",
	"protocol.allow=never",
	"submodule.recurse=false",
	"fetch.recurseSubmodules=false",
	"safe.bareRepository=explicit",
];

export const GIT_SAFE_FLAGS: readonly string[] = [...SETTINGS.flatMap((setting) => ["-c", setting]), "--no-pager"];

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
	"GIT_ATTR_SOURCE",
	"GIT_EXTERNAL_DIFF",
];

/** Keeps git from fetching the missing parts of a partial clone from an address that the repository configures. */
const OFFLINE = { GIT_NO_LAZY_FETCH: "1", GIT_ALLOW_PROTOCOL: "none" } as const;

/** A setting in place of the repository's own. */
export type Override = readonly [key: string, value: string];

/** Overrides as flags too, which a git before 2.31 needs; a key with an equals sign cannot be given so. */
export function makeOverrideFlags(overrides: readonly Override[]): readonly string[] {
	return overrides.filter(([key]) => !key.includes("=")).flatMap(([key, value]) => ["-c", `${key}=${value}`]);
}

/** The environment of a git process. Overrides go in by variables, which take a key with any characters in it. */
export function makeGitEnvironment(overrides: readonly Override[] = []): NodeJS.ProcessEnv {
	const environment: NodeJS.ProcessEnv = { ...process.env, PATH: safeFolders().join(delimiter) };
	for (const name of OF_ANOTHER) delete environment[name];
	const count = Number(environment.GIT_CONFIG_COUNT) || 0;
	for (const [index, [key, value]] of overrides.entries()) {
		environment[`GIT_CONFIG_KEY_${count + index}`] = key;
		environment[`GIT_CONFIG_VALUE_${count + index}`] = value;
	}
	if (overrides.length > 0) environment.GIT_CONFIG_COUNT = String(count + overrides.length);
	return { ...environment, ...OFFLINE, GIT_OPTIONAL_LOCKS: "0", GIT_TERMINAL_PROMPT: "0", LC_ALL: "C.UTF-8" };
}

let last: { readonly path: string; readonly program: string } | undefined;

/**
 * The path of git. Found here and not by the system, which would also look in the working folder, that is in the
 * repository: on Windows always, elsewhere if `PATH` has a relative folder.
 */
export function findGit(): string | undefined {
	const path = process.env.PATH ?? "";
	if (last?.path === path) return last.program;
	const names = process.platform === "win32" ? ["git.exe", "git.com"] : ["git"];
	const program = safeFolders()
		.flatMap((folder) => names.map((name) => join(folder, name)))
		.find(isProgram);
	last = program === undefined ? undefined : { path, program };
	return program;
}

function safeFolders(): readonly string[] {
	return (process.env.PATH ?? "").split(delimiter).filter((folder) => isAbsolute(folder));
}

function isProgram(path: string): boolean {
	try {
		accessSync(path, constants.X_OK);
		return statSync(path).isFile();
	} catch {
		return false; // Missing, or no program.
	}
}
