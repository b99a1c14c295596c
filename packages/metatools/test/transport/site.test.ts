import assert from "node:assert/strict";
import { test } from "node:test";
import { checkSite, isLoopback } from "../../src/transport/site.ts";

test("only an address of this machine itself may go without authentication, not a name that begins like one", () => {
	for (const host of ["127.0.0.1", "127.255.0.9", "127.1", "localhost", "::1"]) {
		assert.equal(isLoopback(host), true, host);
		checkSite({ host });
	}
	for (const host of ["127.tools.example", "127.0.0.1.tools.example", "127.", "1127.0.0.1", "0.0.0.0", "::", "tools"]) {
		assert.equal(isLoopback(host), false, host);
		assert.throws(() => checkSite({ host }), { code: "HOST_NEEDS_AUTH" }, host);
	}
});
