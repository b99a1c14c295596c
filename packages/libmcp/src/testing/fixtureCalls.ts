import { RPC_CODES } from "../fault/rpcError.ts";
import type { EffectLine, EffectLog } from "./effectLog.ts";
import type { FixtureArguments, FixtureConfig } from "./fixtureConfig.ts";
import type { FixtureSession } from "./fixtureSession.ts";

type Id = string | number;

export type FixtureCallParts = {
	readonly config: FixtureConfig;
	readonly release: string;
	readonly log: EffectLog;
	readonly session: FixtureSession;
	send(message: Record<string, unknown>): void;
	/** Writes at once, unbuffered. */
	raw(text: string): void;
};

/** Runs tool calls as their arguments demand. */
export class FixtureCalls {
	readonly #parts: FixtureCallParts;

	constructor(parts: FixtureCallParts) {
		this.#parts = parts;
	}

	run(id: Id, params: Record<string, unknown>): void {
		const { log, session, config } = this.#parts;
		const tool = String(params.name);
		const given = isArguments(params.arguments) ? params.arguments : { key: "" };
		if (tool === "whoami" || tool === "job_status") {
			this.#finish(id, params, tool, given);
			return;
		}
		if (tool === "bind" && config.refuseBind === true) {
			this.#parts.send({ id, error: { code: RPC_CODES.internalError, message: "bindings are refused" } });
			return;
		}
		const failing =
			given.fail !== undefined && log.arrivals(tool, given.key) < (given.times ?? Number.POSITIVE_INFINITY);
		this.#note("arrived", tool, given.key);
		const fail = failing ? given.fail : undefined;
		if (fail === "before") process.exit(9);
		if (fail === "mute") return;
		if (fail === "hang") hang();
		if (fail === "oom") exhaustMemory();
		const stopProgress = this.#progress(params, given);
		const go = () => {
			stopProgress();
			if (session.cancelled.has(id)) return;
			this.#takeEffect(tool, given);
			if (fail === "after") process.exit(9);
			if (fail === "exit") process.exit(0);
			if (fail === "spew") this.#spew();
			if (fail === "middle") this.#halfAnswer(id, given);
			if (fail === "huge") this.#parts.send({ id, result: { content: [text("x".repeat(11 * 1024 * 1024))] } });
			else this.#finish(id, params, tool, given);
		};
		if (given.ms === undefined) go();
		else setTimeout(go, given.ms);
	}

	#takeEffect(tool: string, { key }: FixtureArguments): void {
		const { log, session } = this.#parts;
		if (tool === "put" && log.effects("put", key) > 0) return;
		if (tool === "bind") session.bindings.set(key, true);
		if (tool === "bind" && log.effects("bind", key) > 0) this.#note("restored", tool, key);
		else this.#note("effect", tool, key);
	}

	#finish(id: Id, params: Record<string, unknown>, tool: string, given: FixtureArguments): void {
		const { session, release } = this.#parts;
		if (tool === "ask") {
			session.ask("roots/list", (answer) => this.#reply(id, params, { answer }));
			return;
		}
		if (tool === "whoami") {
			this.#reply(id, params, {
				pid: process.pid,
				release,
				bindings: [...session.bindings.keys()],
				subscriptions: [...session.subscriptions],
				logLevel: session.logLevel,
				initialized: session.initialized,
			});
			return;
		}
		if (tool === "job_status") {
			const done = this.#parts.log.effects("job", given.key) > 0 ? "done" : "absent";
			this.#reply(id, params, { state: given.key.startsWith("unsure") ? "unknown" : done });
			return;
		}
		const padding = given.bytes === undefined ? {} : { padding: "p".repeat(given.bytes) };
		this.#reply(id, params, { tool, key: given.key, pid: process.pid, release, ...padding });
	}

	#reply(id: Id, params: Record<string, unknown>, structuredContent: Record<string, unknown>): void {
		const { padding: _, ...shown } = structuredContent;
		this.#parts.session.reply(id, params, { content: [text(JSON.stringify(shown))], structuredContent });
	}

	#progress(params: Record<string, unknown>, { progressMs }: FixtureArguments): () => void {
		const meta = params._meta;
		const token = typeof meta === "object" && meta !== null && "progressToken" in meta ? meta.progressToken : undefined;
		if (progressMs === undefined || token === undefined) return () => {};
		let progress = 0;
		const timer = setInterval(() => {
			this.#parts.send({ method: "notifications/progress", params: { progressToken: token, progress: ++progress } });
		}, progressMs);
		return () => clearInterval(timer);
	}

	/** Writes lines that are not JSON, lines that are not messages, and bytes that are not text. */
	#spew(): void {
		for (let n = 0; n < 1_000; n++)
			process.stdout.write(n % 2 === 0 ? `listening on port ${n}\n` : `{"level":"info","n":${n}}\n`);
		for (let n = 0; n < 10; n++)
			process.stdout.write(Buffer.concat([Buffer.alloc(1024 * 1024, 0xfe), Buffer.from("\n")]));
	}

	#halfAnswer(id: Id, given: FixtureArguments): void {
		const whole = JSON.stringify({ jsonrpc: "2.0", id, result: { content: [text(given.key)] } });
		this.#parts.raw(whole.slice(0, whole.length >> 1));
		process.kill(process.pid, "SIGKILL");
	}

	#note(what: EffectLine["what"], tool: string, key: string): void {
		this.#parts.log.append({ what, tool, key, pid: process.pid, release: this.#parts.release });
	}
}

function text(value: string): Record<string, unknown> {
	return { type: "text", text: value };
}

function isArguments(value: unknown): value is FixtureArguments {
	return typeof value === "object" && value !== null && "key" in value && typeof value.key === "string";
}

function hang(): never {
	for (;;) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1_000_000);
}

function exhaustMemory(): never {
	const held: string[][] = [];
	for (;;) held.push(new Array<string>(1_000_000).fill("x").map((each, n) => each + n));
}
