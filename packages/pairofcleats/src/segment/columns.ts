import { DamagedBlock } from "./bytes.ts";
/** Per-chunk data that stays in memory, one typed array per column. A segment stores them as one block. */
export const COLUMN_TYPES = {
	file: Uint32Array,
	start: Uint32Array,
	end: Uint32Array,
	startLine: Uint32Array,
	endLine: Uint32Array,
	/** Last line of the declaration, which for a class is that of its last member. */
	extentEndLine: Uint32Array,
	/** 53 bits of a hash of the text without whitespace: equal hashes mean the same code. */
	twinLow: Uint32Array,
	twinHigh: Uint32Array,
	/** Number of words in the body. */
	length: Uint16Array,
	flags: Uint16Array,
	kind: Uint8Array,
	mode: Uint8Array,
	branches: Uint8Array,
	loops: Uint8Array,
	breaks: Uint8Array,
	continues: Uint8Array,
} as const;

/** Branches, loops and jumps are counted up to this; a filter that asks for more finds these. */
export const MOST_COUNTED = 0xff;

export type ColumnName = keyof typeof COLUMN_TYPES;
export type Columns = { readonly [Name in ColumnName]: InstanceType<(typeof COLUMN_TYPES)[Name]> };

const NAMES = Object.keys(COLUMN_TYPES) as readonly ColumnName[];
const BYTES_PER_ROW = NAMES.reduce((sum, name) => sum + COLUMN_TYPES[name].BYTES_PER_ELEMENT, 0);

export type Row = { readonly [Name in ColumnName]: number };

/** Columns under construction. Rows are written directly into typed arrays, so that no object per chunk is kept. */
export class ColumnLog {
	#length = 0;
	#columns: Columns = columnsOf(1 << 10);

	get length(): number {
		return this.#length;
	}

	/** Clamps values that are too large for their column. */
	add(row: Row): void {
		if (this.#length === this.#columns.file.length) this.#widen();
		const at = this.#length++;
		const columns = this.#columns;
		columns.file[at] = row.file;
		columns.start[at] = row.start;
		columns.end[at] = row.end;
		columns.startLine[at] = row.startLine;
		columns.endLine[at] = row.endLine;
		columns.extentEndLine[at] = row.extentEndLine;
		columns.twinLow[at] = row.twinLow;
		columns.twinHigh[at] = row.twinHigh;
		columns.length[at] = Math.min(row.length, 0xffff);
		columns.flags[at] = row.flags;
		columns.kind[at] = row.kind;
		columns.mode[at] = row.mode;
		columns.branches[at] = Math.min(row.branches, MOST_COUNTED);
		columns.loops[at] = Math.min(row.loops, MOST_COUNTED);
		columns.breaks[at] = Math.min(row.breaks, MOST_COUNTED);
		columns.continues[at] = Math.min(row.continues, MOST_COUNTED);
	}

	/** Copies a row of other columns, with another file number. */
	copy(from: Columns, row: number, file: number): void {
		if (this.#length === this.#columns.file.length) this.#widen();
		for (const name of NAMES) this.#columns[name][this.#length] = from[name][row] ?? 0;
		this.#columns.file[this.#length++] = file;
	}

	/** The block that `unpackColumns` reads. */
	packed(): Uint8Array {
		const bytes = new Uint8Array(this.#length * BYTES_PER_ROW);
		const packed = viewColumns(bytes, this.#length);
		for (const name of NAMES) packed[name].set(this.#columns[name].subarray(0, this.#length));
		return bytes;
	}

	clear(): void {
		this.#length = 0;
	}

	#widen(): void {
		const wider = columnsOf(this.#length * 2);
		for (const name of NAMES) wider[name].set(this.#columns[name]);
		this.#columns = wider;
	}
}

function columnsOf(count: number): Columns {
	return viewColumns(new Uint8Array(count * BYTES_PER_ROW), count);
}

export function unpackColumns(bytes: Uint8Array, count: number): Columns {
	if (bytes.length !== count * BYTES_PER_ROW) {
		throw new DamagedBlock(`columns of ${count} chunks take ${count * BYTES_PER_ROW} bytes, not ${bytes.length}`);
	}
	// Typed arrays need alignment, which a decompressed block may lack.
	return viewColumns(bytes.byteOffset % 4 === 0 ? bytes : bytes.slice(), count);
}

/** Takes the widest columns first, so that every array is aligned. */
function viewColumns(bytes: Uint8Array, count: number): Columns {
	let offset = bytes.byteOffset;
	const take = <Type>(
		type: new (buffer: ArrayBufferLike, offset: number, length: number) => Type,
		size: number,
	): Type => {
		const view = new type(bytes.buffer, offset, count);
		offset += count * size;
		return view;
	};
	return {
		file: take(Uint32Array, 4),
		start: take(Uint32Array, 4),
		end: take(Uint32Array, 4),
		startLine: take(Uint32Array, 4),
		endLine: take(Uint32Array, 4),
		extentEndLine: take(Uint32Array, 4),
		twinLow: take(Uint32Array, 4),
		twinHigh: take(Uint32Array, 4),
		length: take(Uint16Array, 2),
		flags: take(Uint16Array, 2),
		kind: take(Uint8Array, 1),
		mode: take(Uint8Array, 1),
		branches: take(Uint8Array, 1),
		loops: take(Uint8Array, 1),
		breaks: take(Uint8Array, 1),
		continues: take(Uint8Array, 1),
	};
}

/** Bits of the `flags` column. Each yes/no fact has a second bit that says whether it is known. */
export const FLAG = {
	async: 1 << 0,
	asyncKnown: 1 << 1,
	generator: 1 << 2,
	generatorKnown: 1 << 3,
	returns: 1 << 4,
	returnsKnown: 1 << 5,
	exported: 1 << 6,
	controlFlowKnown: 1 << 7,
	test: 1 << 8,
	vendored: 1 << 9,
	generated: 1 << 10,
	parseError: 1 << 11,
	/** The declaration begins in an earlier chunk. */
	laterPart: 1 << 12,
	/** The declaration continues in a later chunk. */
	moreParts: 1 << 13,
} as const;

export const MODES = ["code", "prose", "extracted-prose", "records"] as const;
export type Mode = (typeof MODES)[number];
