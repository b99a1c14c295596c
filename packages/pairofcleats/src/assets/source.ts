import { invalidField } from "../contract/errors.ts";

/** Something that can be downloaded, and its expected digest. */
export type Source = {
	readonly name: string;
	readonly url: string;
	/** Hex SHA-256 of the downloaded file; absent only if the caller accepts unverified downloads. */
	readonly sha256?: string;
	readonly allowUnverified?: boolean;
	/** The file to extract, if the source is an archive. */
	readonly member?: string;
};

const NPM = "https://registry.npmjs.org";

/** A file inside a published npm package, pinned by version and digest. */
function npm(name: string, packageName: string, version: string, sha256: string, member: string): Source {
	return { name, url: `${NPM}/${packageName}/-/${packageName}-${version}.tgz`, sha256, member };
}

export const DICTIONARIES: Readonly<Record<string, Source>> = {
	en: npm(
		"en",
		"word-list",
		"4.1.0",
		"c0cd6e2a112392204960e9998d79347a8ae1571dab5e3fdbfa685ef5977faedb",
		"package/words.txt",
	),
};

/** The sqlite-vec extension, for each platform with a published build. */
export const EXTENSIONS: Readonly<Record<string, Source>> = {
	"linux-x64": vec("linux-x64", "d75c33662b3ce690d122a5f4285a3acf2f6ba288c46331a7b1fad593b6da2908", "so"),
	"linux-arm64": vec("linux-arm64", "96a03e2ac0906b035085ec4e2307dd8076fb02673b8f5bb6659a5f4feeacd892", "so"),
	"darwin-arm64": vec("darwin-arm64", "d4cc82d89dd2179298d82f02d058d78877d79bf1ecbaaab608c2c6e577c89f3a", "dylib"),
	"darwin-x64": vec("darwin-x64", "f2aac6d27eb8fcb23701c81bf7062308506bb9aaef9fa020d131fb6850227050", "dylib"),
	"win32-x64": vec("windows-x64", "d1ecef6e86cb0a7db8718800a667802e54069cf8db71ce23f6f8867fc42511e3", "dll"),
};

/** Empty: the default model ships with the package; other models need a source given by the caller. */
export const MODELS: Readonly<Record<string, Source>> = {};

function vec(platform: string, sha256: string, suffix: string): Source {
	return npm("sqlite-vec", `sqlite-vec-${platform}`, "0.1.9", sha256, `package/vec0.${suffix}`);
}

/** Looks up a source by own key only, because the name comes from the caller and could be `constructor`. */
export function findPinnedSource(pinned: Readonly<Record<string, Source>>, name: string): Source | undefined {
	return Object.hasOwn(pinned, name) ? pinned[name] : undefined;
}

const LONGEST_NAME = 80;

/** Parses a caller-supplied source, `name=url#sha256=<hex>`; the digest is optional only if the caller allows it. */
export function readOwnSource(field: string, text: string, allowUnverified: boolean): Source {
	const [, name, address, sha256] =
		/^(?:([\w.-]+)=)?(https?:\/\/[^#\s]+)(?:#sha256=([0-9a-f]{64}))?$/i.exec(text) ?? [];
	if (address === undefined || !URL.canParse(address))
		throw invalidField(field, "name=url#sha256=<64 hex digits>", text);
	const url = new URL(address);
	if (url.protocol !== "https:" && !isLoopback(url.hostname)) throw invalidField(field, "an https address", text);
	if (url.username !== "" || url.password !== "")
		throw invalidField(field, "an address without credentials", "one with them");
	if (sha256 === undefined && !allowUnverified) {
		throw invalidField(field, "#sha256=<64 hex digits> after the address, or allowUnverified", text);
	}
	const own = name ?? (url.pathname.split("/").at(-1) || "download").replace(/\.(?:zip|tgz|tar(?:\.gz)?)$/i, "");
	if (own.length > LONGEST_NAME) throw invalidField(field, `a name of at most ${LONGEST_NAME} characters`, own);
	return {
		name: own,
		url: url.href,
		...(sha256 === undefined ? { allowUnverified } : { sha256: sha256.toLowerCase() }),
	};
}

/** Plain http is allowed only to this machine. */
export function isLoopback(hostname: string): boolean {
	return hostname === "localhost" || hostname === "[::1]" || /^127(?:\.\d{1,3}){3}$/.test(hostname);
}
