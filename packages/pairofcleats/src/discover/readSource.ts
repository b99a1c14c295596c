import { isAscii, isUtf8 } from "node:buffer";
import { join } from "node:path";
import { readRegularFile } from "../files/readFiles.ts";
import { DEFAULT_MAX_FILE_BYTES } from "./discoverFiles.ts";

type Encoding = "utf-8" | "utf-16le" | "utf-16be" | "latin1";

export type SourceText =
	| {
			readonly kind: "text";
			readonly text: string;
			/** The text as UTF-8, which is what gets hashed and stored. */
			readonly utf8: Buffer;
			readonly encoding: Encoding;
			readonly bytes: number;
			readonly mtimeMs: number;
			readonly generated: boolean;
	  }
	/** Only a file that `failed` may be readable later although nothing about it changes. */
	| { readonly kind: "binary" | "oversize" | "missing" | "unreadable" | "failed" };

/** Bytes examined to distinguish text from binary. */
const SNIFFED = 8192;

/** Reads and decodes one discovered file; never follows a link or reads more than the limit. */
export async function readSource(
	root: string,
	path: string,
	maxFileBytes: number = DEFAULT_MAX_FILE_BYTES,
): Promise<SourceText> {
	const read = readRegularFile(join(root, path), maxFileBytes);
	if (read.kind !== "bytes") return read;
	const { bytes, mtimeMs } = read;
	try {
		const decoded = decodeText(bytes);
		if (!decoded) return { kind: "binary" };
		return { kind: "text", ...decoded, bytes: bytes.length, mtimeMs, generated: looksGenerated(decoded.text) };
	} catch {
		// Its text is longer than a string can be.
		return { kind: "unreadable" };
	}
}

/** Decodes by byte-order mark, else as UTF-8, else as Latin-1; `undefined` if the bytes are not text. */
export function decodeText(bytes: Buffer): { text: string; utf8: Buffer; encoding: Encoding } | undefined {
	if (bytes[0] === 0xff && bytes[1] === 0xfe) return encoded(bytes.subarray(2).toString("utf16le"), "utf-16le");
	if (bytes[0] === 0xfe && bytes[1] === 0xff) {
		const even = bytes.subarray(2, bytes.length - (bytes.length % 2));
		return encoded(Buffer.from(even).swap16().toString("utf16le"), "utf-16be");
	}
	if (bytes.subarray(0, SNIFFED).includes(0)) return undefined;
	const body = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? bytes.subarray(3) : bytes;
	// Most files are ASCII, which decodes as Latin-1 in a third of the time.
	if (isAscii(body)) {
		const text = body.toString("latin1");
		return isPointer(text) ? undefined : { text, utf8: body, encoding: "utf-8" };
	}
	const text = body.toString("utf8");
	if (isUtf8(body)) return { text, utf8: body, encoding: "utf-8" };
	if (!isMostlyText(body)) return undefined;
	// A UTF-8 text with a few damaged characters is still UTF-8, not Latin-1.
	const damaged = text.split("\uFFFD").length - 1;
	const whole = (text.match(/[^\0-\x7F\uFFFD]/g) ?? []).length;
	return whole > damaged * 4 ? encoded(text, "utf-8") : encoded(body.toString("latin1"), "latin1");
}

/** Whether the text is a Git LFS pointer to a file that was not fetched. */
function isPointer(text: string): boolean {
	return text.length < 1_024 && /^version https:\/\/git-lfs\.github\.com\/spec\/v1\n(?:ext-|oid )/.test(text);
}

function encoded(text: string, encoding: Encoding): { text: string; utf8: Buffer; encoding: Encoding } {
	return { text, utf8: Buffer.from(text, "utf8"), encoding };
}

function isMostlyText(bytes: Buffer): boolean {
	const head = bytes.subarray(0, SNIFFED);
	let control = 0;
	for (const byte of head) if (byte < 9 || (byte > 13 && byte < 32 && byte !== 27)) control += 1;
	return control * 50 <= head.length;
}

/** The last line of a compiler's or bundler's output. */
const MAPPED_TO_SOURCE = /(?:^|\n)\/[/*][#@][ \t]*sourceMappingURL=\S+(?:[ \t]*\*\/)?\s*$/;

/** A header begins a line, after the marks of a comment: a manual may speak of generated files too. */
const GENERATED_HEADER =
	/^[\s\p{P}\p{S}]{0,40}(?:(?:this|the) (?:[\w.-]{1,30} )?(?:file|code|source|header|script|document) (?:is|was|has been) )?(?:(?<=@)generated\b|code generated\b.{0,80}\bdo not edit\b|automatically generated\b|auto-?generated (?:by|from|file)\b)/imu;

/** Whether a text is generated: a header says so, it ends with a source map reference, or its lines are very long. */
export function looksGenerated(text: string): boolean {
	if (MAPPED_TO_SOURCE.test(text.slice(-300))) return true;
	if (GENERATED_HEADER.test(text.slice(0, 1500))) return true;
	if (text.length < 20_000) return false;
	let lines = 1;
	for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) lines += 1;
	return text.length / lines > 500;
}
