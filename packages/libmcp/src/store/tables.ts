/** The kinds of rows. Each row has an owner, such as its session, and a key that is unique for that owner. */
export type Table = "session" | "event" | "call" | "value" | "counter" | "lease";

/** Rows as text; inside a transaction, with its own changes. */
export type Rows = {
	get(table: Table, owner: string, key: string): string | undefined;
	put(table: Table, owner: string, key: string, value: string): void;
	delete(table: Table, owner: string, key: string): void;
	deleteAll(table: Table, owner: string): void;
	list(table: Table, owner: string): readonly KeptRow[];
};

export type KeptRow = { readonly key: string; readonly value: string };

/** Where a store in this process keeps its rows: in memory or in a file. */
export type Tables = {
	/** Whether it took effect: all of it, or, if `work` throws, nothing. Rethrows what `work` throws. */
	transact(work: (rows: Rows, part: <Result>(work: () => Result) => Result) => void): void;
	/** Outside of a transaction. */
	readonly rows: Pick<Rows, "get" | "list">;
	/** Resolves when all that was committed before the call survives the end of the machine. */
	sync(): Promise<void>;
	close(): void;
};
