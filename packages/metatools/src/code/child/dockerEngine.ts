import { randomUUID } from "node:crypto";
import { type Custody, spawnCustody } from "libmcp";
import { type CodeEngine, type CodeLimits, defaultLimits } from "../engine.ts";
import { createEngine } from "../engineOver.ts";
import type { RunSession } from "../session/runSession.ts";
import { WorkerPool } from "../wasm/workerPool.ts";
import { writeChildProgram } from "./childProgram.ts";
import { driveChild, prepareInWorker } from "./driveChild.ts";

export type DockerEngineOptions = {
	readonly image: string;
	readonly limits?: Partial<CodeLimits>;
	readonly seed?: number;
	/** The Docker client; by default `docker` on the path. */
	readonly command?: string;
};

const REMOVE_MS = 5_000;

/** Runs code in a container of its own, which can reach nothing but the pipe for tool calls. */
export function createDockerEngine(options: DockerEngineOptions): CodeEngine {
	const limits: CodeLimits = { ...defaultLimits, ...options.limits };
	const command = options.command ?? "docker";
	const parsers = new WorkerPool({ maxWorkers: 1 });
	const running = new Set<() => Promise<void>>();
	const run = async (session: RunSession, script: string): Promise<void> => {
		const name = `metatools-${randomUUID()}`;
		const custody = await spawnCustody(command, dockerArguments(name, options.image, limits), { graceMs: 0 });
		const remove = (): Promise<void> => removeContainer(command, name, custody);
		running.add(remove);
		try {
			await driveChild(session, custody, script, options.seed ?? null, limits);
		} finally {
			await remove();
			running.delete(remove);
		}
	};
	return createEngine(
		{
			name: "docker",
			drive: async (session, language, code) => {
				const script = await prepareInWorker(parsers, session, language, code);
				if (script !== undefined && !session.isOver) await run(session, script);
			},
			close: async () => {
				await Promise.all([...running].map((remove) => remove()));
				await parsers.close();
			},
		},
		limits,
	);
}

/** `--memory-swap` equal to `--memory` means no swap; the image is used as it is or not at all. */
function dockerArguments(name: string, image: string, limits: CodeLimits): readonly string[] {
	const memory = `${CONTAINER_OVERHEAD_MB + Math.ceil(limits.memoryBytes / 1_048_576)}m`;
	return [
		...["run", "--rm", "--interactive", "--name", name, "--pull=never"],
		...["--network=none", "--read-only", "--cap-drop=ALL", "--security-opt=no-new-privileges"],
		...["--user=65534:65534", "--workdir=/", "--ipc=none", "--log-driver=none"],
		...["--pids-limit=64", `--memory=${memory}`, `--memory-swap=${memory}`, "--cpus=1", "--ulimit=core=0"],
		...["--entrypoint=node", image],
		...[`--max-old-space-size=${Math.ceil(limits.memoryBytes / 1_048_576)}`, "-e", writeChildProgram()],
	];
}

/** Memory that Node needs besides the heap of the code. */
const CONTAINER_OVERHEAD_MB = 96;

/** Stops the container by name, because ending the client does not end it. */
async function removeContainer(command: string, name: string, custody: Custody): Promise<void> {
	await runDocker(command, ["rm", "--force", name], REMOVE_MS);
	await custody.end();
}

const PROBE_MS = 3_000;

export type DockerState = { readonly ok: true } | { readonly ok: false; readonly why: string };

/** Whether an engine answers and already has the image. Asks only; nothing is pulled or started. */
export async function probeDocker(image: string, command = "docker"): Promise<DockerState> {
	if (!(await runDocker(command, ["version", "--format", "{{.Server.Version}}"], PROBE_MS)))
		return { ok: false, why: "no Docker engine answers" };
	if (!(await runDocker(command, ["image", "inspect", "--format", "{{.Id}}", image], PROBE_MS)))
		return { ok: false, why: `the image ${image} is not on this machine, and images are never pulled unasked` };
	return { ok: true };
}

/** Runs the client; one that is missing, fails or hangs counts as no. */
async function runDocker(command: string, args: readonly string[], timeoutMs: number): Promise<boolean> {
	try {
		const custody = await spawnCustody(command, args, { stdio: "ignore", graceMs: 0 });
		const timer = setTimeout(() => void custody.end(), timeoutMs);
		const { code } = await custody.exited;
		clearTimeout(timer);
		return code === 0;
	} catch {
		// A client that is missing or cannot start counts as no.
		return false;
	}
}
