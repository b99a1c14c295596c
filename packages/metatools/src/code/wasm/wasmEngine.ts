import { type CodeEngine, type CodeLanguage, type CodeLimits, defaultLimits } from "../engine.ts";
import { createEngine } from "../engineOver.ts";
import type { RunSession } from "../session/runSession.ts";
import type { StartRun } from "./workerMessage.ts";
import { borrowSlot, WorkerPool, type WorkerPoolOptions } from "./workerPool.ts";
import type { WorkerSlot } from "./workerSlot.ts";

export type WasmEngineOptions = {
	readonly limits?: Partial<CodeLimits>;
	readonly pool?: Partial<WorkerPoolOptions>;
	/** Makes Math.random repeatable. */
	readonly seed?: number;
};

/** QuickJS in WASM, a fresh instance for each run, in a worker thread that is ended when it does not stop by itself. */
export function createWasmEngine(options: WasmEngineOptions = {}): CodeEngine {
	const limits: CodeLimits = { ...defaultLimits, ...options.limits };
	const pool = new WorkerPool({ memoryBytes: limits.memoryBytes, ...options.pool });
	const seed = options.seed ?? null;
	void pool.warm();
	return createEngine(
		{
			name: "wasm",
			drive: async (session, language, code) => {
				const slot = await borrowSlot(pool, session);
				if (slot !== undefined)
					await runIn(slot, pool, session, startOf(session, language, code, limits, seed), limits);
			},
			close: () => pool.close(),
		},
		limits,
	);
}

async function runIn(
	slot: WorkerSlot,
	pool: WorkerPool,
	session: RunSession,
	run: StartRun,
	limits: CodeLimits,
): Promise<void> {
	const ended = Promise.withResolvers<boolean>();
	slot.hold({
		onMessage: (message) => {
			if (message.from === "began") session.began(message.insertions);
			else if (message.from === "guest") session.receive(message.message);
			else if (message.from === "ended") ended.resolve(message.reusable);
		},
		onDeath: () => {
			if (pool.closed) session.fail("sandbox", "The sandbox has been closed.");
			else session.fail("memory", "The sandbox ran out of memory or crashed.");
			ended.resolve(false);
		},
	});
	session.connect((reply) => slot.post({ to: "reply", reply }));
	if (!session.isOver) {
		session.prepare();
		slot.post({ to: "start", run });
	} else ended.resolve(true);
	await session.over;
	slot.stop();
	const timer = setTimeout(() => ended.resolve(false), limits.stopGraceMs);
	const reusable = await ended.promise;
	clearTimeout(timer);
	if (!reusable) await slot.terminate();
	pool.release(slot, reusable);
}

function startOf(
	session: RunSession,
	language: CodeLanguage,
	code: string,
	limits: CodeLimits,
	seed: number | null,
): StartRun {
	const { cpuMs, maxStdoutLength, maxStderrLength } = limits;
	return {
		...{ language, code, seed, cpuMs, maxStdoutLength, maxStderrLength },
		wallMs: session.remainingMs,
		maxCalls: session.maxToolCalls + limits.maxLookups,
		maxCallLength: limits.maxArgumentsLength,
	};
}
