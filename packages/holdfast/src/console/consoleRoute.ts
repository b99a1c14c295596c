import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import type { Route } from "libmcp/http";

const FOLDER = new URL("../../dist/console/", import.meta.url);
const FILES: Readonly<Record<string, readonly [file: string, type: string]>> = {
	"/": ["index.html", "text/html; charset=utf-8"],
	"/console.js": ["console.js", "text/javascript; charset=utf-8"],
	"/console.css": ["console.css", "text/css; charset=utf-8"],
	"/icon.svg": ["icon.svg", "image/svg+xml"],
};

/** Content security policy: text from servers is shown, but nothing in it can run, load or send anything. */
const POLICY = [
	"default-src 'none'",
	"script-src 'self'",
	"style-src 'self'",
	"img-src 'self' data:",
	"media-src data:",
	"connect-src 'self'",
	"base-uri 'none'",
	"form-action 'none'",
	"frame-ancestors 'none'",
	"require-trusted-types-for 'script'",
].join("; ");

/** Serves the console's page to anybody; the page gets its data from the API, which checks for the token. */
export function createConsoleRoute(): Route {
	const loaded = new Map<string, Loaded>();
	return (request, response, path) => {
		const [file, type] = FILES[path] ?? [];
		if (file === undefined || type === undefined || (request.method !== "GET" && request.method !== "HEAD"))
			return false;
		const { plain, packed, tag } = loaded.get(file) ?? load(file);
		loaded.set(file, { plain, packed, tag });
		const headers = {
			"content-type": type,
			"content-security-policy": POLICY,
			"x-content-type-options": "nosniff",
			"referrer-policy": "no-referrer",
			"cross-origin-opener-policy": "same-origin",
			"cache-control": "no-cache",
			vary: "accept-encoding",
			etag: tag,
		};
		if (request.headers["if-none-match"] === tag) {
			response.writeHead(304, headers).end();
			return true;
		}
		const gzip = /\bgzip\b/.test(String(request.headers["accept-encoding"]));
		const body = gzip ? packed : plain;
		response.writeHead(200, { ...headers, "content-length": body.length, ...(gzip && { "content-encoding": "gzip" }) });
		response.end(request.method === "HEAD" ? undefined : body);
		return true;
	};
}

type Loaded = { readonly plain: Buffer; readonly packed: Buffer; readonly tag: string };

function load(file: string): Loaded {
	const plain = readFileSync(fileURLToPath(new URL(file, FOLDER)));
	const tag = `"${createHash("sha256").update(plain).digest("base64url").slice(0, 22)}"`;
	return { plain, packed: gzipSync(plain, { level: 9 }), tag };
}
