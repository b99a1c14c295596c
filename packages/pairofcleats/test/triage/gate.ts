import { existsSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { until } from "../../../../e2e/until.ts";

/** The file system calls at which a process can be paused. */
const STEPS = ["renameSync", "linkSync", "statSync", "readdirSync", "existsSync"] as const;

/** Where to pause a process: at a call whose last path contains this text. */
export type Stop = {
	readonly step: (typeof STEPS)[number];
	readonly onto: string;
	/** Whether to pause after the call instead of before it. */
	readonly taken: boolean;
	/** How many such calls to let pass first. */
	readonly after?: number;
};

/** Pauses the server's processes at a call chosen while they run, so that a kill hits exactly there. */
export class Gate {
	readonly #closed: string;
	readonly #reached: string;

	constructor(base: string) {
		this.#closed = join(base, "gate-closed");
		this.#reached = join(base, "gate-reached");
	}

	/** Environment for the server; all its child processes inherit it. */
	get env(): Readonly<Record<string, string>> {
		return { NODE_OPTIONS: `--import data:text/javascript,${encodeURIComponent(this.#source())}` };
	}

	close(stop: Stop): void {
		writeFileSync(this.#closed, JSON.stringify(stop));
	}

	/** Waits until a process is paused there; later processes pass. */
	async reached(): Promise<void> {
		await until(() => existsSync(this.#reached), "the step");
		rmSync(this.#closed);
		rmSync(this.#reached);
	}

	#source(): string {
		return `import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
let passed = 0;
const read = fs.readFileSync;
for (const step of ${JSON.stringify(STEPS)}) {
	const real = fs[step];
	const last = step === "renameSync" || step === "linkSync" ? 1 : 0;
	fs[step] = (...args) => {
		let stop;
		try { stop = JSON.parse(read(${JSON.stringify(this.#closed)}, "utf8")); } catch {}
		if (stop?.step !== step || !String(args[last]).includes(stop.onto) || passed++ < (stop.after ?? 0)) return real(...args);
		if (stop.taken) real(...args);
		fs.writeFileSync(${JSON.stringify(this.#reached)}, "");
		Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
	};
}
syncBuiltinESMExports();`;
	}
}
