import type { NotificationEnvelope } from "libmcp/serve";
import { VALID } from "../../results.ts";
import { textModule } from "../../text/textModule.ts";
import { type AssetRule, isSurelyValid, type WrittenRules } from "../../validate/rules/surelyValid.ts";
import { LARGEST_READ_BY_HOST } from "../frontEnd/lines.ts";
import type { PlainFrame } from "../frontEnd/plainFrame.ts";

// Internal to worker and host: clients never send or see it.
const NOTICE = "notifications/synesthetic/rules";
const MOST_UNTRIED = 62;

/** The notification by which a worker hands its rules to its host. */
export function writeHandedRules(rules: WrittenRules): string {
	return JSON.stringify({ jsonrpc: "2.0", method: NOTICE, params: rules });
}

/**
 * Rules handed over by a worker. With them the host recognises valid assets itself, faster than by asking the worker.
 */
export class HandedRules {
	#rules: ReadonlyMap<string, AssetRule> = new Map();
	/** How many assets to pass to the worker without trying the rules, and how many of these are left. */
	#patience = 0;
	#untried = 0;

	/** Drops the rules, because a new worker has read the files again. */
	renew(): void {
		this.#rules = new Map();
	}

	/**
	 * Takes over the rules that a worker's notification carries; false if it carries none. The rules are dropped if this
	 * process cannot run the text module or has a different version of it.
	 */
	take({ method, params }: NotificationEnvelope, frame: Buffer): boolean {
		if (method !== NOTICE || params === undefined) return false;
		const { memory, schemas }: WrittenRules = JSON.parse(frame.toString("utf8", params.start, params.end));
		this.#rules = new Map(textModule()?.takeRules(memory) === true ? schemas : []);
		this.#untried = 0;
		return true;
	}

	/** The result of a plain validate_asset, if the rules prove the asset valid. */
	verdictIn({ method, paramsStart }: PlainFrame, frame: Buffer): string | undefined {
		if (method !== "validate_asset" || this.#rules.size === 0 || frame.length > LARGEST_READ_BY_HOST) return undefined;
		if (this.#untried > 0) {
			this.#untried -= 1;
			return undefined;
		}
		const valid = this.#isSurelyValid(frame, paramsStart);
		// Back off while the rules rarely help. The number of skipped assets is even, so that if valid and invalid assets
		// alternate, the valid ones get tried too.
		this.#patience = valid ? 0 : Math.min(2 * this.#patience + 2, MOST_UNTRIED);
		this.#untried = this.#patience;
		return valid ? VALID : undefined;
	}

	#isSurelyValid(frame: Buffer, from: number): boolean {
		const module = textModule();
		try {
			return (
				module !== undefined &&
				isSurelyValid(module, frame, from, frame.length - 1, (schema) => this.#rules.get(schema))
			);
		} catch {
			// The module trapped: leave the request to the worker, which can be replaced if it does too.
			return false;
		}
	}
}
