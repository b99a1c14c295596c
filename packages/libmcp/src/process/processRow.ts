/** One living process. Zombies are left out: they do nothing but wait for their parent to reap them. */
export type ProcessEntry = {
	readonly pid: number;
	readonly parent: number;
	readonly group: number;
	/** In the platform's own units. */
	readonly startedAt: number;
};

export type ProcessRow = ProcessEntry & { readonly zombie: boolean };

/** Living processes no older than requested, and whether each carries the mark. */
export type ProcessTable = {
	readonly entries: readonly (ProcessEntry & { readonly marked: boolean })[];
	/** False when the mark of some process could not be read; a later table may know more. */
	readonly complete: boolean;
};
