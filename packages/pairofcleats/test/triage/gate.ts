import { existsSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { until } from "../server/serving.ts";

/** The step at which a process stands still: a rename or a link onto a path with this text in it. */
export type Stop = {
	readonly step: "renameSync" | "linkSync";
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
for (const step of ["renameSync", "linkSync"]) {
	const real = fs[step];
	fs[step] = (...args) => {
		let stop;
		try { stop = JSON.parse(fs.readFileSync(${JSON.stringify(this.#closed)}, "utf8")); } catch {}
		if (stop?.step !== step || !String(args[1]).includes(stop.onto) || passed++ < (stop.after ?? 0)) return real(...args);
		if (stop.taken) real(...args);
		fs.writeFileSync(${JSON.stringify(this.#reached)}, "");
		Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
	};
}
syncBuiltinESMExports();`;
	}
}
