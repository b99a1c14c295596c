/** One living process. Zombies are not listed: they hold no work, only a row that their parent has yet to read. */
export type ProcessEntry = {
	readonly pid: number;
	readonly parent: number;
	readonly group: number;
	/** In the platform's own units. */
	readonly startedAt: number;
};

export type ProcessRow = ProcessEntry & { readonly zombie: boolean };

/** Living processes no older than asked for, each with whether its environment carries the mark. */
export type ProcessTable = {
	readonly entries: readonly (ProcessEntry & { readonly marked: boolean })[];
	/** False when some process could not be attributed, so that a later table may know more. */
	readonly complete: boolean;
};
