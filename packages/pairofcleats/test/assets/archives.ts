import { deflateRawSync, gzipSync } from "node:zlib";

export type TarFile = {
	readonly name: string;
	readonly data?: Buffer | string;
	readonly type?: string;
	readonly link?: string;
	readonly size?: number;
};

/** Builds a tar by hand, so that it can be invalid in any way. */
export function tar(files: readonly TarFile[]): Buffer {
	const blocks: Buffer[] = [];
	for (const { name, data = "", type = "0", link = "", size } of files) {
		const body = Buffer.from(data);
		const header = Buffer.alloc(512);
		header.write(name, 0, 100);
		header.write("0000644\0", 100);
		header.write(`${(size ?? body.length).toString(8).padStart(11, "0")}\0`, 124);
		header.write("        ", 148);
		header.write(type, 156);
		header.write(link, 157, 100);
		header.write("ustar\0", 257);
		const sum = header.reduce((total, byte) => total + byte, 0);
		header.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148);
		blocks.push(header, body, Buffer.alloc((512 - (body.length % 512)) % 512));
	}
	return Buffer.concat([...blocks, Buffer.alloc(1024)]);
}

export const tgz = (files: readonly TarFile[]): Buffer => gzipSync(tar(files));

export type ZipFile = {
	readonly name: string;
	readonly data?: Buffer | string;
	readonly mode?: number;
	readonly size?: number;
	readonly flags?: number;
	readonly stored?: boolean;
};

export function zip(files: readonly ZipFile[]): Buffer {
	const locals: Buffer[] = [];
	const centrals: Buffer[] = [];
	let offset = 0;
	for (const { name, data = "", mode = 0o100644, size, flags = 0, stored = false } of files) {
		const body = Buffer.from(data);
		const packed = stored ? body : deflateRawSync(body);
		const method = stored ? 0 : 8;
		const title = Buffer.from(name);
		const local = Buffer.alloc(30);
		local.writeUInt32LE(0x04034b50, 0);
		local.writeUInt16LE(method, 8);
		local.writeUInt16LE(title.length, 26);
		const central = Buffer.alloc(46);
		central.writeUInt32LE(0x02014b50, 0);
		central[5] = 3;
		central.writeUInt16LE(flags, 8);
		central.writeUInt16LE(method, 10);
		central.writeUInt32LE(packed.length, 20);
		central.writeUInt32LE(size ?? body.length, 24);
		central.writeUInt16LE(title.length, 28);
		central.writeUInt32LE((mode << 16) >>> 0, 38);
		central.writeUInt32LE(offset, 42);
		locals.push(local, title, packed);
		centrals.push(central, title);
		offset += 30 + title.length + packed.length;
	}
	const directory = Buffer.concat(centrals);
	const end = Buffer.alloc(22);
	end.writeUInt32LE(0x06054b50, 0);
	end.writeUInt16LE(files.length, 8);
	end.writeUInt16LE(files.length, 10);
	end.writeUInt32LE(directory.length, 12);
	end.writeUInt32LE(offset, 16);
	return Buffer.concat([...locals, directory, end]);
}
