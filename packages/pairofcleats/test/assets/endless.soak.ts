import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import type { RequestListener } from "node:http";
import { test } from "node:test";
import { session } from "../triage/session.ts";
import { digest, refused, requestOf, TOOLS, WORDS } from "./downloads.ts";
import { fileServer } from "./fileServer.ts";

const CHUNK = randomBytes(1024 * 1024);

/** A response of unknown length that never ends. */
const pour: RequestListener = (_request, response) => {
	response.writeHead(200, { "accept-ranges": "bytes" });
	const on = (): void => {
		while (!response.destroyed && response.write(CHUNK));
		if (!response.destroyed) response.once("drain", on);
	};
	on();
};

test("every tool stops an endless download at its size limit and keeps nothing", {
	timeout: 280_000,
}, async (t) => {
	const files = await fileServer(t);
	const open = await session(t);
	for (const tool of TOOLS) {
		const error = await refused(open, tool, requestOf(tool, files.serve("/endless", pour), digest(WORDS)));
		assert.equal(error.code, "ARCHIVE_TOO_LARGE");
		assert.match(error.message, /larger than 209715200 bytes; nothing was kept/);
	}
});
