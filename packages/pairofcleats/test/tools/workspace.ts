import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { buildIndex } from "../../src/index/indexer.ts";
import { openIndexFolder } from "../../src/store/indexFolder.ts";
import { writeFiles } from "../filter/fixtureRepository.ts";

/** A repository on disk with its own cache; both are removed after the test. */
export type TestWorkspace = { readonly root: string; readonly cacheRoot: string; readonly base: string };

export const FILES = {
	"src/session.ts": `import { readFile } from "node:fs/promises";

/** Opens a session for a user. */
export async function openSession(user: string): Promise<string> {
	const text = await readFile(user, "utf8");
	if (text === "") throw new RangeError("empty");
	return text;
}

export class SessionStore {
	private sessions: string[] = [];
	addSession(name: string): void {
		this.sessions.push(name);
	}
}
`,
	"src/token.py": "def parse_token(text):\n    for part in text.split():\n        if part:\n            return part\n",
	"docs/guide.md": "# Sessions\n\nA session holds the token of a user.\n\n## Tokens\n\nTokens expire after a day.\n",
} as const;

/** Enough work that a build is still running when a test looks. */
export function slowFiles(count = 600): Record<string, string> {
	const body = (file: number): string =>
		Array.from(
			{ length: 40 },
			(_, at) =>
				`export async function work${file}_${at}(input: string, count: number): Promise<string> {\n` +
				`  for (let k = 0; k < count; k++) { if (input === "x${at}") return await helper${at}(input + k); }\n  return input;\n}\n`,
		).join("");
	return Object.fromEntries(Array.from({ length: count }, (_, file) => [`src/f${file}.ts`, body(file)]));
}

export async function workspaceOf(
	t: Pick<TestContext, "after">,
	files: Readonly<Record<string, string>> = FILES,
	options: { readonly indexed?: boolean; readonly name?: string } = {},
): Promise<TestWorkspace> {
	const base = realpathSync(mkdtempSync(join(tmpdir(), "pairofcleats-")));
	t.after(() => rmSync(base, { recursive: true, force: true, maxRetries: 5 }));
	const root = join(base, options.name ?? "repo");
	const cacheRoot = join(base, "cache");
	mkdirSync(root);
	writeFiles(root, files);
	if (options.indexed !== false) await buildIndex({ root, folder: openIndexFolder(cacheRoot, root) });
	return { root, cacheRoot, base };
}

/** A repository whose git does not answer until it may, so that a build waits in a process with children of its own. */
export async function hangingWorkspace(
	t: Pick<TestContext, "after">,
): Promise<TestWorkspace & { readonly env: Readonly<Record<string, string>>; pids(): number[]; answer(): void }> {
	const space = await workspaceOf(t, FILES, { indexed: false });
	const bin = join(space.base, "bin");
	const list = join(space.base, "pids");
	const mayAnswer = join(space.base, "answer");
	mkdirSync(bin);
	mkdirSync(join(space.root, ".git"));
	const waits = `[ -e ${mayAnswer} ] || { sleep 600 & echo "$$ $!" >> ${list}; wait; }`;
	writeFileSync(join(bin, "git"), `#!/bin/sh\n${waits}\nexit 128\n`, { mode: 0o755 });
	const pids = (): number[] => (existsSync(list) ? readFileSync(list, "utf8").trim().split(/\s+/).map(Number) : []);
	return {
		...space,
		env: { PATH: `${bin}:${process.env.PATH ?? ""}` },
		pids,
		answer: () => {
			writeFileSync(mayAnswer, "");
			for (const [index, pid] of pids().entries()) if (index % 2 === 1) process.kill(pid);
		},
	};
}

export function isAlive(pid: number): boolean {
	try {
		process.kill(pid, 0);
		return !/^\S+ \(.*\) [ZX]/s.test(readFileSync(`/proc/${pid}/stat`, "latin1"));
	} catch {
		return false;
	}
}
