import { statfsSync } from "node:fs";

/** File system type numbers of Linux and macOS. */
const LOCAL: ReadonlySet<number> = new Set([
	...[0xef53, 0x58465342, 0x9123683e, 0x01021994, 0x794c7630, 0x2fc12fc1, 0xf2f52010, 0xca451a4e],
	...[0x11, 0x1a],
]);

/** Whether a folder's file system is known to update folder timestamps and to notify watchers. */
export function isLocalFileSystem(folder: string): boolean {
	return LOCAL.has(statfsSync(folder).type);
}
