/** The kinds of failure. Consumers must tell them apart; never retry `ambiguous_outcome` blindly. */
export const FAULT_CLASSES = [
	"transport",
	"process",
	"protocol",
	"timeout",
	"downstream",
	"resource",
	"replay",
	"rollout",
	"invariant",
	"ambiguous_outcome",
] as const;

export type FaultClass = (typeof FAULT_CLASSES)[number];

/** Advice about the worker process; it never says that a request may run again. */
export const RECOVERY_HINTS = ["keep_worker", "replace_worker", "roll_forward", "abort_host"] as const;

export type RecoveryHint = (typeof RECOVERY_HINTS)[number];

/**
 * Advice to the sender of the request: `safe` to send again now, `later` after a pause, `unsafe` because the first
 * attempt may have taken effect, `never` because the same request would fail the same way.
 */
export const RETRY_ADVICE = ["safe", "later", "unsafe", "never"] as const;

export type RetryAdvice = (typeof RETRY_ADVICE)[number];

/** An operational failure as data; policy, health, telemetry and the text for models are all derived from these fields. */
export type Fault = {
	readonly class: FaultClass;
	/** Stable, countable name: lower-case letters, digits and underscores. */
	readonly code: string;
	/** For operators; may name exit codes and limits, never a payload. */
	readonly detail: string;
	/** The worker generation that failed; 0 when there is none. */
	readonly generation: number;
	readonly hint: RecoveryHint;
	readonly retry: RetryAdvice;
	readonly retryAfterMs?: number;
};

export type FaultFields = {
	readonly detail: string;
	readonly generation?: number;
	readonly hint?: RecoveryHint;
	readonly retry?: RetryAdvice;
	readonly retryAfterMs?: number;
};

/** Creates a fault and fills in the defaults of its class. */
export function createFault(faultClass: FaultClass, code: string, fields: FaultFields): Fault {
	if (!CODE.test(code)) throw new TypeError(`fault code: expected ${CODE.source}, got ${JSON.stringify(code)}`);
	const defaults = CLASS_DEFAULTS[faultClass];
	return {
		class: faultClass,
		code,
		detail: fields.detail,
		generation: fields.generation ?? 0,
		hint: fields.hint ?? defaults.hint,
		retry: faultClass === "ambiguous_outcome" ? "unsafe" : (fields.retry ?? defaults.retry),
		...(fields.retryAfterMs === undefined ? {} : { retryAfterMs: fields.retryAfterMs }),
	};
}

/** True for any value with a fault's fields, each of its kind, wherever it came from. */
export function isFault(value: unknown): value is Fault {
	if (typeof value !== "object" || value === null) return false;
	const { class: kind, code, detail, generation, hint, retry, retryAfterMs } = value as Record<string, unknown>;
	return (
		isOneOf(FAULT_CLASSES, kind) &&
		typeof code === "string" &&
		CODE.test(code) &&
		typeof detail === "string" &&
		Number.isSafeInteger(generation) &&
		isOneOf(RECOVERY_HINTS, hint) &&
		isOneOf(RETRY_ADVICE, retry) &&
		(retryAfterMs === undefined || Number.isFinite(retryAfterMs))
	);
}

const CODE = /^[a-z0-9_]+$/;

const CLASS_DEFAULTS: Readonly<Record<FaultClass, { readonly hint: RecoveryHint; readonly retry: RetryAdvice }>> = {
	transport: { hint: "replace_worker", retry: "later" },
	process: { hint: "replace_worker", retry: "later" },
	protocol: { hint: "keep_worker", retry: "never" },
	timeout: { hint: "replace_worker", retry: "unsafe" },
	downstream: { hint: "keep_worker", retry: "never" },
	resource: { hint: "keep_worker", retry: "later" },
	replay: { hint: "keep_worker", retry: "never" },
	rollout: { hint: "roll_forward", retry: "later" },
	invariant: { hint: "replace_worker", retry: "never" },
	ambiguous_outcome: { hint: "replace_worker", retry: "unsafe" },
};

function isOneOf<T extends string>(values: readonly T[], value: unknown): value is T {
	return values.some((one) => one === value);
}

/** Carries a fault as an exception. */
export class FaultError extends Error {
	override readonly name = "FaultError";
	readonly fault: Fault;

	constructor(fault: Fault, options?: ErrorOptions) {
		super(fault.detail, options);
		this.fault = fault;
	}
}
