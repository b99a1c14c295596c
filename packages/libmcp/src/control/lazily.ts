export type Lazy<T> = {
	load(): Promise<T>;
	/** The load that was asked for, if one was. */
	readonly begun: Promise<T> | undefined;
};

/** For modules that most sessions never need. A failure is not kept, because their files may come back. */
export function lazily<T>(load: () => Promise<T>): Lazy<T> {
	let begun: Promise<T> | undefined;
	return {
		load() {
			begun ??= load().catch((error: unknown) => {
				begun = undefined;
				throw error;
			});
			return begun;
		},
		get begun() {
			return begun;
		},
	};
}
