// Vector loops that process sixteen components at a time. Rows are signed bytes, padded to a multiple of sixteen.

const STEP: u32 = 16;

/**
 * Writes the dot product of each row between `data` and `end` with the 16-bit numbers at `query` to `out`, as 32-bit
 * numbers. `row` is the size of a row in bytes.
 */
export function dots(query: u32, data: u32, end: u32, row: u32, out: u32): void {
	while (data < end) {
		const rowEnd = data + row;
		let factors = query;
		let sum = i32x4.splat(0);
		do {
			const bytes = v128.load(data);
			sum = i32x4.add(sum, i32x4.dot_i16x8_s(i16x8.extend_low_i8x16_s(bytes), v128.load(factors)));
			sum = i32x4.add(sum, i32x4.dot_i16x8_s(i16x8.extend_high_i8x16_s(bytes), v128.load(factors, 16)));
			factors += 2 * STEP;
			data += STEP;
		} while (data < rowEnd);
		store<i32>(
			out,
			i32x4.extract_lane(sum, 0) + i32x4.extract_lane(sum, 1) + i32x4.extract_lane(sum, 2) + i32x4.extract_lane(sum, 3),
		);
		out += 4;
	}
}

/** Adds a row, multiplied by the weight, to the 64-bit floats at `into`. */
export function addRow(row: u32, end: u32, weight: f64, into: u32): void {
	const weights = f64x2.splat(weight);
	do {
		const bytes = v128.load(row);
		addEight(i16x8.extend_low_i8x16_s(bytes), weights, into);
		addEight(i16x8.extend_high_i8x16_s(bytes), weights, into + 64);
		into += 8 * STEP;
		row += STEP;
	} while (row < end);
}

function addEight(values: v128, weights: v128, into: u32): void {
	addFour(i32x4.extend_low_i16x8_s(values), weights, into);
	addFour(i32x4.extend_high_i16x8_s(values), weights, into + 32);
}

function addFour(values: v128, weights: v128, into: u32): void {
	const upper = i32x4.shuffle(values, values, 2, 3, 2, 3);
	v128.store(into, f64x2.add(v128.load(into), f64x2.mul(weights, f64x2.convert_low_i32x4_s(values))));
	v128.store(into, f64x2.add(v128.load(into, 16), f64x2.mul(weights, f64x2.convert_low_i32x4_s(upper))), 16);
}
