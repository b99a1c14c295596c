import { chmodSync, lstatSync, realpathSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { makeFolder } from "./makeFolder.ts";

/** Makes a folder that is this user's alone, mode 0700; throws when another user could have created it. */
export function makePrivateFolder(folder: string): void {
	makeFolder(folder, 0o700);
	const found = lstatSync(folder);
	if (!found.isDirectory() || !isOwn(found.uid)) {
		throw new Error(`${folder}: expected a folder of this user's own, got somebody else's or a link`);
	}
	if (process.platform === "win32" || (found.mode & 0o077) === 0) return;
	// What others could write into it is there already, whatever the mode is from now on.
	if ((found.mode & 0o022) !== 0 && !isOwnGroup(found.gid, found.mode)) {
		throw new Error(`${folder}: expected a folder that only this user can write to, got mode ${octal(found.mode)}`);
	}
	chmodSync(folder, 0o700);
}

/**
 * Whether no other user can put another folder in the place of this one: each folder above it belongs to this user or to
 * root, and only they can rename what is in it.
 */
export function isOutOfReach(folder: string): boolean {
	if (process.platform === "win32") return true;
	for (let above = dirname(realpathSync(folder)); ; above = dirname(above)) {
		const { uid, gid, mode } = statSync(above);
		if (!isOwn(uid) && uid !== 0) return false;
		const isSticky = (mode & 0o1000) !== 0;
		if ((mode & 0o022) !== 0 && !isSticky && !isOwnGroup(gid, mode)) return false;
		if (above === dirname(above)) return true;
	}
}

function isOwn(uid: number): boolean {
	return process.getuid === undefined || uid === process.getuid();
}

/** Many systems give each user a group of their own, and let it write wherever the user can. */
function isOwnGroup(gid: number, mode: number): boolean {
	return (mode & 0o002) === 0 && gid === process.getgid?.();
}

function octal(mode: number): string {
	return (mode & 0o777).toString(8).padStart(4, "0");
}
