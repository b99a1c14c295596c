import type { ProgressUpdate } from "libmcp/serve";
import type { ProgressReport } from "../workspace/toolCall.ts";

/** Maps phases that each count from zero to one steadily increasing number. */
export class ProgressSteps {
	readonly #tool: string;
	#phase = "";
	#base = 0;
	#highest = 0;

	constructor(tool: string) {
		this.#tool = tool;
	}

	next({ phase, message, done = 0, total = 0 }: ProgressReport): ProgressUpdate {
		if (phase !== this.#phase) {
			this.#phase = phase;
			this.#base = this.#highest + 1;
		}
		const progress = this.#base + Math.max(0, done);
		this.#highest = Math.max(this.#highest, progress);
		return {
			progress,
			...(total > 0 && { total: Math.max(this.#base + total, progress) }),
			message: `[${this.#tool}][phase=${phase}] ${message}`,
		};
	}
}
