import { inflateRawSync } from "node:zlib";
import { errorCode } from "libmcp/command";
import { ARCHIVE_LIMITS, type ArchiveEntry, type ArchiveGuard, tooLarge, unsafe } from "./archiveEntry.ts";

const END = 0x06054b50;
const CENTRAL = 0x02014b50;
const LOCAL = 0x04034b50;
const STORED = 0;
const DEFLATED = 8;
const ENCRYPTED = 1;
const UNIX = 3;
const FILE_KIND = 0o170000;
const REGULAR = 0o100000;

/** Reads the regular files of a zip by its central directory. A size that differs from the declared one is an error. */
export function readZip(bytes: Buffer, guard: ArchiveGuard): ArchiveEntry[] {
	const end = findEnd(bytes);
	const count = bytes.readUInt16LE(end + 10);
	if (count > ARCHIVE_LIMITS.entries) throw tooLarge("entries", ARCHIVE_LIMITS.entries);
	const entries: ArchiveEntry[] = [];
	let at = bytes.readUInt32LE(end + 16);
	for (let index = 0; index < count; index++) {
		if (at + 46 > bytes.length || bytes.readUInt32LE(at) !== CENTRAL) throw unsafe("", "the directory is damaged");
		const [nameLength, extraLength, commentLength] = [
			bytes.readUInt16LE(at + 28),
			bytes.readUInt16LE(at + 30),
			bytes.readUInt16LE(at + 32),
		];
		const raw = bytes.toString("utf8", at + 46, at + 46 + nameLength);
		if (raw.endsWith("/")) guard.name(`${raw}.`);
		else entries.push(readEntry(bytes, at, raw, guard));
		at += 46 + nameLength + extraLength + commentLength;
	}
	return entries;
}

function readEntry(bytes: Buffer, central: number, raw: string, guard: ArchiveGuard): ArchiveEntry {
	const name = guard.name(raw);
	if ((bytes.readUInt16LE(central + 8) & ENCRYPTED) !== 0) throw unsafe(raw, "it is encrypted");
	const mode = bytes.readUInt32LE(central + 38) >>> 16;
	const isUnix = bytes[central + 5] === UNIX;
	if (isUnix && (mode & FILE_KIND) !== 0 && (mode & FILE_KIND) !== REGULAR)
		throw unsafe(raw, "it is a link or a device");
	const [packed, size] = [bytes.readUInt32LE(central + 20), bytes.readUInt32LE(central + 24)];
	guard.size(size);
	const local = bytes.readUInt32LE(central + 42);
	if (local + 30 > bytes.length || bytes.readUInt32LE(local) !== LOCAL) throw unsafe(raw, "its header is missing");
	const start = local + 30 + bytes.readUInt16LE(local + 26) + bytes.readUInt16LE(local + 28);
	const stored = bytes.subarray(start, start + packed);
	if (stored.length < packed) throw unsafe(raw, "the archive ends inside it");
	const data = unpack(stored, bytes.readUInt16LE(central + 10), size, raw);
	if (data.length !== size) throw unsafe(raw, `it says ${size} bytes and holds ${data.length}`);
	return { name, data };
}

function unpack(stored: Buffer, method: number, size: number, raw: string): Buffer {
	if (method === STORED) return stored;
	if (method !== DEFLATED) throw unsafe(raw, `compression method ${method} is not known here`);
	try {
		// One byte more than declared is enough to detect a wrong declaration.
		return inflateRawSync(stored, { maxOutputLength: size + 1 });
	} catch (error) {
		const lies = errorCode(error) === "ERR_BUFFER_TOO_LARGE";
		throw lies ? unsafe(raw, `it holds more than the ${size} bytes it says`) : unsafe(raw, "its data is damaged");
	}
}

function findEnd(bytes: Buffer): number {
	for (let at = bytes.length - 22; at >= Math.max(0, bytes.length - 22 - 0xffff); at--) {
		if (bytes.readUInt32LE(at) === END) return at;
	}
	throw unsafe("", "the directory is missing");
}
