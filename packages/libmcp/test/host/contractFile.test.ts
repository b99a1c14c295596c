import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import fc from "fast-check";
import { parseContracts, readContractFile } from "../../src/host/settings/contractFile.ts";

const probe = {
	tool: "state",
	arguments: { id: "/id" },
	answer: "/structuredContent/state",
	done: ["ok"],
	safe: [null],
};

test("a contract file says what each tool does, down to the probe", () => {
	const { tools } = parseContracts({
		tools: {
			read: { recovery: "replay_safe", deadlineMs: 100, inactivityMs: 0 },
			put: { recovery: "deduplicated", key: "/key" },
			job: { recovery: "probe_required", probe: { ...probe, timeoutMs: 9, independent: true, result: "/x" } },
			bind: { recovery: "replay_safe", journal: { key: "/project" } },
		},
	});
	assert.deepEqual(JSON.parse(JSON.stringify(tools)), {
		read: { effect: { recovery: { kind: "replay_safe" } }, deadlineMs: 100, inactivityMs: 0 },
		put: { effect: { recovery: { kind: "deduplicated", key: "/key" } } },
		job: {
			effect: { recovery: { kind: "probe_required" } },
			probe: { ...probe, timeoutMs: 9, independent: true, result: "/x" },
		},
		bind: { effect: { recovery: { kind: "replay_safe" }, journal: { key: "/project" } } },
	});
});

test("what it does not understand is refused by its place, what was expected and what came", () => {
	const cases: readonly (readonly [unknown, RegExp])[] = [
		[null, /^contract: expected an object, got null$/],
		[{ tool: {} }, /^contract\.tool: expected one of tools, got "tool"$/],
		[{ tools: [] }, /^contract: tools: expected an object, got \[\]$/],
		[{ tools: { a: { recovery: "maybe" } } }, /tools\.a: expected recovery replay_safe, .* got "maybe"$/],
		[{ tools: { a: { recovery: "deduplicated" } } }, /tools\.a: expected recovery/],
		[{ tools: { a: { recovery: "replay_safe", retries: 3 } } }, /tools\.a\.retries: expected one of recovery, /],
		[{ tools: { a: { recovery: "at_most_once", journal: {} } } }, /journal only with the first two/],
		[
			{ tools: { a: { recovery: { kind: "replay_safe", journal: {} } } } },
			/tools\.a\.recovery\.journal: expected one of kind, key, got "journal"$/,
		],
		[
			{ tools: { a: { recovery: "replay_safe", journal: { Key: "/project" } } } },
			/tools\.a\.journal\.Key: expected one of key, got "Key"$/,
		],
		[{ tools: { a: { recovery: "probe_required" } } }, /a probe goes with recovery probe_required, and only with it/],
		[{ tools: { a: { recovery: "replay_safe", probe } } }, /a probe goes with recovery probe_required/],
		[{ tools: { a: { recovery: "replay_safe", deadlineMs: -1 } } }, /deadlineMs: expected a number of milliseconds/],
		[
			{ tools: { a: { recovery: "probe_required", probe: { ...probe, arguments: { id: "id" } } } } },
			/probe\.arguments\.id: expected a JSON Pointer, got "id"$/,
		],
		[
			{ tools: { a: { recovery: "probe_required", probe: { ...probe, done: [{}] } } } },
			/probe\.done: expected strings, numbers, booleans or null, got \{\}$/,
		],
		[
			{ tools: { a: { recovery: "probe_required", probe: { ...probe, done: ["ok", null] } } } },
			/probe: null is in done and in safe, and can mean only one of them$/,
		],
	];
	for (const [value, message] of cases) assert.throws(() => parseContracts(value), { message });
});

test("no value whatever does worse than a TypeError", () => {
	fc.assert(
		fc.property(fc.anything(), (value) => {
			try {
				parseContracts({ tools: { a: value } });
			} catch (error) {
				assert.ok(error instanceof TypeError);
			}
		}),
	);
});

test("a file that is absent, no JSON, or names a tool twice is named", (t) => {
	const folder = mkdtempSync(join(tmpdir(), "libmcp-contract-"));
	t.after(() => rmSync(folder, { recursive: true, force: true }));
	const path = join(folder, "c.json");
	assert.throws(() => readContractFile(path), /c\.json: expected a JSON file, got ENOENT/);
	writeFileSync(path, "{");
	assert.throws(() => readContractFile(path), /c\.json: expected a JSON file/);
	writeFileSync(path, '{"tools":{"x":{"recovery":"at_most_once"},"x":{"recovery":"replay_safe"}}}');
	assert.throws(() => readContractFile(path), /c\.json: .*: "x"$/);
	writeFileSync(path, '{"tools":{}}');
	assert.deepEqual(Object.keys(readContractFile(path).tools), []);
});
