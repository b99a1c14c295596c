import { existsSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { until } from "../server/serving.ts";

/** The steps at which a process can be made to stand still. */
const STEPS = ["renameSync", "linkSync", "statSync", "readdirSync", "existsSync"] as const;

/** The step at which a process stands still: one whose last path has this text in it. */
export type Stop = {
	readonly step: (typeof STEPS)[number];
	readonly onto: string;
	/** Whether the step has been taken when it stands still. */
	readonly taken: boolean;
	/** How many such steps go through first. */
	readonly after?: number;
};

/** Makes the server's processes stand still at a step that is named while they run, so that a kill hits just there. */
export class Gate {
	readonly #closed: string;
	readonly #reached: string;

	constructor(base: string) {
		this.#closed = join(base, "gate-closed");
		this.#reached = join(base, "gate-reached");
	}

	/** For the server's environment; every process below it inherits it. */
	get env(): Readonly<Record<string, string>> {
		return { NODE_OPTIONS: `--import data:text/javascript,${encodeURIComponent(this.#source())}` };
	}

	close(stop: Stop): void {
		writeFileSync(this.#closed, JSON.stringify(stop));
	}

	/** Waits for a process to stand there; whoever comes next goes through. */
	async reached(): Promise<void> {
		await until("the step", () => existsSync(this.#reached));
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
