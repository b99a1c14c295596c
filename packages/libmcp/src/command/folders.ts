import { chmodSync, existsSync, lstatSync, mkdirSync, realpathSync, statSync } from "node:fs";
import { homedir, tmpdir, userInfo } from "node:os";
import { dirname, isAbsolute, join } from "node:path";

type Environment = Readonly<Record<string, string | undefined>>;

const KINDS = {
	config: { variable: "XDG_CONFIG_HOME", below: ".config" },
	cache: { variable: "XDG_CACHE_HOME", below: ".cache" },
	state: { variable: "XDG_STATE_HOME", below: join(".local", "state") },
} as const;

/** Our folder for one kind of user files. As XDG requires, a variable that is not an absolute path is ignored. */
export function findUserFolder(kind: keyof typeof KINDS, environment: Environment = process.env): string {
	const { variable, below } = KINDS[kind];
	const given = environment[variable];
	if (given !== undefined && isAbsolute(given)) return join(given, "holdfast");
	const home = findHome(environment);
	if (home === undefined) throw new Error(noHome(environment, ", or XDG_CONFIG_HOME and XDG_STATE_HOME"));
	return join(home, below, "holdfast");
}

/** The home folder, for files that can be nowhere else; throws when it is not known. */
export function requireHome(environment: Environment = process.env): string {
	const home = findHome(environment);
	if (home === undefined) throw new Error(noHome(environment));
	return home;
}

/** Undefined when `HOME` is empty or relative, as in some services and containers, and the user has no passwd entry. */
export function findHome(environment: Environment = process.env): string | undefined {
	const own = process.platform === "win32" ? undefined : environment.HOME;
	for (const find of [() => own ?? "", homedir, () => userInfo().homedir]) {
		try {
			const folder = find();
			if (isAbsolute(folder)) return folder;
		} catch {}
	}
	return undefined;
}

function noHome({ HOME }: Environment, otherwise = ""): string {
	const got = HOME === undefined ? "nothing" : JSON.stringify(HOME);
	return `HOME: expected this user's folder, got ${got}, and the system names none either; set it${otherwise}`;
}

/** The user's own folder for sockets and capsules, mode 0700; throws when another user could have created it. */
export function openRuntimeFolder(): string {
	const base = process.env.XDG_RUNTIME_DIR;
	const folder =
		base !== undefined && isAbsolute(base)
			? join(base, "holdfast")
			: join(tmpdir(), `holdfast-${process.getuid?.() ?? -1}`);
	makePrivateFolder(folder);
	return folder;
}

/** The default folder for telemetry. */
export function findStateFolder(): string {
	return findUserFolder("state");
}

const MAX_FILE_NAME = 48;
/** Windows treats these names as devices, not files, whatever follows the first dot. */
const DEVICE = /^(?:con|prn|aux|nul|com\d|lpt\d)(?=\.|$)/i;

/** Turns a name into a file name inside its folder. No two names collide, and applying it twice changes nothing. */
export function toFileName(name: string): string {
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

/**
 * Makes a folder and its missing parents. Node's recursive `mkdir` reports ENOENT for a read-only disk, and loops
 * forever where a file system returns ENOENT for a folder that cannot have children.
 */
export function makeFolder(path: string, mode?: number): void {
	if (isFolder(path)) return;
	const above = dirname(path);
	if (above !== path) makeFolder(above, mode);
	try {
		mkdirSync(path, mode);
	} catch (error) {
		// Another process may have made it in the meantime.
		if (isFolder(path)) return;
		throw existsSync(path) ? new Error(`${path}: it is a file, where a folder is needed`) : error;
	}
}

function isFolder(path: string): boolean {
	return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

/**
 * Names a folder that is too wide to be a project. Agents without a project start servers in the disk's root or the
 * home folder, and indexing that would read everything the user has. A git repository is a project wherever it is.
 */
export function describeTooWide(folder: string): "the disk's root" | "the home folder" | undefined {
	const real = realpathSync(folder);
	if (existsSync(join(real, ".git"))) return undefined;
	if (dirname(real) === real) return "the disk's root";
	const home = findHome();
	return home !== undefined && real === reallyAt(home) ? "the home folder" : undefined;
}

function reallyAt(folder: string): string | undefined {
	try {
		return realpathSync(folder);
	} catch {
		return undefined;
	}
}
