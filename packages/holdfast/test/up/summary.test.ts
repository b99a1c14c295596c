import assert from "node:assert/strict";
import { hostname } from "node:os";
import { test } from "node:test";
import { reachable } from "../../src/up/summary.ts";

test("the address that is printed can be opened: by name on a machine, by loopback where a container's port is published", () => {
	assert.equal(reachable("http://0.0.0.0:8080", false), `http://${hostname()}:8080`);
	assert.equal(reachable("https://[::]:8080", false), `https://${hostname()}:8080`);
	assert.equal(reachable("http://0.0.0.0:8080", true), "http://127.0.0.1:8080");
	assert.equal(reachable("http://10.0.0.7:8080", true), "http://10.0.0.7:8080");
});
