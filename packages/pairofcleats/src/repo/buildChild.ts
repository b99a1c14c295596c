import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { spawnCustody } from "libmcp/early";
import { messageIn } from "../contract/childMessage.ts";
import { CleatsError, type ToldError } from "../contract/errors.ts";
import type { BuildOptions, BuildReport, OnProgress, Progress } from "../index/build.ts";

export type BuildJob = {
	readonly kind: "build" | "update" | "repair";
	/** For a repair: the index file that is damaged. */
	readonly damaged?: string;
	readonly root: string;
	readonly cacheRoot: string;
	readonly model: string | null | undefined;
	readonly recordsDir?: string;
	readonly maxFileBytes?: number;
	readonly options: BuildOptions;
};

export type BuildMessage =
	| { readonly kind: "progress"; readonly progress: Progress }
	| { readonly kind: "report"; readonly report: BuildReport }
	| ({ readonly kind: "error" } & ToldError);

/**
 * A small young generation, because a build makes much garbage: otherwise a third of its memory awaits collection. The
 * heap may double between full collections. By default, V8 collects twice as often in a small build, which costs a
 * sixteenth of its time, and lets the heap of a large build grow fourfold. A third of the usual inlining, because a
 * build ends before the optimising compiler, a tenth of its time, has earned its own.
 */
const BUILD_FLAGS = [
	"--disable-warning=ExperimentalWarning",
	"--max-semi-space-size=8",
	"--heap-growing-percent=100",
	"--max-inlined-bytecode-size-cumulative=300",
];

/**
 * One malloc arena for all threads: compiling large grammars would leave per-thread arenas fragmented, a fifth of all
 * memory. Large blocks, such as a segment's columns, bypass it and are returned to the system whole.
 */
const BUILD_ENVIRONMENT = {
	MALLOC_ARENA_MAX: "1",
	MALLOC_MMAP_THRESHOLD_: "524288",
	MALLOC_TRIM_THRESHOLD_: "1048576",
};

/** Runs a build in a child process. Aborting the signal kills it; the next build reuses what it had finished. */
export async function buildInChild(job: BuildJob, onProgress?: OnProgress, signal?: AbortSignal): Promise<BuildReport> {
	signal?.throwIfAborted();
	const name = import.meta.url.endsWith(".ts") ? "./buildProcess.ts" : "../fast/buildProcess.cjs";
	const program = fileURLToPath(new URL(name, import.meta.url));
	const custody = await spawnCustody(process.execPath, [...BUILD_FLAGS, program, JSON.stringify(job)], {
		stdio: ["ignore", "pipe", "pipe"],
		graceMs: 100,
		env: { ...process.env, ...BUILD_ENVIRONMENT },
		...(signal && { signal }),
	});
	let outcome: BuildMessage | undefined;
	let complaint = "";
	const complain = (text: string): void => {
		complaint = (complaint + text).slice(-2_000);
	};
	custody.child.stderr?.on("data", (chunk: Buffer) => complain(chunk.toString("utf8")));
	if (custody.child.stdout) {
		createInterface({ input: custody.child.stdout }).on("line", (line) => {
			const message = messageIn<BuildMessage>(line);
			if (message?.kind === "progress") onProgress?.(message.progress);
			else if (message !== undefined) outcome = message;
			else if (line !== "") complain(`${line}\n`);
		});
	}
	const exit = await custody.exited;
	if (signal?.aborted) throw new CleatsError("CANCELLED", "the build was cancelled", {}, { cause: signal.reason });
	if (outcome?.kind === "report") return outcome.report;
	if (outcome?.kind === "error") throw new CleatsError(outcome.code, outcome.message, outcome.details);
	const how = exit.signal ?? `exit code ${exit.code}`;
	const likely = how.endsWith("KILL") ? ", with which systems end a process when memory is short" : "";
	const message = `the build process ended without a report (${how}${likely})`;
	throw new CleatsError("INTERNAL", message, { stderr: complaint.trim() });
}
