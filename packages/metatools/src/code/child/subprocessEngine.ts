import { join, parse } from "node:path";
import { spawnCustody } from "libmcp";
import { makeFolder, userFolder } from "libmcp/command";
import { type CodeEngine, type CodeLimits, defaultLimits } from "../engine.ts";
import { createEngine } from "../engineOver.ts";
import { WorkerPool } from "../wasm/workerPool.ts";
import { writeChildProgram } from "./childProgram.ts";
import { driveChild, prepareInWorker } from "./driveChild.ts";

const unsafeWarning =
	"UNSAFE: the dev profile ran this code in a plain subprocess with the files, network and rights of this user.";

export type SubprocessEngineOptions = { readonly limits?: Partial<CodeLimits>; readonly seed?: number };

/** Runs code in a plain Node process, for development. This is no sandbox, and every result says so. */
export function createSubprocessEngine(options: SubprocessEngineOptions = {}): CodeEngine {
	const limits: CodeLimits = { ...defaultLimits, ...options.limits };
	const parsers = new WorkerPool({ maxWorkers: 1 });
	const running = new Set<() => Promise<unknown>>();
	const flags = [`--max-old-space-size=${Math.ceil(limits.memoryBytes / 1_048_576)}`];
	return createEngine(
		{
			name: "subprocess",
			warning: unsafeWarning,
			drive: async (session, language, code) => {
				const script = await prepareInWorker(parsers, session, language, code);
				if (script === undefined || session.isOver) return;
				const custody = await spawnCustody(process.execPath, [...flags, "-e", writeChildProgram()], {
					cwd: workingFolder(),
					// Not isolation: this only keeps the server's secrets out of the environment.
					env: { PATH: process.env.PATH },
					graceMs: 0,
				});
				running.add(custody.end);
				try {
					await driveChild(session, custody, script, options.seed ?? null, limits);
				} finally {
					await custody.end();
					running.delete(custody.end);
				}
			},
			close: async () => {
				await Promise.all([...running].map((end) => end()));
				await parsers.close();
			},
		},
		limits,
	);
}

/**
 * `require` looks for modules in the folder of the process and in all above it, so that must be no folder, such as the
 * temporary one, where other users can leave modules.
 */
function workingFolder(): string {
	let folder: string;
	try {
		folder = join(userFolder("state"), "code");
	} catch {
		// A user without a home.
		return parse(process.execPath).root;
	}
	makeFolder(folder, 0o700);
	return folder;
}
