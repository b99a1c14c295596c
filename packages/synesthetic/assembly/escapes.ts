/**
 * The bytes that are escaped by a backslash; `open` marks the first byte if the previous block ended with a backslash.
 */
export function escapedBytes(slashes: u64, open: u64): u64 {
	let escaped = open;
	for (let rest = slashes & ~open; rest !== 0; ) {
		const slash = rest & (0 - rest);
		escaped |= slash << 1;
		rest &= ~(slash | (slash << 1));
	}
	return escaped;
}

/** Whether all these bytes are valid after a backslash. */
export function areEscapes(block: u32, escaped: u64): bool {
	for (let rest = escaped; rest !== 0; rest &= rest - 1) if (!isEscape(block + <u32>ctz(rest))) return false;
	return true;
}

function isEscape(at: u32): bool {
	switch (load<u8>(at)) {
		case 0x22: // "
		case 0x5c: // \
		case 0x2f: // /
		case 0x62: // b
		case 0x66: // f
		case 0x6e: // n
		case 0x72: // r
		case 0x74: // t
			return true;
		case 0x75: // u
			return isHex(load<u8>(at, 1)) && isHex(load<u8>(at, 2)) && isHex(load<u8>(at, 3)) && isHex(load<u8>(at, 4));
		default:
			return false;
	}
}

function isHex(byte: u32): bool {
	return byte - 0x30 < 10 || (byte | 0x20) - 0x61 < 6;
}
