import { rejects } from "node:assert/strict";
import { test } from "node:test";
import { openStore } from "../../src/store/openStore.ts";
import { storeSuite } from "./storeSuite.ts";

storeSuite("memory:", (world) => openStore("memory:", world));

for (const [url, message] of [
	["", "store: expected memory:, sqlite:<file> or postgres://user:password@host/database, got nothing"],
	[
		"redis://user:secret@host",
		'store: expected memory:, sqlite:<file> or postgres://user:password@host/database, got "redis"',
	],
	[
		"sqlite:",
		"store: expected memory:, sqlite:<file> or postgres://user:password@host/database, got sqlite: without a file",
	],
	["toString:", 'store: expected memory:, sqlite:<file> or postgres://user:password@host/database, got "toString"'],
] as const) {
	test(`the URL ${JSON.stringify(url)} is refused in words that hold no password`, async () => {
		await rejects(openStore(url), { code: "NO_STORE", message });
	});
}
