/** Logs each rule that names something unknown once, until it is put right. */
export class IdleRuleLog {
	readonly #log: (line: string) => void;
	#told: ReadonlySet<string> = new Set();

	constructor(log: (line: string) => void) {
		this.#log = log;
	}

	/** Takes all problems that there are now. */
	tell(problems: readonly string[]): void {
		for (const problem of problems) if (!this.#told.has(problem)) this.#log(problem);
		this.#told = new Set(problems);
	}
}
