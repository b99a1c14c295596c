import { type ArchiveEntry, type ArchiveGuard, unsafe } from "./archiveEntry.ts";

const BLOCK = 512;
const REGULAR = new Set(["0", "\0", ""]);
/** Types `x` and `g` are extended headers (for the next entry, and for all entries); `L` is a GNU long name. */
const FOLDER = "5";

/**
 * Reads the regular files of a tar, in order. Links and devices are rejected, since the assets fetched here never
 * contain them.
 */
export function readTar(bytes: Buffer, guard: ArchiveGuard): ArchiveEntry[] {
	const entries: ArchiveEntry[] = [];
	let longName: string | undefined;
	for (let at = 0; at + BLOCK <= bytes.length; ) {
		const header = bytes.subarray(at, at + BLOCK);
		if (header.every((byte) => byte === 0)) break;
		checkSum(header);
		const size = octal(header.subarray(124, 136));
		const type = String.fromCharCode(header[156] ?? 0);
		const data = bytes.subarray(at + BLOCK, at + BLOCK + size);
		if (data.length < size) throw unsafe(nameOf(header), "the archive ends inside it");
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
			if (!REGULAR.has(type)) throw unsafe(raw, `it is a ${KINDS[type] ?? `entry of type ${JSON.stringify(type)}`}`);
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
	if (sum !== octal(header.subarray(148, 156))) throw unsafe(nameOf(header), "its header is damaged");
}

function octal(field: Buffer): number {
	const digits = text(field).trim();
	if (!/^[0-7]{0,12}$/.test(digits)) throw unsafe("", "a size is no octal number");
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
