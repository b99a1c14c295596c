import { createHash, type Hash } from "node:crypto";
import { createReadStream, existsSync, renameSync, rmSync, statSync } from "node:fs";
import { open } from "node:fs/promises";
import type { IncomingMessage } from "node:http";
import http from "node:http";
import https from "node:https";
import { dirname } from "node:path";
import { errorCode, makeFolder } from "libmcp/command";
import { CleatsError } from "../contract/errors.ts";
import { isLoopback, type Source } from "./source.ts";

type DownloadOptions = {
	readonly signal: AbortSignal;
	readonly maxBytes?: number;
	/** Limit for the whole download, so that a slow trickle of bytes cannot last forever. */
	readonly deadlineMs?: number;
	/** ETag of the existing file: an unchanged source answers 304 without a body. */
	readonly etag?: string;
	readonly onProgress?: (bytes: number, total: number | undefined, bytesPerSecond: number) => void;
};

export type Downloaded =
	| { readonly kind: "unchanged" }
	| {
			readonly kind: "fetched";
			readonly bytes: number;
			readonly sha256: string;
			readonly etag?: string;
			readonly resumedFrom: number;
	  };

const MOST_BYTES = 200 * 1024 * 1024;
const DEADLINE_MS = 9 * 60_000;
const PROGRESS_MS = 250;

/**
 * Downloads a source to a file. Resumes an interrupted download, and verifies the digest before the file gets its final
 * name.
 */
export async function download(source: Source, target: string, options: DownloadOptions): Promise<Downloaded> {
	const limit = AbortSignal.timeout(options.deadlineMs ?? DEADLINE_MS);
	const signal = AbortSignal.any([options.signal, limit]);
	const part = `${target}.part`;
	makeFolder(dirname(target));
	try {
		let result = await fetchInto(source, part, { ...options, signal });
		if (result.kind === "fetched" && result.resumedFrom > 0 && result.sha256 !== source.sha256) {
			// The source has changed since the first part was downloaded.
			rmSync(part, { force: true });
			result = await fetchInto(source, part, { ...options, signal });
		}
		if (result.kind === "fetched") {
			verify(source, result.sha256, part);
			renameSync(part, target);
		}
		return result;
	} catch (error) {
		options.signal.throwIfAborted();
		if (limit.aborted)
			throw new CleatsError("TOOL_TIMEOUT", `${source.name}: not fetched within its deadline`, {
				timeoutMs: options.deadlineMs ?? DEADLINE_MS,
			});
		throw error;
	}
}

async function fetchInto(source: Source, part: string, options: DownloadOptions): Promise<Downloaded> {
	const most = options.maxBytes ?? MOST_BYTES;
	// Resume only if a digest will verify the combined result.
	const held = source.sha256 !== undefined && existsSync(part) ? statSync(part).size : 0;
	const response = await requestUrl(source.url, conditions(held, options.etag), options.signal);
	if (response.statusCode === 304) {
		response.destroy();
		return { kind: "unchanged" };
	}
	const resumed = held > 0 && response.statusCode === 206 && startsAt(response.headers["content-range"]) === held;
	if (held > 0 && (response.statusCode === 416 || (response.statusCode === 206 && !resumed))) {
		response.destroy();
		rmSync(part, { force: true });
		return fetchInto(source, part, options);
	}
	if (response.statusCode !== 200 && !resumed) {
		response.destroy();
		throw new CleatsError("CAPABILITY_MISSING", `${source.name}: the source answered ${response.statusCode}`, {
			status: response.statusCode,
		});
	}
	const from = resumed ? held : 0;
	const length = response.headers["content-length"];
	const total = length === undefined ? undefined : from + Number(length);
	if (total !== undefined && total > most) {
		response.destroy();
		rmSync(part, { force: true });
		throw tooMuch(source, most);
	}
	const hash = createHash("sha256");
	if (from > 0) await hashFile(part, hash);
	const resumable = source.sha256 !== undefined && (resumed || response.headers["accept-ranges"] === "bytes");
	const bytes = await write(response, { part, from, most, hash, source, total, resumable }, options.onProgress);
	const { etag } = response.headers;
	return { kind: "fetched", bytes, sha256: hash.digest("hex"), resumedFrom: from, ...(etag !== undefined && { etag }) };
}

function conditions(held: number, etag: string | undefined): Record<string, string> {
	if (held > 0) return { range: `bytes=${held}-` };
	return etag === undefined ? {} : { "if-none-match": etag };
}

function startsAt(range: string | undefined): number | undefined {
	const start = /^bytes (\d+)-/.exec(range ?? "")?.[1];
	return start === undefined ? undefined : Number(start);
}

type Writing = {
	readonly part: string;
	readonly from: number;
	readonly most: number;
	readonly hash: Hash;
	readonly source: Source;
	readonly total: number | undefined;
	/** Whether another attempt can resume; otherwise the partial file is deleted. */
	readonly resumable: boolean;
};

async function write(
	body: AsyncIterable<Buffer>,
	{ part, from, most, hash, source, total, resumable }: Writing,
	onProgress: DownloadOptions["onProgress"],
): Promise<number> {
	const file = await open(part, from > 0 ? "a" : "w", 0o600);
	const started = performance.now();
	let told = 0;
	let bytes = from;
	try {
		for await (const chunk of body) {
			bytes += chunk.length;
			if (bytes > most) throw tooMuch(source, most);
			hash.update(chunk);
			await file.appendFile(chunk);
			const now = performance.now();
			if (now - told < PROGRESS_MS) continue;
			told = now;
			onProgress?.(bytes, total, Math.round((bytes - from) / Math.max(0.001, (now - started) / 1_000)));
		}
		await file.sync();
		return bytes;
	} catch (error) {
		if (error instanceof CleatsError || !resumable) rmSync(part, { force: true });
		if (!BROKEN_LINE.test(errorCode(error) ?? "")) throw error;
		const [of, then] = [total === undefined ? "" : ` of ${total}`, resumable ? GOES_ON : "nothing was kept"];
		const message = `${source.name}: the source broke off after ${bytes}${of} bytes; ${then}`;
		throw new CleatsError("DOWNLOAD_VERIFY_FAILED", message, {}, { cause: error });
	} finally {
		await file.close();
	}
}

const BROKEN_LINE = /^(?:ECONNRESET|ETIMEDOUT|EPIPE|EPROTO|HPE_|ERR_SSL|ERR_STREAM_PREMATURE)/;
const GOES_ON = "another try goes on from there";

function verify(source: Source, found: string, part: string): void {
	if (source.sha256 === found || (source.sha256 === undefined && source.allowUnverified === true)) return;
	rmSync(part, { force: true });
	throw new CleatsError(
		"DOWNLOAD_VERIFY_FAILED",
		`${source.name}: expected sha256 ${source.sha256 ?? "to be named"}, got ${found}; nothing was kept`,
		{
			expected: source.sha256 ?? null,
			got: found,
		},
	);
}

async function hashFile(path: string, hash: Hash): Promise<void> {
	for await (const chunk of createReadStream(path)) hash.update(chunk);
}

function tooMuch(source: Source, most: number): CleatsError {
	return new CleatsError("ARCHIVE_TOO_LARGE", `${source.name}: larger than ${most} bytes; nothing was kept`, {
		limit: most,
	});
}

const MOST_REDIRECTS = 5;
const UNREACHABLE = new Set(["ENOTFOUND", "EAI_AGAIN", "ENETUNREACH", "EHOSTUNREACH", "ECONNREFUSED", "ENETDOWN"]);

/**
 * Sends a GET and follows redirects, but never away from https or to this machine. Conditional headers go only to the
 * first host.
 */
async function requestUrl(
	address: string,
	headers: Readonly<Record<string, string>>,
	signal: AbortSignal,
): Promise<IncomingMessage> {
	let url = new URL(address);
	let sent = headers;
	for (let hop = 0; hop <= MOST_REDIRECTS; hop++) {
		if (url.protocol !== "https:" && !(url.protocol === "http:" && isLoopback(url.hostname))) {
			throw new CleatsError("INVALID_REQUEST", `${url.protocol}//${url.host}: downloads are made over https`);
		}
		const response = await once(url, sent, signal);
		const { location } = response.headers;
		if (![301, 302, 303, 307, 308].includes(response.statusCode ?? 0) || location === undefined) return response;
		response.destroy();
		const next = redirected(url, location);
		// Range is harmless and needed by the final host; an ETag only means something to the host that issued it.
		if (next.host !== url.host) sent = Object.fromEntries(Object.entries(headers).filter(([name]) => name === "range"));
		url = next;
	}
	throw new CleatsError("CAPABILITY_MISSING", `${new URL(address).host}: more than ${MOST_REDIRECTS} redirects`);
}

function redirected(from: URL, location: string): URL {
	const refused = (why: string): CleatsError =>
		new CleatsError("INVALID_REQUEST", `${from.host} redirects ${why}; nothing was fetched`, { redirect: location });
	if (!URL.canParse(location, from.href)) throw refused("to no address");
	const next = new URL(location, from);
	const isLocal = next.protocol === "http:" && from.protocol === "http:" && isLoopback(next.hostname);
	if (next.protocol !== "https:" && !isLocal)
		throw refused(`to ${next.protocol}//${next.host}: downloads are made over https`);
	if (isLoopback(next.hostname) && !isLoopback(from.hostname)) throw refused("into this machine");
	if (next.username !== "" || next.password !== "") throw refused("to an address with credentials");
	return next;
}

function once(url: URL, headers: Readonly<Record<string, string>>, signal: AbortSignal): Promise<IncomingMessage> {
	const library = url.protocol === "https:" ? https : http;
	// Loopback addresses bypass the proxy.
	const agent = new library.Agent(isLoopback(url.hostname) ? {} : { proxyEnv: process.env });
	return new Promise((resolve, reject) => {
		const request = library.get(
			url,
			{ agent, signal, headers: { "user-agent": "pairofcleats", "accept-encoding": "identity", ...headers } },
			resolve,
		);
		request.on("error", (error: NodeJS.ErrnoException) => reject(signal.aborted ? error : explained(error, url)));
	});
}

function explained(error: NodeJS.ErrnoException, url: URL): Error {
	if (!UNREACHABLE.has(error.code ?? ""))
		return new CleatsError("CAPABILITY_MISSING", `${url.host}: ${error.message}`, {}, { cause: error });
	return new CleatsError("CAPABILITY_MISSING", `${url.host} cannot be reached (${error.code})`, {
		hint: "This machine has no way to that host. Fetch the file elsewhere and name its path, or set HTTPS_PROXY.",
	});
}
