import { tmpdir } from "node:os";
import { isAbsolute, join } from "node:path";
import { makePrivateFolder } from "./privateFolder.ts";
import { userFolder } from "./userFolder.ts";

/** The user's own folder for sockets and capsules, mode 0700; throws when another user could have created it. */
export function runtimeFolder(): string {
	const base = process.env.XDG_RUNTIME_DIR;
	const folder =
		base !== undefined && isAbsolute(base)
			? join(base, "holdfast")
			: join(tmpdir(), `holdfast-${process.getuid?.() ?? -1}`);
	makePrivateFolder(folder);
	return folder;
}

/** The default folder for telemetry. */
export function stateFolder(): string {
	return userFolder("state");
}

const MAX_FILE_NAME = 48;
/** Windows treats these names as devices, not files, whatever follows the first dot. */
const DEVICE = /^(?:con|prn|aux|nul|com\d|lpt\d)(?=\.|$)/i;

/** Turns a name into a file name inside its folder. No two names collide, and applying it twice changes nothing. */
export function fileName(name: string): string {
	const plain = name
		.replace(/[^A-Za-z0-9._@-]+/g, "-")
		.replace(/^[.-]+/, "")
		.replace(DEVICE, "$&-");
	if (plain === name && plain !== "" && plain.length <= MAX_FILE_NAME) return plain;
	// Loaded here because few names need it and loading it delays the handshake.
	const { createHash } = process.getBuiltinModule("node:crypto");
	const hash = createHash("sha256").update(name).digest("hex").slice(0, 6);
	return `${plain.slice(0, MAX_FILE_NAME - hash.length - 1).replace(/-+$/, "") || "server"}-${hash}`;
}
