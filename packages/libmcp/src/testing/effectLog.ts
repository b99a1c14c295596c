import { appendFileSync, existsSync, readFileSync } from "node:fs";

/** `arrived`: a call reached a worker. `effect`: it took effect. `started` and `restored` are about workers. */
export type EffectLine = {
	readonly what: "arrived" | "effect" | "started" | "restored";
	readonly tool: string;
	readonly key: string;
	readonly pid: number;
	readonly release: string;
};

/** The ground truth of a scenario: each worker appends one line, in one write, for each thing it does. */
export class EffectLog {
	readonly path: string;

	constructor(path: string) {
		this.path = path;
	}

	append(line: EffectLine): void {
		appendFileSync(this.path, `${JSON.stringify(line)}\n`);
	}

	lines(): EffectLine[] {
		if (!existsSync(this.path)) return [];
		return readFileSync(this.path, "utf8")
			.split("\n")
			.filter((line) => line !== "")
			.map((line): EffectLine => JSON.parse(line));
	}

	/** How often a tool took effect with this key. */
	effects(tool: string, key: string): number {
		return this.#count("effect", tool, key);
	}

	/** How often a call with this key reached a worker. */
	arrivals(tool: string, key: string): number {
		return this.#count("arrived", tool, key);
	}

	/** Keys under which a tool took effect more than once. */
	doubled(tool: string): string[] {
		const seen = new Map<string, number>();
		for (const line of this.lines()) {
			if (line.what === "effect" && line.tool === tool) seen.set(line.key, (seen.get(line.key) ?? 0) + 1);
		}
		return [...seen].filter(([, count]) => count > 1).map(([key]) => key);
	}

	#count(what: EffectLine["what"], tool: string, key: string): number {
		return this.lines().filter((line) => line.what === what && line.tool === tool && line.key === key).length;
	}
}
