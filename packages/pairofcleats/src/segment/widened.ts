type Column = Uint8Array | Uint16Array | Uint32Array | Int32Array;

/** Copies a column into one twice as long, or `length` long if that is more. */
export function widened<Kind extends Column>(column: Kind, length = 0): Kind {
	const wider = new (column.constructor as new (length: number) => Kind)(Math.max(column.length * 2, length));
	wider.set(column);
	return wider;
}
