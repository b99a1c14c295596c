import assert from "node:assert/strict";
import { test } from "node:test";
import { createPolicyGate } from "../../src/auth/policy.ts";
import { Catalog } from "../../src/catalog/catalog.ts";
import type { JsonObject } from "../../src/contract/json.ts";
import type { Viewer } from "../../src/run/access.ts";

const catalog = new Catalog();
for (const namespace of ["files", "git"])
	catalog.set({
		namespace,
		definitions: [{ name: "read" }, { name: "write" }],
		backendOf: () => ({ kind: "local", local: { name: "x" } }),
	});

/** What a caller sees under a policy, and which namespaces it may know of whatever tools they have. */
function seen(policy: JsonObject, viewer: Viewer): string {
	const gate = createPolicyGate(() => policy);
	const tools = catalog.tools.filter((tool) => gate.check(tool, viewer).kind === "allow").map(({ id }) => id);
	const known = catalog.namespaces.filter((namespace) => gate.covers?.(namespace, viewer));
	return `${tools.join(" ")} | ${known.join(" ")}`;
}

const ALL = "files:read files:write git:read git:write | files git";

test("a rule is for the caller, the scope or everybody it names, and for nobody else", () => {
	const anna: Viewer = { id: "anna", scopes: ["deploy"] };
	const cases: [JsonObject, Viewer, string][] = [
		[{}, { id: "local" }, ALL],
		[{ anna: { allow: ["git:*"] } }, anna, "git:read git:write | git"],
		[{ anna: { allow: ["git:*"] } }, { id: "bert", scopes: ["anna"] }, " | "],
		[{ "scope:deploy": { allow: ["git:*"] } }, anna, "git:read git:write | git"],
		[{ "scope:deploy": { allow: ["git:*"] } }, { id: "deploy" }, " | "],
		[{ "scope:deploy": { allow: ["git:*"] } }, { id: "bert", scopes: ["read"] }, " | "],
		[{ "*": {} }, { id: "bert" }, ALL],
		[{ "*": { allow: ["*:read"] } }, { id: "bert" }, "files:read git:read | "],
	];
	for (const [policy, viewer, expected] of cases) assert.equal(seen(policy, viewer), expected, JSON.stringify(policy));
});

test("what one rule denies no other allows, and one that only denies takes away", () => {
	const anna: Viewer = { id: "anna" };
	const cases: [JsonObject, string][] = [
		[{ "*": { deny: ["git:*"] } }, "files:read files:write | files"],
		[{ "*": { deny: ["*:write"] }, anna: { allow: ["git:*"] } }, "git:read | git"],
		[{ anna: { allow: ["git:*"] }, "*": { allow: ["files:read"] } }, "files:read git:read git:write | git"],
		[{ anna: { allow: ["*"], deny: ["git:write"] } }, "files:read files:write git:read | files git"],
	];
	for (const [policy, expected] of cases) assert.equal(seen(policy, anna), expected, JSON.stringify(policy));
});

test("of a server whose tools are not known, a caller waits for those that its rules name", () => {
	const admitted = (rule: JsonObject, namespace: string, name?: string) =>
		createPolicyGate(() => ({ "*": rule })).admits?.(namespace, { id: "x" }, name && `${namespace}:${name}`);
	const cases: [JsonObject, string, string | undefined, boolean][] = [
		[{ allow: ["git:log", "git:show*"] }, "git", undefined, true],
		[{ allow: ["git:log", "git:show*"] }, "files", undefined, false],
		[{ allow: ["git:log", "git:show*"] }, "git", "show_all", true],
		[{ allow: ["git:log", "git:show*"] }, "git", "push", false],
		[{ allow: ["git:log:2.0"] }, "git", "log:2.0", true],
		[{ allow: ["git:log"] }, "git", "log:2.0", true],
		[{ deny: ["git:log"] }, "git", "log:2.0", false],
		[{ allow: ["*:read"] }, "files", undefined, true],
		[{ allow: ["*"], deny: ["git:push"] }, "git", undefined, true],
		[{ allow: ["*"], deny: ["git:push"] }, "git", "push", false],
		[{ allow: ["git:log"], deny: ["git:*"] }, "git", undefined, false],
		[{ deny: ["g*"] }, "git", undefined, false],
		[{ deny: ["g*"] }, "files", "read", true],
	];
	for (const [rule, namespace, name, expected] of cases)
		assert.equal(admitted(rule, namespace, name), expected, JSON.stringify([rule, namespace, name]));
});

test("a rule that names a tool holds for each of its versions, and one that names a version for that alone", () => {
	const versioned = new Catalog();
	const long = `run_${"x".repeat(50)}`;
	versioned.set({
		namespace: "sh",
		definitions: [
			{ name: "exec", version: "1.0" },
			{ name: "exec", version: "2.0" },
			{ name: "list", version: "2.0" },
			{ name: long, version: "2026.11.18" },
		],
		backendOf: () => ({ kind: "local", local: { name: "x" } }),
	});
	const allowed = (rule: JsonObject) => {
		const { check } = createPolicyGate(() => ({ "*": rule }));
		return versioned.tools.filter((tool) => check(tool, { id: "x" }).kind === "allow").map(({ id }) => id);
	};
	const cut = versioned.declared("sh", long)?.id;
	assert.deepEqual(allowed({ deny: ["sh:exec"] }), ["sh:list:2.0", cut]);
	assert.deepEqual(allowed({ deny: ["*:exec", `sh:${long}`] }), ["sh:list:2.0"]);
	assert.deepEqual(allowed({ allow: ["sh:exec"] }), ["sh:exec:1.0", "sh:exec:2.0"]);
	assert.deepEqual(allowed({ allow: ["sh:exec"], deny: ["sh:exec:1.0"] }), ["sh:exec:2.0"]);
});

test("a policy that is read anew holds from then on", () => {
	let policy: JsonObject = { "*": { deny: ["git:*"] } };
	const gate = createPolicyGate(() => policy);
	const allowed = () => catalog.tools.map((tool) => gate.check(tool, { id: "x" }).kind === "allow");
	assert.deepEqual(allowed(), [true, true, false, false]);
	policy = { "*": { deny: ["files:*"] } };
	assert.deepEqual(allowed(), [false, false, true, true]);
});
