/** The columns of a flat tree. */
export type TreeColumns = {
	/** Node type id; `ERROR_TYPE` for text that the grammar could not parse. */
	readonly type: Uint16Array;
	/** Field id under the parent, 0 for none. */
	readonly field: Uint16Array;
	/** Offsets into the text. */
	readonly start: Int32Array;
	readonly end: Int32Array;
	readonly parent: Int32Array;
	/** Index of the first node after this one's descendants. */
	readonly until: Int32Array;
};

/** Columns up to this size are reused between files, so that most files allocate nothing; larger ones are freed. */
const KEPT = 1 << 18;
let columns = allocate(1 << 16);

/** The shared columns, to be overwritten; they still contain the previous tree. */
export function treeColumns(): TreeColumns {
	if (columns.type.length > KEPT) columns = allocate(KEPT);
	return columns;
}

/** Doubles the shared columns and keeps their content. */
export function widerColumns(): TreeColumns {
	const old = columns;
	columns = allocate(old.type.length * 2);
	columns.type.set(old.type);
	columns.field.set(old.field);
	columns.start.set(old.start);
	columns.end.set(old.end);
	columns.parent.set(old.parent);
	columns.until.set(old.until);
	return columns;
}

function allocate(size: number): TreeColumns {
	return {
		type: new Uint16Array(size),
		field: new Uint16Array(size),
		start: new Int32Array(size),
		end: new Int32Array(size),
		parent: new Int32Array(size),
		until: new Int32Array(size),
	};
}
