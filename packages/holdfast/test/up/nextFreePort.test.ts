import assert from "node:assert/strict";
import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { test } from "node:test";
import { findFreePort } from "../../src/up/listening.ts";

test("behind the last port there is none to advise, and the system chooses", async () => {
	assert.equal(await findFreePort("127.0.0.1", 65_536), 0);
	assert.ok((await findFreePort("127.0.0.1", 65_530)) <= 65_535);
});

test("a port that is taken is passed over", async (t) => {
	const server = createServer().listen(0, "127.0.0.1");
	t.after(() => server.close());
	await once(server, "listening");
	const { port } = server.address() as AddressInfo;
	assert.notEqual(await findFreePort("127.0.0.1", port), port);
});
