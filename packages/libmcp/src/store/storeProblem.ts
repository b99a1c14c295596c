/** Why a store refused or failed, and whether the same may succeed later. */
export const STORE_PROBLEMS = {
	FENCE_LOST: { retry: false },
	OUT_OF_ORDER: { retry: false },
	CHANGED_MEANWHILE: { retry: false },
	/** The store cannot be written or reached now: the disk is full, the server is away. */
	UNAVAILABLE: { retry: true },
	/** Another process has it. */
	IN_USE: { retry: true },
	DAMAGED: { retry: false },
	/** Written by a newer program. */
	NEWER: { retry: false },
	/** It is no store of ours, or the URL names none. */
	NO_STORE: { retry: false },
	CLOSED: { retry: false },
} as const;

export type StoreProblemCode = keyof typeof STORE_PROBLEMS;

/** What every method of a store rejects with. */
export class StoreProblem extends Error {
	override readonly name = "StoreProblem";
	readonly code: StoreProblemCode;

	constructor(code: StoreProblemCode, message: string, options: ErrorOptions = {}) {
		super(message, options);
		this.code = code;
	}

	/** Whether trying again later makes sense. */
	get isTemporary(): boolean {
		return STORE_PROBLEMS[this.code].retry;
	}
}
