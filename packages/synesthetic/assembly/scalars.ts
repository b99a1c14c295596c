/** The address after the number or literal that begins here; 0 if it is invalid. */
export function scalarEnd(at: u32): u32 {
	const end = valueEnd(at);
	return end !== 0 && isEnd(load<u8>(end)) ? end : 0;
}

function isEnd(byte: u32): bool {
	return byte === 0x2c || byte === 0x7d || byte === 0x5d || byte <= 0x20;
}

// Four letters are compared as one little-endian number.
function valueEnd(at: u32): u32 {
	switch (load<u8>(at)) {
		case 0x74:
			return load<u32>(at) === 0x65757274 ? at + 4 : 0;
		case 0x6e:
			return load<u32>(at) === 0x6c6c756e ? at + 4 : 0;
		case 0x66:
			return load<u32>(at, 1) === 0x65736c61 ? at + 5 : 0;
		default:
			return numberEnd(at);
	}
}

function numberEnd(from: u32): u32 {
	let at = load<u8>(from) === 0x2d ? from + 1 : from;
	at = load<u8>(at) === 0x30 ? at + 1 : digitsEnd(at);
	if (at !== 0 && load<u8>(at) === 0x2e) at = digitsEnd(at + 1);
	if (at === 0 || (load<u8>(at) | 0x20) !== 0x65) return at;
	const sign = load<u8>(at, 1);
	return digitsEnd(sign === 0x2b || sign === 0x2d ? at + 2 : at + 1);
}

function digitsEnd(from: u32): u32 {
	let at = from;
	while (<u32>load<u8>(at) - 0x30 < 10) at += 1;
	return at === from ? 0 : at;
}
