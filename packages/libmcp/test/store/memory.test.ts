import { rejects } from "node:assert/strict";
import { test } from "node:test";
import { openStore } from "../../src/store/openStore.ts";
import { storeSuite } from "./storeSuite.ts";

storeSuite("memory:", (world) => openStore("memory:", world));

for (const [url, message] of [
	["", "store: expected memory: or sqlite:<file>, got nothing"],
	["redis://user:secret@host", 'store: expected memory: or sqlite:<file>, got "redis"'],
	["sqlite:", "store: expected memory: or sqlite:<file>, got sqlite: without a file"],
	["toString:", 'store: expected memory: or sqlite:<file>, got "toString"'],
] as const) {
	test(`the URL ${JSON.stringify(url)} is refused in words that hold no password`, async () => {
		await rejects(openStore(url), { code: "NO_STORE", message });
	});
}
