import { ToolError } from "../../contract/errors.ts";
import { countChars, type JsonObject } from "../../contract/json.ts";
import type { RunResult, ToolRunner } from "../../run/runner.ts";
import { renderContent, selectBeside, splitBlocks } from "./blocks.ts";

/** A chain over a thousand items must not hold as many images, nor more than one message can take. */
const MOST_BLOCKS = 20;
const MOST_CHARS = 9_000_000;

/** Images, links and files that tools give beside structured values, where a run of several passes on the values alone. */
export class BesideValues {
	readonly media: JsonObject[] = [];
	readonly #most: number;
	readonly #named: JsonObject[] = [];
	#failed: readonly JsonObject[] = [];
	#chars = 0;
	#more = 0;

	constructor(most: number = MOST_BLOCKS) {
		this.#most = most;
	}

	/** The runner, but what stands beside its values is kept here. */
	over(runner: ToolRunner): ToolRunner {
		return {
			...runner,
			run: async (request) => {
				try {
					const result = await runner.run(request);
					this.#keep(result);
					return result;
				} catch (thrown) {
					if (thrown instanceof ToolError) this.#failed = splitBlocks(thrown.object.details).media;
					throw thrown;
				}
			},
		};
	}

	/** What the last tool that failed showed, where its error is passed on without its details. */
	get failed(): readonly JsonObject[] {
		return this.#failed;
	}

	/** Names them, with how to read the links; undefined if there is none. */
	get text(): string | undefined {
		if (this.media.length + this.#more === 0) return undefined;
		const more = this.#more === 0 ? "" : `\n… ${this.#more} more are left out; run_tool shows those of one call`;
		return `${renderContent(this.#named)}${more}`.trimStart();
	}

	/** A text with those names below it. */
	after(text: string): string {
		return [text, this.text].filter((part) => part !== undefined && part !== "").join("\n");
	}

	#keep(result: RunResult): void {
		for (const { block, named } of selectBeside(result)) {
			const chars = countChars(block);
			if (this.media.length >= this.#most || this.#chars + chars > MOST_CHARS) this.#more++;
			else {
				this.#chars += chars;
				this.media.push(block);
				this.#named.push(named);
			}
		}
	}
}
