import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { createHash, randomBytes } from "node:crypto";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, beforeEach, test } from "node:test";
import { verifies } from "../../../../e2e/verifies.ts";
import { readLock } from "../../src/assets/assetFolder.ts";
import { download } from "../../src/assets/download.ts";
import { fetchAsset } from "../../src/assets/fetchAsset.ts";
import { readOwnSource, type Source } from "../../src/assets/source.ts";
import { CleatsError, type ErrorCode } from "../../src/contract/errors.ts";
import { runCaptured } from "../cli/captured.ts";
import { tgz } from "./archives.ts";

const BODY = randomBytes(300_000);
const SHA = createHash("sha256").update(BODY).digest("hex");
let answer: (request: IncomingMessage, response: ServerResponse) => void = () => {};
let requests: IncomingMessage[] = [];
const server = createServer((request, response) => {
	requests.push(request);
	answer(request, response);
});
let origin = "";
let folder = "";

before(async () => {
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	const address = server.address();
	origin = `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`;
});
after(() => {
	server.closeAllConnections();
	server.close();
	rmSync(folder, { recursive: true, force: true });
});
beforeEach(() => {
	rmSync(folder, { recursive: true, force: true });
	folder = mkdtempSync(join(tmpdir(), "cleats-fetch-"));
	requests = [];
});

const source = (over: Partial<Source> = {}): Source => ({
	name: "thing",
	url: `${origin}/thing.bin`,
	sha256: SHA,
	...over,
});
const fetchIt = (over: Partial<Source> = {}, more: object = {}) =>
	fetchAsset({ source: source(over), folder, file: "thing", signal: AbortSignal.timeout(30_000), ...more });
const failsWith = (code: ErrorCode, message: RegExp) => (error: unknown) =>
	error instanceof CleatsError && error.code === code && message.test(error.message);

void test("a valid file is downloaded, verified, placed and recorded, and the next call finds it present", async () => {
	answer = (_, response) => response.writeHead(200, { etag: '"v1"' }).end(BODY);
	const fetched = await fetchIt();
	assert.deepEqual(fetched, {
		name: "thing",
		file: "thing",
		outcome: "fetched",
		bytes: BODY.length,
		sha256: SHA,
		verified: true,
	});
	assert.deepEqual(readFileSync(join(folder, "thing")), BODY);
	assert.deepEqual(readdirSync(folder).sort(), ["sources.lock.json", "thing"]);
	assert.partialDeepStrictEqual(readLock(folder), { thing: { sha256: SHA, etag: '"v1"' } });
	assert.equal((await fetchIt()).outcome, "present");
	assert.equal(requests.length, 1);
});

void test("an existing file with another digest does not count as the requested one", async () => {
	answer = (_, response) => response.end(BODY);
	await fetchIt();
	const other = Buffer.from("of another release");
	answer = (_, response) => response.end(other);
	const sha256 = createHash("sha256").update(other).digest("hex");
	assert.equal((await fetchIt({ sha256 })).outcome, "fetched");
	assert.deepEqual(readFileSync(join(folder, "thing")), other);
	rmSync(join(folder, "sources.lock.json"));
	assert.equal((await fetchIt({ sha256 })).outcome, "fetched", "one that nothing vouches for neither");
	assert.equal((await fetchIt({ sha256 })).outcome, "present");
});

void test("of sources that share one file, only the one it was last fetched from is present", async () => {
	answer = (request, response) => response.end(request.url);
	const shared = (name: string): Source => {
		const sha256 = createHash("sha256").update(`/${name}`).digest("hex");
		return { name, url: `${origin}/${name}`, sha256 };
	};
	const unverified: Source = { name: "c", url: `${origin}/c`, allowUnverified: true };
	const fetch = (of: Source) => fetchAsset({ source: of, folder, file: "thing", signal: AbortSignal.timeout(30_000) });
	for (const [over, outcome, holds] of [
		[shared("a"), "fetched", "/a"],
		[shared("b"), "fetched", "/b"],
		[shared("a"), "fetched", "/a"],
		[shared("a"), "present", "/a"],
		[unverified, "fetched", "/c"],
		[unverified, "present", "/c"],
		[shared("b"), "fetched", "/b"],
	] as const) {
		assert.equal((await fetch(over)).outcome, outcome, `${over.name} ${holds}`);
		assert.equal(readFileSync(join(folder, "thing"), "utf8"), holds);
		assert.deepEqual(Object.keys(readLock(folder)), [over.name]);
	}
});

void test("an update of an unchanged source downloads no body", async () => {
	answer = (request, response) =>
		request.headers["if-none-match"] === '"v1"'
			? response.writeHead(304).end()
			: response.writeHead(200, { etag: '"v1"' }).end(BODY);
	await fetchIt();
	assert.equal((await fetchIt({}, { update: true })).outcome, "unchanged");
	assert.deepEqual(readFileSync(join(folder, "thing")), BODY);
});

verifies(
	"000-6-code-download-verify-failed",
	"a wrong digest is DOWNLOAD_VERIFY_FAILED, the download is discarded, and the existing file is kept",
	async () => {
		answer = (_, response) => response.writeHead(200).end(BODY);
		writeFileSync(join(folder, "thing"), "old");
		await assert.rejects(
			fetchIt({ sha256: "0".repeat(64) }, { force: true }),
			failsWith("DOWNLOAD_VERIFY_FAILED", /expected sha256 0{64}, got/),
		);
		assert.deepEqual(readdirSync(folder), ["thing"]);
		assert.equal(readFileSync(join(folder, "thing"), "utf8"), "old");
	},
);

void test("an interrupted download is resumed, and the complete file is verified", async () => {
	answer = (request, response) => {
		const from = Number(/bytes=(\d+)-/.exec(request.headers.range ?? "")?.[1] ?? 0);
		if (from > 0)
			response
				.writeHead(206, { "content-range": `bytes ${from}-${BODY.length - 1}/${BODY.length}` })
				.end(BODY.subarray(from));
		else {
			response.writeHead(200, { "content-length": BODY.length, "accept-ranges": "bytes" });
			// Waits for the bytes to arrive, because a reset discards whatever is still in transit.
			response.write(BODY.subarray(0, 100_000), () => setTimeout(() => response.destroy(), 250));
		}
	};
	await assert.rejects(fetchIt(), failsWith("DOWNLOAD_VERIFY_FAILED", /broke off/));
	assert.equal(existsSync(join(folder, "thing")), false);
	const fetched = await fetchIt();
	assert.equal(fetched.outcome, "fetched");
	assert.match(requests[1]?.headers.range ?? "", /^bytes=\d+-$/);
	assert.deepEqual(readFileSync(join(folder, "thing")), BODY);
});

void test("the partial download of a killed process is resumed, also across a redirect, and that of a running one is left alone", async () => {
	const dead = spawnSync(process.execPath, ["--version"]).pid;
	const elsewhere = createServer((request, response) => {
		const from = Number(/^bytes=(\d+)-$/.exec(request.headers.range ?? "")?.[1]);
		assert.equal(from, 200_000);
		response.writeHead(206, { "content-range": `bytes ${from}-${BODY.length - 1}/${BODY.length}` });
		response.end(BODY.subarray(from));
	});
	await new Promise<void>((resolve) => elsewhere.listen(0, "127.0.0.1", resolve));
	const address = elsewhere.address();
	const port = typeof address === "object" ? address?.port : 0;
	answer = (_, response) => response.writeHead(302, { location: `http://127.0.0.1:${port}/` }).end();
	writeFileSync(join(folder, `.thing.${dead}.fetch.part`), BODY.subarray(0, 200_000));
	writeFileSync(join(folder, `.thing.${dead}.fetch`), "placed too late");
	writeFileSync(join(folder, `.thing.${process.ppid}.fetch.part`), "of another");
	try {
		assert.equal((await fetchIt()).outcome, "fetched");
	} finally {
		elsewhere.close();
	}
	assert.deepEqual(readFileSync(join(folder, "thing")), BODY);
	assert.deepEqual(readdirSync(folder).sort(), [`.thing.${process.ppid}.fetch.part`, "sources.lock.json", "thing"]);
});

void test("a partial download of content that has changed is discarded, and the file is downloaded again", async () => {
	const part = join(folder, `.thing.${process.pid}.fetch.part`);
	for (const status of [206, 416, 200]) {
		writeFileSync(part, randomBytes(1_000));
		answer = (request, response) => {
			if (request.headers.range === undefined || status === 200) response.writeHead(200).end(BODY);
			else if (status === 416) response.writeHead(416).end();
			else response.writeHead(206, { "content-range": "bytes 1000-299999/300000" }).end(BODY.subarray(1_000));
		};
		assert.equal((await fetchIt({}, { force: true })).outcome, "fetched", String(status));
		assert.deepEqual(readFileSync(join(folder, "thing")), BODY);
	}
});

void test("a slow download ends at the deadline, and an endless one at the size limit", async () => {
	answer = (_, response) => {
		response.writeHead(200);
		const drip = setInterval(() => response.write("x"), 20);
		response.on("close", () => clearInterval(drip));
	};
	const target = join(folder, "slow");
	await assert.rejects(
		download(source(), target, { signal: AbortSignal.timeout(30_000), deadlineMs: 300 }),
		failsWith("TOOL_TIMEOUT", /deadline/),
	);
	answer = (_, response) => {
		response.writeHead(200);
		const pour = () => {
			while (!response.destroyed && response.write(BODY));
			if (!response.destroyed) response.once("drain", pour);
		};
		pour();
	};
	await assert.rejects(
		download(source(), target, { signal: AbortSignal.timeout(30_000), maxBytes: 1_000_000 }),
		failsWith("ARCHIVE_TOO_LARGE", /larger than 1000000 bytes/),
	);
	assert.equal(existsSync(`${target}.part`), false);
});

void test("redirects are followed on this machine, never away from https, and only a limited number of times", async () => {
	answer = (request, response) => {
		if (request.url === "/thing.bin") response.writeHead(302, { location: "/moved.bin" }).end();
		else response.writeHead(200).end(BODY);
	};
	assert.equal((await fetchIt()).outcome, "fetched");
	answer = (_, response) => response.writeHead(302, { location: "http://example.com/thing" }).end();
	await assert.rejects(
		fetchIt({}, { force: true }),
		failsWith("INVALID_REQUEST", /http:\/\/example\.com: downloads are made over https/),
	);
	answer = (_, response) => response.writeHead(302, { location: "/thing.bin" }).end();
	await assert.rejects(fetchIt({}, { force: true }), failsWith("CAPABILITY_MISSING", /more than 5 redirects/));
});

void test("an unreachable host is reported at once, with a hint", async () => {
	await assert.rejects(
		fetchIt({ url: "http://127.0.0.1:9/none" }),
		(error: unknown) =>
			failsWith("CAPABILITY_MISSING", /cannot be reached \(ECONNREFUSED\)/)(error) &&
			error instanceof CleatsError &&
			typeof error.details.hint === "string",
	);
});

void test("the named file is extracted from an archive, and the error for an archive without it lists its files", async () => {
	const archive = tgz([
		{ name: "package/words.txt", data: "alpha\nbeta\n" },
		{ name: "package/readme.md", data: "x" },
	]);
	const sha256 = createHash("sha256").update(archive).digest("hex");
	answer = (_, response) => response.writeHead(200).end(archive);
	await fetchIt({ url: `${origin}/words.tgz`, sha256, member: "package/words.txt" });
	assert.equal(readFileSync(join(folder, "thing"), "utf8"), "alpha\nbeta\n");
	await assert.rejects(
		fetchIt({ url: `${origin}/words.tgz`, sha256, member: "nope" }, { force: true }),
		failsWith("NOT_FOUND", /no nope; it has package\/words\.txt, package\/readme\.md/),
	);
	assert.equal(readFileSync(join(folder, "thing"), "utf8"), "alpha\nbeta\n");
	assert.deepEqual(readdirSync(folder).sort(), ["sources.lock.json", "thing"], "no archive is left behind");
});

void test("a custom source needs https and a digest, or explicit permission to skip verification", () => {
	const sha = "a".repeat(64);
	assert.deepEqual(readOwnSource("url", `mine=https://example.com/m.bin#sha256=${sha}`, false), {
		name: "mine",
		url: "https://example.com/m.bin",
		sha256: sha,
	});
	assert.throws(
		() => readOwnSource("url", "https://example.com/m.bin", false),
		failsWith("INVALID_REQUEST", /^url: expected #sha256=/),
	);
	assert.equal(readOwnSource("url", "https://example.com/m.bin", true).allowUnverified, true);
	assert.throws(
		() => readOwnSource("url", "http://example.com/m.bin", true),
		failsWith("INVALID_REQUEST", /https address/),
	);
	assert.throws(
		() => readOwnSource("url", "https://user:pw@example.com/m.bin", true),
		failsWith("INVALID_REQUEST", /without credentials/),
	);
	assert.throws(() => readOwnSource("url", "file:///etc/passwd", true), failsWith("INVALID_REQUEST", /name=url/));
});

test("inherited object members are not source names", async () => {
	for (const args of [
		["models", "--model", "constructor"],
		["dictionaries", "--lang", "en,__proto__"],
	]) {
		const { code, lines } = await runCaptured(["download", ...args, "--json"]);
		assert.equal(code, 2);
		assert.match(lines.join(), /"INVALID_REQUEST".*: expected one of/);
	}
});
