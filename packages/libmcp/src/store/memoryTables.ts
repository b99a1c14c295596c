import type { KeptRow, Rows, Table, Tables } from "./tables.ts";

/** Keeps rows for as long as the process lives. */
export function memoryTables(): Tables {
	const kept = new Map<string, Map<string, string>>();
	/** What reverts the changes of the running transaction, newest last. */
	let undo: (() => void)[] = [];

	const ownedBy = (table: Table, owner: string): string => `${table} ${owner}`;
	const change = (name: string, key: string, value: string | undefined): void => {
		const rows = kept.get(name) ?? new Map<string, string>();
		const before = rows.get(key);
		if (before === undefined && value === undefined) return;
		undo.push(() => assign(name, key, before));
		assign(name, key, value);
	};
	const assign = (name: string, key: string, value: string | undefined): void => {
		const rows = kept.get(name) ?? new Map<string, string>();
		if (value === undefined) rows.delete(key);
		else rows.set(key, value);
		if (rows.size === 0) kept.delete(name);
		else kept.set(name, rows);
	};
	const rows: Rows = {
		get: (table, owner, key) => kept.get(ownedBy(table, owner))?.get(key),
		put: (table, owner, key, value) => change(ownedBy(table, owner), key, value),
		delete: (table, owner, key) => change(ownedBy(table, owner), key, undefined),
		deleteAll: (table, owner) => {
			const name = ownedBy(table, owner);
			for (const key of [...(kept.get(name)?.keys() ?? [])]) change(name, key, undefined);
		},
		list: (table, owner) =>
			[...(kept.get(ownedBy(table, owner)) ?? [])].map(([key, value]): KeptRow => ({ key, value })),
	};
	const revertTo = (length: number): void => {
		for (const revert of undo.splice(length).toReversed()) revert();
	};
	const part = <Result>(work: () => Result): Result => {
		const before = undo.length;
		try {
			return work();
		} catch (error) {
			revertTo(before);
			throw error;
		}
	};
	return {
		transact: (work) => {
			try {
				part(() => work(rows, part));
			} finally {
				undo = [];
			}
		},
		rows,
		sync: async () => {},
		close: () => kept.clear(),
	};
}
