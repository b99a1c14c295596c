// Runs every download tool on the hosted, built server, against a server that behaves well, badly and maliciously.
import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import type { RequestListener } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { noCertificates, selfSigned } from "../../../../e2e/selfSigned.ts";
import { verifies } from "../../../../e2e/verifies.ts";
import { at } from "../server/serving.ts";
import { session } from "../triage/session.ts";
import { tar, tgz, zip } from "./archives.ts";
import { assetsIn, digest, GOOD, LOCKS, PLACED, refused, requestOf, TOOLS, WORDS } from "./downloads.ts";
import { fileServer } from "./fileServer.ts";

const LINUX = { skip: process.platform === "linux" ? (false as const) : "needs /proc", timeout: 240_000 };
const drip: RequestListener = (_request, response) => {
	response.writeHead(200, { "content-length": 1_000_000 });
	const timer = setInterval(() => response.write("x"), 20);
	response.on("close", () => clearInterval(timer));
};

/**
 * Sends half of the bytes and cuts the connection, after a pause because a reset discards whatever is still in transit.
 */
const half =
	(bytes: Buffer, headers: Record<string, string | number> = {}): RequestListener =>
	(_request, response) => {
		response.writeHead(200, { "content-length": bytes.length, ...headers });
		response.write(bytes.subarray(0, bytes.length / 2), () => setTimeout(() => response.destroy(), 150));
	};

const redirect =
	(location: string): RequestListener =>
	(_request, response) =>
		void response.writeHead(302, { location, "set-cookie": "session=secret" }).end();

verifies(
	["001-6.5.2-tool-download-dictionaries", "001-6.5.2-tool-download-models", "001-6.5.2-tool-download-extensions"],
	"what is fetched over MCP is verified, placed, noted, and used by what it is for; a second call finds it there",
	async (t) => {
		const files = await fileServer(t);
		const mirror = await fileServer(t);
		const open = await session(t);
		for (const tool of TOOLS) {
			const sha256 = digest(GOOD[tool]);
			const real = mirror.serve(`/${tool}`, GOOD[tool]);
			files.serve("/near", redirect(files.serve("/there", redirect(real))));
			const args = requestOf(tool, `${files.origin}/near`, sha256);
			const fetched = await open.call(tool, args);
			assert.partialDeepStrictEqual(at(fetched, "/downloads/0"), {
				outcome: "fetched",
				bytes: GOOD[tool].length,
				sha256,
				verified: true,
			});
			assert.equal(assetsIn(open.cacheRoot)[PLACED[tool]], sha256);
			assert.equal(at(await open.call(tool, { ...args, force: false }), "/downloads/0/outcome"), "present");
		}
		assert.equal(mirror.requests.length, 3, "what is there is not fetched again");
		for (const { headers } of mirror.requests) {
			assert.deepEqual(
				["cookie", "authorization", "if-none-match", "referer"].filter((name) => headers[name] !== undefined),
				[],
			);
		}
		assert.deepEqual(Object.keys(assetsIn(open.cacheRoot)), [...LOCKS, ...Object.values(PLACED)].sort());
		assert.match(String(at(await open.call("config_status"), "/config/model")), /^tiny-[0-9a-f]{12}$/);
		const verified = await open.call("verify_extensions");
		assert.partialDeepStrictEqual(at(verified, "/extensions/0"), {
			installed: true,
			load: { ok: true },
			smoke: { ok: true },
		});
		await open.call("build_index");
		const found = await open.call("search", { query: "tempalte" });
		assert.match(String(at(found, "/search/warnings/0/message")), /did you mean "template"/);
	},
	LINUX,
);

verifies(
	["000-6-code-download-verify-failed", "000-6-code-archive-unsafe", "000-6-code-archive-too-large"],
	"each bad source gets the code that names it, from every tool, and the cache stays as it was to the byte",
	async (t) => {
		const files = await fileServer(t);
		const open = await session(t);
		for (const tool of TOOLS) {
			const url = files.serve(`/first/${tool}`, GOOD[tool]);
			await open.call(tool, requestOf(tool, url, digest(GOOD[tool])));
		}
		const zeros = Buffer.alloc(8 * 1024 * 1024);
		const link = tar([{ name: "l", type: "2", link: "/etc/passwd" }]);
		const archives: readonly (readonly [name: string, bytes: Buffer, code: string, message: RegExp])[] = [
			["climbs.tgz", tgz([{ name: "../../evil", data: "x" }]), "ARCHIVE_UNSAFE", /outside the target folder/],
			["absolute.zip", zip([{ name: "/etc/evil", data: "x" }]), "ARCHIVE_UNSAFE", /absolute/],
			["links.tar", link, "ARCHIVE_UNSAFE", /symbolic link/],
			["device.tar", tar([{ name: "d", type: "3" }]), "ARCHIVE_UNSAFE", /device/],
			["twice.zip", zip([{ name: "a" }, { name: "A" }]), "ARCHIVE_UNSAFE", /twice/],
			["torn.tgz", tgz([{ name: "a", data: randomBytes(900) }]).subarray(0, 400), "ARCHIVE_UNSAFE", /damaged/],
			["bomb.tgz", tgz([{ name: "zeros", data: zeros }]), "ARCHIVE_TOO_LARGE", /packed size/],
			["bomb.zip", zip([{ name: "zeros", data: zeros }]), "ARCHIVE_TOO_LARGE", /packed size/],
			["liar.zip", zip([{ name: "huge", data: "x", size: 0xfffffff0 }]), "ARCHIVE_TOO_LARGE", /bytes in one entry/],
			[
				"many.tar",
				tar(Array.from({ length: 2_049 }, (_, at_) => ({ name: `f${at_}` }))),
				"ARCHIVE_TOO_LARGE",
				/entries/,
			],
			["two.zip", zip([{ name: "a" }, { name: "b" }]), "NOT_FOUND", /no single file; it has a, b/],
		];
		const [wrong, any] = ["0".repeat(64), digest(WORDS)];
		const sources: readonly (readonly [path: string, answer: Buffer | RequestListener, code: string, RegExp])[] = [
			["/other", WORDS, "DOWNLOAD_VERIFY_FAILED", /expected sha256 0{64}, got [0-9a-f]{64}; nothing was kept/],
			["/cut", half(zeros), "DOWNLOAD_VERIFY_FAILED", /broke off after \d+ of 8388608 bytes; nothing was kept/],
			["/garbled", garbled, "DOWNLOAD_VERIFY_FAILED", /broke off/],
			["/loop", redirect("/loop"), "CAPABILITY_MISSING", /more than 5 redirects/],
			[
				"/off",
				redirect("http://example.com/x"),
				"INVALID_REQUEST",
				/to http:\/\/example\.com: downloads are made over https/,
			],
			["/with-password", redirect("http://me:secret@127.0.0.1/x"), "INVALID_REQUEST", /address with credentials/],
			["/elsewhere", redirect("file:///etc/passwd"), "INVALID_REQUEST", /over https/],
			["/huge", huge, "ARCHIVE_TOO_LARGE", /larger than 209715200 bytes; nothing was kept/],
			["/range", (_request, response) => response.writeHead(416).end(), "CAPABILITY_MISSING", /answered 416/],
			["/gone", (_request, response) => response.writeHead(410).end(), "CAPABILITY_MISSING", /answered 410/],
		];
		for (const tool of TOOLS) {
			for (const [name, bytes, code, message] of archives) {
				const url = files.serve(`/${name}`, bytes);
				const error = await refused(open, tool, requestOf(tool, url, digest(bytes)));
				assert.equal(error.code, code, `${tool} ${name}: ${error.message}`);
				assert.match(error.message, message);
			}
			for (const [path, answer, code, message] of sources) {
				const error = await refused(
					open,
					tool,
					requestOf(tool, files.serve(path, answer), path === "/other" ? wrong : any),
				);
				assert.equal(error.code, code, `${tool} ${path}: ${error.message}`);
				assert.match(error.message, message);
			}
			for (const url of ["http://example.com/x", `${files.origin}/other`, "ftp://127.0.0.1/x"]) {
				await assert.rejects(open.client.callTool({ name: tool, arguments: { url } }).then(orThrow), /INVALID_REQUEST/);
			}
		}
		const noModel = requestOf("download_models", files.serve("/words", WORDS), digest(WORDS));
		assert.equal((await refused(open, "download_models", noModel)).code, "DOWNLOAD_VERIFY_FAILED");
	},
	LINUX,
);

void test("a redirect from https to http is not followed", LINUX, async (t) => {
	const folder = mkdtempSync(join(tmpdir(), "cleats-tls-"));
	t.after(() => rmSync(folder, { recursive: true, force: true }));
	if (noCertificates) return t.skip(noCertificates);
	const certificate = selfSigned(folder, "localhost");
	const secure = await fileServer(t, certificate);
	const plain = await fileServer(t);
	const open = await session(t, { NODE_EXTRA_CA_CERTS: certificate.cert });
	for (const tool of TOOLS) {
		const [good, sha256] = [GOOD[tool], digest(GOOD[tool])];
		const down = secure.serve("/down", redirect(plain.serve("/plain", good)));
		const error = await refused(open, tool, requestOf(tool, down, sha256));
		assert.equal(error.code, "INVALID_REQUEST");
		assert.match(error.message, /redirects to http:\/\/127\.0\.0\.1:\d+: downloads are made over https/);
		const up = plain.serve("/up", redirect(secure.serve("/good", good)));
		assert.equal(at(await open.call(tool, requestOf(tool, up, sha256)), "/downloads/0/outcome"), "fetched");
	}
	assert.deepEqual(
		plain.requests.map(({ url }) => url),
		["/up", "/up", "/up"],
	);
	return undefined;
});

void test(
	"a drip ends with the tool's time and leaves nothing; a cut line is taken up where it broke off",
	LINUX,
	async (t) => {
		const files = await fileServer(t);
		const impatient = await session(t, { PAIROFCLEATS_TOOL_TIMEOUT_MS: "1500" });
		const open = await session(t);
		for (const tool of TOOLS) {
			const error = await refused(impatient, tool, requestOf(tool, files.serve("/drip", drip), digest(WORDS)));
			assert.equal(error.code, "TOOL_TIMEOUT", error.message);
			assert.match(error.heard[0] ?? "", /\[phase=download\] thing: \d+ bytes, \d+ bytes\/s of \d{7}$/);

			const [good, sha256] = [GOOD[tool], digest(GOOD[tool])];
			const url = files.serve(`/${tool}`, half(good, { "accept-ranges": "bytes" }));
			const args = requestOf(tool, url, sha256);
			const cut = await open.client.callTool({ name: tool, arguments: args });
			assert.equal(at(cut.structuredContent, "/error/code"), "DOWNLOAD_VERIFY_FAILED");
			assert.match(String(at(cut.structuredContent, "/error/message")), /another try goes on from there/);
			assert.equal(assetsIn(open.cacheRoot)[PLACED[tool]], undefined);
			await open.killWorker();
			files.serve(`/${tool}`, (request, response) => {
				const from = Number(/^bytes=(\d+)-$/.exec(request.headers.range ?? "")?.[1] ?? Number.NaN);
				const headers = { "content-range": `bytes ${from}-${good.length - 1}/${good.length}` };
				response.writeHead(206, headers).end(good.subarray(from));
			});
			const fetched = await open.call(tool, args);
			assert.equal(at(fetched, "/downloads/0/outcome"), "fetched");
			assert.match(files.requests.at(-1)?.headers.range ?? "", /^bytes=[1-9]\d*-$/);
			assert.equal(assetsIn(open.cacheRoot)[PLACED[tool]], sha256);
		}
		assert.deepEqual(assetsIn(impatient.cacheRoot), {});
		assert.deepEqual(Object.keys(assetsIn(open.cacheRoot)), [...LOCKS, ...Object.values(PLACED)].sort());
	},
);

const huge: RequestListener = (_request, response) =>
	void response.writeHead(200, { "content-length": 300_000_000 }).write("x");

/** Chunks with invalid lengths. */
const garbled: RequestListener = (_request, response) => {
	response.socket?.end("HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5\r\nhello\r\nnonsense\r\n");
};

function orThrow(answer: { readonly isError?: boolean | undefined; readonly structuredContent?: unknown }): void {
	if (answer.isError === true) throw new Error(String(at(answer.structuredContent, "/error/code")));
}
