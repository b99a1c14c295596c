import { createHash } from "node:crypto";

/** A valid token table with a few words. */
export function tinyModel(words: readonly string[] = ["session", "token", "user"]): Buffer {
	const dims = 4;
	const meta = Buffer.from(JSON.stringify({ name: "tiny" }));
	const text = Buffer.from(words.join("\n"));
	const header = Buffer.alloc(20);
	header.write("HFTT", 0, "latin1");
	header.writeUInt16LE(1, 4);
	header.writeUInt16LE(dims, 6);
	header.writeUInt32LE(words.length, 8);
	header.writeUInt32LE(text.length, 12);
	header.writeUInt32LE(meta.length, 16);
	const weights = Buffer.from(new Float32Array(words.length * 2).fill(1).buffer);
	const table = Buffer.from(Int8Array.from({ length: words.length * dims }, (_, index) => (index * 37) % 100));
	const body = Buffer.concat([header, meta, weights, text, table]);
	return Buffer.concat([body, createHash("sha256").update(body).digest()]);
}
