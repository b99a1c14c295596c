import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { FAULT_CLASSES } from "../../src/fault/fault.ts";
import { FAULTS, findFaultRow, makeFault } from "../../src/fault/faultTable.ts";

const OPERATING = readFileSync(new URL("../../../../docs/operating.md", import.meta.url), "utf8");

test("the page for operators names every code in the row of its class, and none that does not exist", () => {
	const [, faults = ""] = OPERATING.split("## Faults");
	const named = new Map<string, string[]>();
	let latest = "";
	for (const [, kind, cell = ""] of faults.matchAll(/^\|(?: `(\w+)`)? \| (`[^|]+) \|/gm)) {
		latest = kind ?? latest;
		named.set(latest, [...(named.get(latest) ?? []), ...codesIn(cell)].sort());
	}
	for (const kind of FAULT_CLASSES) {
		const codes = Object.entries(FAULTS).filter(([, row]) => row.class === kind);
		assert.deepEqual(named.get(kind), codes.map(([code]) => code).sort(), kind);
	}
});

test("a code has the class of its row, and a server's own code has no row", () => {
	assert.equal(makeFault("worker_hung", { detail: "silent" }).class, "timeout");
	assert.equal(findFaultRow("payment_declined"), undefined);
	assert.equal(findFaultRow("constructor"), undefined);
});

function codesIn(cell: string): string[] {
	return [...cell.matchAll(/`(\w+)`/g)].map(([, code = ""]) => code);
}
