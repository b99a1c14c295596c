import assert from "node:assert/strict";
import { existsSync, globSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { verifies } from "../../../../e2e/verifies.ts";
import { SEARCH_FLAGS } from "../../src/cli/commands/searchCommand.ts";
import { failure, SCHEMA_VERSION, success, TOOLING_VERSION } from "../../src/contract/envelope.ts";
import { CleatsError, ERROR_TABLE } from "../../src/contract/errors.ts";
import { contracts } from "../../src/contracts.ts";
import { makeOpenApiDocument } from "../../src/http/openApi.ts";
import { SEARCH_ARGUMENTS } from "../../src/index.ts";
import { TOOL_NAMES, toolOf } from "../../src/registry/registry.ts";
import { listLegacyTools, listTools } from "../../src/tools/definitions.ts";
import { writeErrorsPage, writeToolsPage } from "../../src/tools/pages.ts";
import { validateArguments } from "../../src/tools/validateArguments.ts";

const ROOT = fileURLToPath(new URL("../../../../", import.meta.url));
const SOURCES = fileURLToPath(new URL("../../src/", import.meta.url));
const CODES = [
	"INVALID_REQUEST",
	"UNKNOWN_TOOL",
	"NOT_FOUND",
	"NO_INDEX",
	"CAPABILITY_MISSING",
	"QUEUE_OVERLOADED",
	"TOOL_TIMEOUT",
	"CANCELLED",
	"INTERNAL",
	"UNAUTHORIZED",
	"FORBIDDEN",
	"DOWNLOAD_VERIFY_FAILED",
	"ARCHIVE_UNSAFE",
	"ARCHIVE_TOO_LARGE",
];

verifies(
	["001-4.3-no-top-level-merge", "001-4.3-extra-data-placement"],
	"a payload cannot reach the envelope's top level",
	() => {
		const hostile = { ok: false, code: "X", _meta: { ts: "never" }, error: 1 };
		const good = success(hostile, { repo: "r" });
		assert.deepEqual(Object.keys(good), ["ok", "result", "_meta"]);
		assert.equal(good.ok, true);
		assert.deepEqual(good.result, hostile);
		assert.notEqual(good._meta.ts, "never");
		const bad = failure(new CleatsError("INTERNAL", "m", { ok: true, result: 1, _meta: {} }));
		assert.deepEqual(Object.keys(bad), ["ok", "error", "_meta"]);
		assert.equal(bad.ok, false);
		assert.deepEqual(bad.error.details, { ok: true, result: 1, _meta: {} });
	},
);

verifies(
	["001-5.1-runtime-codes-listed", "001-5.1-code-unknown-tool", "000-6-closed-taxonomy"],
	"the table holds every code and no other",
	() => {
		assert.deepEqual(Object.keys(ERROR_TABLE).sort(), [...CODES].sort());
		for (const { http, rpc } of Object.values(ERROR_TABLE)) {
			assert.ok(http >= 400 && http < 600);
			assert.ok(rpc === -32001 || rpc === -32602 || rpc === -32603);
		}
	},
);

verifies(
	["001-5.1-codes-one-source", "000-6-closed-taxonomy"],
	"no source names an error code that the table does not have",
	() => {
		const stray: string[] = [];
		for (const file of globSync("**/*.ts", { cwd: SOURCES })) {
			const text = readFileSync(SOURCES + file, "utf8");
			const thrown = [
				...text.matchAll(/new CleatsError\(\s*"([A-Z_]+)"/g),
				...text.matchAll(/\bcode: "([A-Z][A-Z_]+)"/g),
			];
			for (const [, code = ""] of thrown) if (!CODES.includes(code)) stray.push(`${file}: ${code}`);
		}
		assert.deepEqual(stray, []);
	},
);

verifies("000-6-remediation", "each code has a meaning and a remedy, and the errors page is made from them", () => {
	for (const { meaning, remedy } of Object.values(ERROR_TABLE)) assert.ok(meaning.length > 10 && remedy.length > 5);
	assert.equal(readFileSync(`${ROOT}docs/errors.md`, "utf8"), writeErrorsPage(), "run node scripts/docs.ts");
	assert.equal(readFileSync(`${ROOT}docs/tools.md`, "utf8"), writeToolsPage(), "run node scripts/docs.ts");
});

verifies(
	["001-10-tool-schema-snapshot", "000-10-test-schema-snapshot"],
	"the frozen tool schemas are those of the registry, name by name",
	() => {
		const file = `${ROOT}contracts/pairofcleats/mcp-tools.schema.json`;
		assert.ok(existsSync(file), "run npm run contracts -- --write");
		const frozen: { name: string; description: string; inputSchema: unknown; _meta: { schemaVersion: string } }[] =
			JSON.parse(readFileSync(file, "utf8"));
		assert.deepEqual(
			frozen,
			JSON.parse(JSON.stringify(contracts()["mcp-tools.schema.json"])),
			"run npm run contracts -- --write",
		);
		for (const { name, description, inputSchema, _meta } of frozen) {
			assert.ok(name !== "" && description !== "" && typeof inputSchema === "object");
			assert.equal(_meta.schemaVersion, "2.0.1");
		}
	},
);

verifies(
	["001-3.4-one-schema-version-constant", "001-3.4-one-tooling-version"],
	"one constant feeds every mention of each version",
	() => {
		const mentions = globSync("**/*.ts", { cwd: SOURCES }).filter((file) =>
			readFileSync(SOURCES + file, "utf8").includes('"2.0.1"'),
		);
		assert.deepEqual(mentions, ["contract/envelope.ts"]);
		assert.equal(SCHEMA_VERSION, "2.0.1");
		const manifest = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8"));
		assert.equal(TOOLING_VERSION, manifest.version);
		assert.equal(success({})._meta.schemaVersion, SCHEMA_VERSION);
		assert.equal(success({})._meta.toolingVersion, TOOLING_VERSION);
		for (const definition of listTools())
			assert.ok(JSON.stringify(definition).includes(`"schemaVersion":"${SCHEMA_VERSION}"`));
		for (const definition of listLegacyTools()) assert.equal(definition.toolingVersion, TOOLING_VERSION);
		assert.ok(JSON.stringify(makeOpenApiDocument()).includes(`"version":"${SCHEMA_VERSION}"`));
	},
);

verifies(
	["001-6.5.1-single-registry", "001-9-mapped-or-reserved", "001-9-flags-one-to-one"],
	"list, validation, HTTP and flags come from one registry, and each search argument has one flag",
	() => {
		const listed = listTools();
		assert.deepEqual(
			listed.map(({ name }) => name),
			TOOL_NAMES,
		);
		for (const { name, inputSchema } of listed)
			assert.equal(inputSchema, toolOf(TOOL_NAMES.find((one) => one === name) ?? "search").inputSchema);
		const { paths } = makeOpenApiDocument();
		assert.ok(JSON.stringify(paths).includes(JSON.stringify(toolOf("search").inputSchema)));
		const properties = Object.keys(toolOf("search").inputSchema.properties ?? {}).filter((name) => name !== "render");
		assert.deepEqual(properties, Object.keys(SEARCH_ARGUMENTS));
		for (const [name, { flag }] of Object.entries(SEARCH_ARGUMENTS)) {
			const flags = Object.entries(SEARCH_FLAGS).filter(([, spec]) => spec.name === name);
			assert.deepEqual(
				flags.map(([spelling]) => spelling),
				flag === null ? [] : [flag],
				name,
			);
		}
		assert.throws(() => validateArguments("search", { query: "x", nothing: 1 }), /nothing/);
	},
);
