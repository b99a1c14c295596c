import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { createConnectFault, createFaultOf, FAULTS } from "../../src/upstream/failure/connectFailure.ts";

const PAGE = readFileSync(new URL("../../../../docs/metatools.md", import.meta.url), "utf8");

test("the documentation has one row for every fault of a connection, and no others", () => {
	const section = PAGE.split("### Faults")[1]?.split("\n## ")[0] ?? "";
	const expected = Object.entries(FAULTS).map(
		([code, row]) => `| \`${code}\` | ${row.class} | ${row.retry} | ${row.when} |`,
	);
	assert.deepEqual(section.match(/^\| `.*$/gm), expected);
});

test("a fault has the class and the advice of its row", () => {
	const { class: kind, retry, generation } = createFaultOf("login_required", { detail: "401", generation: 3 });
	assert.deepEqual([kind, retry, generation], ["downstream", "never", 3]);
});

test("a refusal by the host of a server keeps the host's code; one by the server itself is named as such", () => {
	const refused = { kind: "refused", code: -32603, message: "no" } as const;
	const fault = {
		...createFaultOf("connect_failed", { detail: "exit code 1" }),
		class: "process",
		code: "start_failed",
	};
	const told = [{ ...refused, data: { fault } }, refused].map((failure) => createConnectFault(failure, "why", 1));
	assert.deepEqual(
		told.map(({ class: kind, code, retry }) => [kind, code, retry]),
		[
			["process", "start_failed", "later"],
			["downstream", "connect_refused", "later"],
		],
	);
});
