import { posix } from "node:path";
import { gunzipSync, inflateRawSync } from "node:zlib";
import { errorCode } from "libmcp/command";
import { CleatsError } from "../contract/errors.ts";

const ARCHIVE_SUFFIXES = [".zip", ".tar", ".tar.gz", ".tgz"] as const;

export function isArchive(name: string): boolean {
	return ARCHIVE_SUFFIXES.some((suffix) => name.toLowerCase().endsWith(suffix));
}

/** Reads all files of an archive into memory; the format is detected from its first bytes. */
export function readArchive(bytes: Buffer): ArchiveEntry[] {
	const guard = new ArchiveGuard(bytes.length);
	if (bytes[0] === 0x1f && bytes[1] === 0x8b) return readTar(gunzip(bytes), guard);
	if (bytes[0] === 0x50 && bytes[1] === 0x4b) return readZip(bytes, guard);
	return readTar(bytes, guard);
}

function gunzip(bytes: Buffer): Buffer {
	try {
		// The size limit plus the headers and padding of a tar with the most entries.
		const most = ARCHIVE_LIMITS.totalBytes + ARCHIVE_LIMITS.entries * 1_536;
		return gunzipSync(bytes, { maxOutputLength: Math.min(most, ARCHIVE_LIMITS.ratio * Math.max(bytes.length, 1_024)) });
	} catch (error) {
		if (errorCode(error) === "ERR_BUFFER_TOO_LARGE") {
			throw makeTooLargeError("times its packed size or the limit in all", ARCHIVE_LIMITS.ratio);
		}
		throw new CleatsError("ARCHIVE_UNSAFE", "the archive's compressed data is damaged");
	}
}

const BLOCK = 512;
const REGULAR_TYPES = new Set(["0", "\0", ""]);
/** Types `x` and `g` are extended headers (for the next entry, and for all entries); `L` is a GNU long name. */
const FOLDER = "5";

/**
 * Reads the regular files of a tar, in order. Links and devices are rejected, since the assets fetched here never
 * contain them.
 */
function readTar(bytes: Buffer, guard: ArchiveGuard): ArchiveEntry[] {
	const entries: ArchiveEntry[] = [];
	let longName: string | undefined;
	for (let at = 0; at + BLOCK <= bytes.length; ) {
		const header = bytes.subarray(at, at + BLOCK);
		if (header.every((byte) => byte === 0)) break;
		checkSum(header);
		const size = octal(header.subarray(124, 136));
		const type = String.fromCharCode(header[156] ?? 0);
		const data = bytes.subarray(at + BLOCK, at + BLOCK + size);
		if (data.length < size) throw makeUnsafeError(nameOf(header), "the archive ends inside it");
		at += BLOCK + Math.ceil(size / BLOCK) * BLOCK;
		if (type === "x" || type === "g") longName = type === "x" ? (paxPath(data) ?? longName) : longName;
		else if (type === "L") longName = text(data);
		else {
			const raw = longName ?? nameOf(header);
			longName = undefined;
			if (type === FOLDER) {
				guard.name(`${raw.replace(/\/+$/, "")}/.`);
				continue;
			}
			if (!REGULAR_TYPES.has(type))
				throw makeUnsafeError(raw, `it is a ${KINDS[type] ?? `entry of type ${JSON.stringify(type)}`}`);
			const name = guard.name(raw);
			guard.size(size);
			entries.push({ name, data });
		}
	}
	return entries;
}

const KINDS: Readonly<Record<string, string>> = {
	"1": "hard link",
	"2": "symbolic link",
	"3": "device",
	"4": "device",
	"6": "pipe",
};

function checkSum(header: Buffer): void {
	let sum = 0;
	for (const [index, byte] of header.entries()) sum += index >= 148 && index < 156 ? 32 : byte;
	if (sum !== octal(header.subarray(148, 156))) throw makeUnsafeError(nameOf(header), "its header is damaged");
}

function octal(field: Buffer): number {
	const digits = text(field).trim();
	if (!/^[0-7]{0,12}$/.test(digits)) throw makeUnsafeError("", "a size is no octal number");
	return digits === "" ? 0 : Number.parseInt(digits, 8);
}

function nameOf(header: Buffer): string {
	const name = text(header.subarray(0, 100));
	const isUstar = header.toString("latin1", 257, 262) === "ustar";
	const prefix = isUstar ? text(header.subarray(345, 500)) : "";
	return prefix === "" ? name : `${prefix}/${name}`;
}

function paxPath(data: Buffer): string | undefined {
	return /(?:^|\n)\d+ path=([^\n]*)\n/.exec(data.toString("utf8"))?.[1];
}

function text(field: Buffer): string {
	const end = field.indexOf(0);
	return field.toString("utf8", 0, end === -1 ? field.length : end);
}

const END = 0x06054b50;
const CENTRAL = 0x02014b50;
const LOCAL = 0x04034b50;
const STORED = 0;
const DEFLATED = 8;
const ENCRYPTED = 1;
const UNIX = 3;
const FILE_KIND = 0o170000;
const REGULAR_MODE = 0o100000;

/** Reads the regular files of a zip by its central directory. A size that differs from the declared one is an error. */
function readZip(bytes: Buffer, guard: ArchiveGuard): ArchiveEntry[] {
	const end = findEnd(bytes);
	const count = bytes.readUInt16LE(end + 10);
	if (count > ARCHIVE_LIMITS.entries) throw makeTooLargeError("entries", ARCHIVE_LIMITS.entries);
	const entries: ArchiveEntry[] = [];
	let at = bytes.readUInt32LE(end + 16);
	for (let index = 0; index < count; index++) {
		if (at + 46 > bytes.length || bytes.readUInt32LE(at) !== CENTRAL)
			throw makeUnsafeError("", "the directory is damaged");
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
	if ((bytes.readUInt16LE(central + 8) & ENCRYPTED) !== 0) throw makeUnsafeError(raw, "it is encrypted");
	const mode = bytes.readUInt32LE(central + 38) >>> 16;
	const isUnix = bytes[central + 5] === UNIX;
	if (isUnix && (mode & FILE_KIND) !== 0 && (mode & FILE_KIND) !== REGULAR_MODE)
		throw makeUnsafeError(raw, "it is a link or a device");
	const [packed, size] = [bytes.readUInt32LE(central + 20), bytes.readUInt32LE(central + 24)];
	guard.size(size);
	const local = bytes.readUInt32LE(central + 42);
	if (local + 30 > bytes.length || bytes.readUInt32LE(local) !== LOCAL)
		throw makeUnsafeError(raw, "its header is missing");
	const start = local + 30 + bytes.readUInt16LE(local + 26) + bytes.readUInt16LE(local + 28);
	const stored = bytes.subarray(start, start + packed);
	if (stored.length < packed) throw makeUnsafeError(raw, "the archive ends inside it");
	const data = unpack(stored, bytes.readUInt16LE(central + 10), size, raw);
	if (data.length !== size) throw makeUnsafeError(raw, `it says ${size} bytes and holds ${data.length}`);
	return { name, data };
}

function unpack(stored: Buffer, method: number, size: number, raw: string): Buffer {
	if (method === STORED) return stored;
	if (method !== DEFLATED) throw makeUnsafeError(raw, `compression method ${method} is not known here`);
	try {
		// One byte more than declared is enough to detect a wrong declaration.
		return inflateRawSync(stored, { maxOutputLength: size + 1 });
	} catch (error) {
		const lies = errorCode(error) === "ERR_BUFFER_TOO_LARGE";
		throw lies
			? makeUnsafeError(raw, `it holds more than the ${size} bytes it says`)
			: makeUnsafeError(raw, "its data is damaged");
	}
}

function findEnd(bytes: Buffer): number {
	for (let at = bytes.length - 22; at >= Math.max(0, bytes.length - 22 - 0xffff); at--) {
		if (bytes.readUInt32LE(at) === END) return at;
	}
	throw makeUnsafeError("", "the directory is missing");
}

/** A regular file in an archive; its name has been checked. */
type ArchiveEntry = { readonly name: string; readonly data: Buffer };

const ARCHIVE_LIMITS = {
	entryBytes: 50 * 1024 * 1024,
	totalBytes: 200 * 1024 * 1024,
	entries: 2_048,
	/** Largest accepted compression ratio; real archives stay far below it. */
	ratio: 200,
} as const;

/** Enforces the limits while an archive is read, and rejects unsafe entry names. */
export class ArchiveGuard {
	readonly #packedBytes: number;
	readonly #names = new Set<string>();
	#total = 0;

	constructor(packedBytes: number) {
		this.#packedBytes = packedBytes;
	}

	/** Returns the name as a path below the target folder; throws ARCHIVE_UNSAFE if it would escape it. */
	name(raw: string): string {
		if (raw === "" || raw.includes("\0") || raw.length > 1_024)
			throw makeUnsafeError(raw, "its name is empty, too long or holds a NUL");
		if (raw.startsWith("/") || raw.startsWith("\\") || /^[A-Za-z]:/.test(raw))
			throw makeUnsafeError(raw, "its path is absolute");
		const path = posix.normalize(raw.replaceAll("\\", "/"));
		if (path === ".." || path.startsWith("../"))
			throw makeUnsafeError(raw, "it would be written outside the target folder");
		// Names that differ only in case are the same file on some file systems.
		const key = path.toLowerCase().normalize("NFC");
		if (this.#names.has(key)) throw makeUnsafeError(raw, "the archive holds that name twice");
		this.#names.add(key);
		if (this.#names.size > ARCHIVE_LIMITS.entries) throw makeTooLargeError("entries", ARCHIVE_LIMITS.entries);
		return path;
	}

	/** Called with declared sizes, before anything is unpacked. */
	size(bytes: number): void {
		if (bytes > ARCHIVE_LIMITS.entryBytes) throw makeTooLargeError("bytes in one entry", ARCHIVE_LIMITS.entryBytes);
		this.#total += bytes;
		if (this.#total > ARCHIVE_LIMITS.totalBytes) throw makeTooLargeError("bytes in all", ARCHIVE_LIMITS.totalBytes);
		if (this.#total > ARCHIVE_LIMITS.ratio * Math.max(this.#packedBytes, 1_024)) {
			throw makeTooLargeError("times its packed size", ARCHIVE_LIMITS.ratio);
		}
	}
}

function makeUnsafeError(name: string, why: string): CleatsError {
	return new CleatsError("ARCHIVE_UNSAFE", `archive entry ${JSON.stringify(name.slice(0, 120))}: ${why}`, {
		entry: name.slice(0, 120),
	});
}

function makeTooLargeError(what: string, limit: number): CleatsError {
	return new CleatsError("ARCHIVE_TOO_LARGE", `the archive holds more than ${limit} ${what}`, { limit, what });
}
