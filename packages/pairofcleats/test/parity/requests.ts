import { SEARCH_ARGUMENTS, type SearchArgument, type SearchArgumentName } from "../../src/index.ts";

export type Arguments = Readonly<Record<string, unknown>>;

export const FILES = {
	"src/session.ts": `import { readFile } from "node:fs/promises";
import { exec } from "node:child_process";

/** Opens a session. */
export async function openSession(user: string): Promise<string> {
	const text = await readFile(user, "utf8");
	if (text === "") throw new RangeError("empty session");
	return text;
}

export function runSession(session: string): void {
	exec(session);
	for (const part of session) if (part === "x") break;
}

export function* eachSession(sessions: string[]): Generator<string> {
	for (const session of sessions) yield session;
}

export class SessionStore extends Map<string, string> {
	private addSession(session: string): void {
		this.set(session, session);
	}
}
`,
	"src/Session_user.py":
		"def session_user(session):\n    for part in session.split():\n        if not part:\n            continue\n        return part\n",
	"docs/session.md": "# Session\n\nA Session belongs to one user.\n",
	"data/findings.jsonl":
		'{"recordId":"r1","severity":"High","title":"session fixation"}\n{"recordId":"r2","severity":"low","title":"session leak"}\n',
} as const;

/** For every argument, a value that must change the answer to `base`, which defaults to a search for "session". */
export const CHANGES: Readonly<
	Record<Exclude<SearchArgumentName, "repoPath" | "backend">, { readonly value: unknown; readonly base?: Arguments }>
> = {
	query: { value: "openSession" },
	mode: { value: "prose" },
	output: { value: "full" },
	ann: { value: false, base: { query: "session", explain: true } },
	top: { value: 1 },
	context: { value: 0, base: { query: "readFile" } },
	offset: { value: 1 },
	explain: { value: true },
	type: { value: "class" },
	author: { value: "nobody" },
	import: { value: "node:fs/promises" },
	calls: { value: "exec" },
	uses: { value: "exec" },
	signature: { value: "Promise" },
	param: { value: "sessions" },
	decorator: { value: "Injectable" },
	inferredType: { value: "string" },
	returnType: { value: "Promise" },
	throws: { value: "RangeError" },
	reads: { value: "text" },
	writes: { value: "text" },
	mutates: { value: "nothing" },
	alias: { value: "nothing" },
	awaits: { value: "readFile" },
	risk: { value: "command-exec" },
	riskTag: { value: "command-exec" },
	riskSource: { value: "nothing" },
	riskSink: { value: "exec" },
	riskCategory: { value: "nothing" },
	riskFlow: { value: "->nothing" },
	branchesMin: { value: 1 },
	loopsMin: { value: 1 },
	breaksMin: { value: 1 },
	continuesMin: { value: 1 },
	churnMin: { value: 100_000 },
	chunkAuthor: { value: "nobody" },
	modifiedAfter: { value: "2999-01-01" },
	modifiedSince: { value: 0 },
	visibility: { value: "private" },
	extends: { value: "Map" },
	lint: { value: true },
	async: { value: true },
	generator: { value: true },
	returns: { value: true },
	branch: { value: "no-such-branch" },
	lang: { value: "python" },
	case: { value: true, base: { query: "SESSION" } },
	caseFile: { value: true, base: { query: "session", file: "session_user" } },
	caseTokens: { value: true, base: { query: "SESSION" } },
	path: { value: ["docs/", "data/"] },
	file: { value: "session.md" },
	ext: { value: ["py", "md"] },
	meta: { value: { severity: "High" }, base: { query: "session", mode: "records" } },
	metaJson: { value: '{"severity":"low"}', base: { query: "session", mode: "records" } },
};

/** A value of the wrong type for an argument. */
export function wrongValue({ takes }: SearchArgument): unknown {
	return takes === "text" || takes === "choice" || takes === "texts"
		? 7
		: takes === "meta" || takes === "json"
			? 7
			: "wrong";
}

/** Requests whose answers must be the same on every surface. */
export const REQUESTS: readonly Arguments[] = [
	...Object.entries(CHANGES).map(([name, { value, base }]) => ({ query: "session", top: 20, ...base, [name]: value })),
	{ query: "session AND user", mode: "all" },
	{ query: '"belongs to"', output: "compact" },
	{ query: "/open\\w+/", output: "json" },
	{ query: "session", meta: ["severity=low"], mode: "records" },
	{ query: "session", meta: "severity", mode: "records" },
	{ query: "session", metaJson: { severity: "High" }, mode: "records" },
	{ query: "nothingmatchesthis" },
	{ query: "session", top: -3 },
	{ query: "session", backend: "sqlite" },
];

/** Requests that every surface must refuse with the same code. */
export const REFUSED: readonly (readonly [Arguments, string])[] = [
	[{ query: "session", modifiedAfter: "no date" }, "INVALID_REQUEST"],
	[{ query: "session", metaJson: "{" }, "INVALID_REQUEST"],
	[{ query: "session", mode: "everything" }, "INVALID_REQUEST"],
	[{ query: "session", backend: "lmdb" }, "INVALID_REQUEST"],
	[{ query: "session", path: "/(/" }, "INVALID_REQUEST"],
	[{ query: "session", colour: "red" }, "INVALID_REQUEST"],
	[{ query: "   " }, "INVALID_REQUEST"],
	[{}, "INVALID_REQUEST"],
	[{ query: "session", repoPath: "/" }, "FORBIDDEN"],
];

/** The command line equivalent to the arguments. */
export function flagsOf(args: Arguments): string[] {
	const { query, output, ...rest } = args;
	const words = Object.entries(rest).flatMap(([name, value]) => {
		const argument = Object.entries<SearchArgument>(SEARCH_ARGUMENTS).find(([key]) => key === name)?.[1];
		const flag = argument?.flag ?? `--${name}`;
		if (value === true) return [flag];
		if (value === false) return [flag.replace("--", "--no-")];
		if (Array.isArray(value)) return value.flatMap((one) => [flag, String(one)]);
		if (name === "meta" && typeof value === "object" && value !== null) {
			return Object.entries(value).flatMap(([key, wanted]) => [flag, `${key}=${String(wanted)}`]);
		}
		return [flag, typeof value === "object" ? JSON.stringify(value) : String(value)];
	});
	return [...(query === undefined ? [] : [String(query)]), ...words, ...(output === "compact" ? ["--compact"] : [])];
}
