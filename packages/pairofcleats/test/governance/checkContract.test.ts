import assert from "node:assert/strict";
import { verifies } from "../../../../e2e/verifies.ts";
import { assertVersioned } from "../../src/contracts.ts";
import { type Bump, checkContract } from "../../src/governance/checkContract.ts";
import { type ContractSnapshot, contractSnapshot } from "../../src/governance/snapshot.ts";
import { fixtureOf } from "../filter/fixtureRepository.ts";

type Editable = { [name: string]: Editable } & { [name: string]: unknown };

/** The current contract after an edit, with the version unchanged. */
function changed(edit: (contract: Editable) => void): ContractSnapshot {
	const copy = JSON.parse(JSON.stringify(contractSnapshot()));
	edit(copy);
	return copy;
}

function required(edit: (contract: Editable) => void): Bump {
	return checkContract(contractSnapshot(), changed(edit)).required;
}

function member(value: Editable, ...names: readonly string[]): Editable {
	let found = value;
	for (const name of names) {
		const next = found[name];
		if (next === undefined) throw new Error(`no ${name} in ${names.join(".")}`);
		found = next;
	}
	return found;
}

const search = (contract: Editable): Editable => member(contract, "tools", "search");
const OPTIONAL = { required: false, schema: { type: "string" } };
const REQUIRED = { required: true, schema: { type: "string" } };

const RULES: readonly (readonly [readonly string[], string, Bump, (contract: Editable) => void])[] = [
	[
		["000-2.2-bump-required-argument"],
		"a new required argument",
		"major",
		(c) => Object.assign(member(search(c), "arguments"), { limit: REQUIRED }),
	],
	[
		["000-2.2-bump-argument-meaning"],
		"an argument with another flag",
		"major",
		(c) => Object.assign(member(search(c), "arguments", "calls"), { flag: "--called" }),
	],
	[
		["000-2.2-bump-argument-meaning"],
		"an argument with another range",
		"major",
		(c) => Object.assign(member(search(c), "arguments", "offset", "schema"), { minimum: 1 }),
	],
	[
		["000-2.2-bump-argument-meaning"],
		"a choice fewer",
		"major",
		(c) => Object.assign(member(search(c), "arguments", "mode", "schema"), { enum: ["code"] }),
	],
	[
		["000-2.2-bump-result-shape"],
		"a required result field more",
		"major",
		(c) => Object.assign(member(search(c), "result"), { took: REQUIRED }),
	],
	[
		["000-2.2-bump-result-shape"],
		"a required result field fewer",
		"major",
		(c) => void delete member(search(c), "result").repo,
	],
	[
		["000-2.2-bump-result-shape"],
		"a result field renamed",
		"major",
		(c) => {
			const result = member(search(c), "result");
			Object.assign(result, { repository: result.repo });
			delete result.repo;
		},
	],
	[
		["000-2.2-bump-error-codes"],
		"an error code more",
		"major",
		(c) => Object.assign(member(c, "errors"), { TEAPOT: { http: 418, rpc: -32603, wording: {} } }),
	],
	[["000-2.2-bump-error-codes"], "an error code fewer", "major", (c) => void delete member(c, "errors").NO_INDEX],
	[
		["000-2.2-bump-cancel-timeout"],
		"another way to cancel",
		"major",
		(c) => Object.assign(member(c, "behaviour", "cancel"), { sdk: "answered" }),
	],
	[["000-2.2-bump-cancel-timeout"], "another time limit", "major", (c) => Object.assign(search(c), { timeoutMs: 1 })],
	[["000-2.2-bump-in-doubt"], "something the check has never seen", "major", (c) => Object.assign(c, { moon: "full" })],
	[
		["000-2.2-bump-in-doubt"],
		"something never seen inside a tool",
		"major",
		(c) => Object.assign(search(c), { moon: "full" }),
	],
	[["001-3.3-major-tool-name"], "a tool fewer", "major", (c) => void delete member(c, "tools").show_file],
	[
		["001-3.3-major-tool-name"],
		"a tool renamed",
		"major",
		(c) => {
			const tools = member(c, "tools");
			Object.assign(tools, { find: tools.search });
			delete tools.search;
		},
	],
	[["001-3.3-major-input-field"], "an input fewer", "major", (c) => void delete member(search(c), "arguments").lang],
	[
		["001-3.3-major-input-field"],
		"an input of another type",
		"major",
		(c) => Object.assign(member(search(c), "arguments", "lang", "schema"), { type: "number" }),
	],
	[
		["001-3.3-major-default"],
		"a default that was not there",
		"major",
		(c) => Object.assign(member(search(c), "arguments", "mode", "schema"), { default: "code" }),
	],
	[
		["001-3.3-major-default"],
		"a default that differs",
		"major",
		(c) => Object.assign(member(c, "defaults", "search"), { top: 20 }),
	],
	[
		["001-3.3-major-default"],
		"a default that is gone",
		"major",
		(c) => void delete member(c, "defaults", "search").mode,
	],
	[
		["001-3.3-major-tool-envelope"],
		"an envelope field renamed",
		"major",
		(c) => Object.assign(member(c, "envelope"), { success: ["ok", "data", "_meta"] }),
	],
	[
		["001-3.3-major-tool-envelope"],
		"a field of _meta with another meaning",
		"major",
		(c) => Object.assign(member(c, "envelope", "meta", "optional"), { durationMs: "string" }),
	],
	[
		["001-3.3-major-api-envelope"],
		"an HTTP envelope key renamed",
		"major",
		(c) => Object.assign(member(c, "http", "envelope"), { failure: ["ok", "fault", "_meta"] }),
	],
	[
		["001-3.3-major-api-envelope"],
		"an HTTP result that lost a key",
		"major",
		(c) => Object.assign(member(c, "http", "results"), { "/status": ["status"] }),
	],
	[
		["001-3.3-minor-optional-input"],
		"a new optional input",
		"minor",
		(c) => Object.assign(member(search(c), "arguments"), { limit: OPTIONAL }),
	],
	[
		["001-3.3-minor-optional-input"],
		"a new tool",
		"minor",
		(c) => Object.assign(member(c, "tools"), { extra: search(c) }),
	],
	[
		["001-3.3-minor-optional-response"],
		"a new optional result field",
		"minor",
		(c) => Object.assign(member(search(c), "result"), { took: OPTIONAL }),
	],
	[
		["001-3.3-minor-optional-response"],
		"a new optional field of _meta",
		"minor",
		(c) => Object.assign(member(c, "envelope", "meta", "optional"), { host: "string" }),
	],
	[
		["001-3.3-patch-editorial"],
		"another description",
		"patch",
		(c) => Object.assign(member(search(c), "wording"), { description: "Finds." }),
	],
	[
		["001-3.3-patch-editorial"],
		"another wording of an argument",
		"patch",
		(c) => Object.assign(member(search(c), "wording", "arguments"), { lang: "Tongue" }),
	],
	[
		["001-3.3-patch-editorial"],
		"another wording of an error",
		"patch",
		(c) => Object.assign(member(c, "errors", "INTERNAL", "wording"), { meaning: "Oh." }),
	],
];

for (const [ids, what, bump, edit] of RULES) {
	verifies(ids, `${what} is a ${bump} change`, () => {
		assert.equal(required(edit), bump);
		const { ok, leastVersion, changes } = checkContract(contractSnapshot(), changed(edit));
		assert.equal(ok, false);
		assert.equal(leastVersion, { none: "2.0.1", patch: "2.0.2", minor: "2.1.0", major: "3.0.0" }[bump]);
		assert.ok(changes.length > 0);
		const raised = { ...changed(edit), schemaVersion: leastVersion };
		assert.equal(checkContract(contractSnapshot(), raised).ok, true);
		assert.throws(() => assertVersioned(contractSnapshot(), changed(edit)), new RegExp(`needs a ${bump} bump`));
	});
}

verifies("001-3.3-major-default", "the defaults that are compared are those that a search has", async () => {
	assert.deepEqual(contractSnapshot().defaults, { search: { mode: "both", top: 10, context: 2 } });
	const functions = Array.from(
		{ length: 12 },
		(_, at) => `// one\n// two\nexport function open${at}() {\n\t// ${at}\n\t// five\n}\n`,
	);
	const { repository, remove } = await fixtureOf({
		...Object.fromEntries(functions.map((text, at) => [`f${at}.ts`, `\n\n\n${text}`])),
		"open.md": "# Open\n\nopen\n",
		"open.jsonl": '{"open":1}\n',
	});
	const { hits } = await repository.search({ query: "open" });
	assert.equal(hits.length, 10);
	assert.ok(
		hits.every(({ snippet }) => snippet.lines.length <= 5) && hits.some(({ snippet }) => snippet.lines.length === 5),
	);
	const modes = new Set((await repository.search({ query: "open", top: 50 })).hits.map(({ mode }) => mode));
	assert.deepEqual([...modes].sort(), ["code", "prose"]);
	await remove();
});

verifies("000-2.1-schema-version-monotonic", "a version below the released one fails, with or without changes", () => {
	const released = { ...contractSnapshot(), schemaVersion: "3.0.0" };
	const { ok, required: bump, changes } = checkContract(released, contractSnapshot());
	assert.deepEqual({ ok, bump, changes }, { ok: false, bump: "none", changes: [] });
	assert.throws(() => assertVersioned(released, contractSnapshot()), /expected 3\.0\.0 or later/);
});

verifies(
	"000-2.1-tooling-version-no-gate",
	"the version of the package is no part of the contract that is compared",
	() => {
		assert.ok(!JSON.stringify(contractSnapshot()).includes("1.0.0"));
		assert.equal(checkContract(contractSnapshot(), contractSnapshot()).ok, true);
	},
);
