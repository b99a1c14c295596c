/*
 * The dot products of one query with many stored vectors, sixteen components at a time. Plain JavaScript takes a
 * nanosecond for each component; this takes a twentieth of that, so a search can afford to look at every vector.
 *
 *   dots(query, data, end, row, out): for each row of `row` bytes from `data` up to `end`, the sum of the products of
 *   its signed bytes with the 16-bit numbers at `query`, written to `out` as 32 bits. `row` is a multiple of sixteen.
 */
export type Dots = (query: number, data: number, end: number, row: number, out: number) => void;

/** The compiler knows WebAssembly only with the whole DOM: these are the members used here. */
declare const WebAssembly: {
	readonly Memory: new (size: { initial: number }) => { readonly buffer: ArrayBuffer };
	readonly Module: new (bytes: Uint8Array) => object;
	readonly Instance: new (module: object, imports: object) => { readonly exports: { readonly dots: Dots } };
};

const PAGE_BYTES = 65_536;

/** A memory of at least so many bytes and the function on it; all places are offsets in that memory. */
export function dotKernel(bytes: number): { readonly buffer: ArrayBuffer; readonly dots: Dots } {
	compiled ??= new WebAssembly.Module(MODULE);
	const memory = new WebAssembly.Memory({ initial: Math.ceil(bytes / PAGE_BYTES) });
	return { buffer: memory.buffer, dots: new WebAssembly.Instance(compiled, { m: { m: memory } }).exports.dots };
}

let compiled: object | undefined;

const I32 = 0x7f;
const V128 = 0x7b;
const NOTHING = 0x40;
const END = 0x0b;

// Parameters and locals by number.
const QUERY = 0;
const DATA = 1;
const STOP = 2;
const ROW = 3;
const OUT = 4;
const AT = 5;
const ROW_END = 6;
const SUM = 7;
const BYTES = 8;

const get = (local: number): number[] => [0x20, local];
const set = (local: number): number[] => [0x21, local];
const constant = (value: number): number[] => [0x41, value];
const ADD = 0x6a;
const BELOW = 0x49;
const block = (...body: readonly (number | readonly number[])[]): number[] => [0x02, NOTHING, ...body.flat(), END];
const loop = (...body: readonly (number | readonly number[])[]): number[] => [0x03, NOTHING, ...body.flat(), END];
const branchIf = (depth: number): number[] => [0x0d, depth];
const UNLESS = 0x45;
const simd = (code: number): number[] => (code < 0x80 ? [0xfd, code] : [0xfd, (code & 0x7f) | 0x80, code >> 7]);
/** Sixteen bytes; the second number is how they are aligned, as a power of two, and the third an offset. */
const load = (offset: number): number[] => [...simd(0x00), 0, offset];
const ZERO = [...simd(0x0c), ...new Array<number>(16).fill(0)];
const WIDEN_LOW = simd(0x87);
const WIDEN_HIGH = simd(0x88);
const DOT = simd(0xba);
const ADD_LANES = simd(0xae);
const lane = (number: number): number[] => [...simd(0x1b), number];
const STORE = [0x36, 2, 0];

const advance = (local: number, by: readonly number[]): number[] => [...get(local), ...by, ADD, ...set(local)];
const addProducts = (half: readonly number[], offset: number): number[] => [
	...get(SUM),
	...get(BYTES),
	...half,
	...get(AT),
	...load(offset),
	...DOT,
	...ADD_LANES,
	...set(SUM),
];

const BODY = [
	block(
		loop(
			[...get(DATA), ...get(STOP), BELOW, UNLESS, ...branchIf(1)],
			[...ZERO, ...set(SUM)],
			[...get(QUERY), ...set(AT)],
			[...get(DATA), ...get(ROW), ADD, ...set(ROW_END)],
			loop(
				[...get(DATA), ...load(0), ...set(BYTES)],
				addProducts(WIDEN_LOW, 0),
				addProducts(WIDEN_HIGH, 16),
				advance(AT, constant(32)),
				advance(DATA, constant(16)),
				[...get(DATA), ...get(ROW_END), BELOW, ...branchIf(0)],
			),
			get(OUT),
			[...get(SUM), ...lane(0), ...get(SUM), ...lane(1), ADD],
			[...get(SUM), ...lane(2), ADD, ...get(SUM), ...lane(3), ADD],
			STORE,
			advance(OUT, constant(4)),
			[0x0c, 0],
		),
	),
].flat();

const section = (id: number, bytes: readonly number[]): number[] => [id, ...length(bytes.length), ...bytes];
const length = (value: number): number[] => (value < 0x80 ? [value] : [(value & 0x7f) | 0x80, value >> 7]);
const name = (text: string): number[] => [text.length, ...Buffer.from(text)];
/** Two integers and two vectors beside the parameters. */
const CODE = [2, 2, I32, 2, V128, ...BODY, END];

const MODULE = Uint8Array.of(
	...[0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
	...section(1, [1, 0x60, 5, I32, I32, I32, I32, I32, 0]),
	...section(2, [1, ...name("m"), ...name("m"), 2, 0, 1]),
	...section(3, [1, 0]),
	...section(7, [1, ...name("dots"), 0, 0]),
	...section(10, [1, ...length(CODE.length), ...CODE]),
);
