// What the package is to those who depend on it: its names, its shapes, and what it stays out of.
import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { verifies } from "../../../e2e/verifies.ts";
import { contracts } from "../src/contracts.ts";
import * as libmcp from "../src/index.ts";
import { runScenarios } from "../src/testing/scenarios.ts";

const ROOT = fileURLToPath(new URL("../../..", import.meta.url));
const text = (path: string) => readFileSync(join(ROOT, path), "utf8");
const frozen = (path: string): unknown => JSON.parse(text(join("contracts/libmcp", path)));

verifies("002-scope-exports", "the entry offers each part of the vocabulary, and its names are the frozen ones", () => {
	const groups = {
		replay: ["ReplayContracts", "decide", "effectOfTool"],
		faults: ["createFault", "toFault", "faultResponse", "modelFailure"],
		identity: ["parseRequestId", "sameRequestId", "looseRequestId"],
		frames: ["NdjsonReader", "ContentLengthReader", "scanEnvelope", "spliceId", "encodeFrame", "parseStrictJson"],
		health: ["HealthBoard", "extendHealth"],
		telemetry: ["TelemetryLedger", "prometheusText", "openTelemetrySink", "postmortem"],
		jsonl: ["JsonlLog"],
		render: ["porcelain", "jsonPorcelain", "selectRenderMode", "truncateText", "noteLines", "renderPath", "tableLines"],
		normalize: ["normalizeFields", "normalizeInteger", "normalizeLocation", "normalizePath", "methodTokens"],
	};
	for (const [group, names] of Object.entries(groups)) {
		for (const name of names) assert.ok(name in libmcp, `${group}: ${name} is not exported`);
	}
	assert.deepEqual(Object.keys(libmcp).sort(), frozen("exports.json"));
});

verifies("002-versioning-stable-core", "wire shapes equal their frozen snapshots", () => {
	for (const [file, value] of Object.entries(contracts())) {
		assert.deepEqual(JSON.parse(JSON.stringify(value)), frozen(file), file);
	}
});

verifies("002-scope-no-domain-tools", "nothing in the package reaches a package of ours", () => {
	const { dependencies } = JSON.parse(text("packages/libmcp/package.json"));
	assert.deepEqual(Object.keys(dependencies).sort(), ["@modelcontextprotocol/server", "@opentelemetry/api", "pg"]);
	const sources = globSync("packages/libmcp/src/**/*.ts", { cwd: ROOT });
	assert.ok(sources.length > 50);
	for (const file of sources) {
		assert.doesNotMatch(text(file), /from "(?:pairofcleats|synesthetic|metatools|holdfast)/, file);
	}
});

verifies("002-scope-no-mandatory-transport", "the vocabulary reaches no host, server, transport or process", () => {
	const vocabulary = ["replay", "fault", "health", "telemetry", "render", "normalize"];
	const reached = new Set<string>();
	const follow = (file: string): void => {
		if (reached.has(file)) return;
		reached.add(file);
		for (const [, specifier = ""] of text(file).matchAll(/(?:from|import\()\s*"([^"]+)"/g)) {
			assert.doesNotMatch(specifier, /^node:(net|http|https|child_process|stream)$|^@modelcontextprotocol/, file);
			if (specifier.startsWith(".")) follow(join(file, "..", specifier));
		}
	};
	for (const folder of vocabulary) {
		for (const file of globSync(`packages/libmcp/src/${folder}/*.ts`, { cwd: ROOT })) follow(file);
	}
	const others = [...reached].filter((file) => !vocabulary.includes(file.split("/")[3] ?? ""));
	assert.deepEqual(others, ["packages/libmcp/src/command/folders.ts"]);
	const ledger = new libmcp.TelemetryLedger();
	ledger.ended(ledger.began("anything"), { kind: "fault", fault: libmcp.toFault(new Error("boom"), 0) });
	assert.equal(ledger.snapshot().totals.errors, 1);
});

verifies(
	"002-versioning-first-consumer",
	"the package is 1.0.0, and a server of this workspace passes the scenarios on it, end to end",
	async () => {
		assert.equal(JSON.parse(text("packages/libmcp/package.json")).version, "1.0.0");
		assert.ok("libmcp" in JSON.parse(text("packages/synesthetic/package.json")).dependencies);
		const reports = await runScenarios({
			command: process.execPath,
			args: [join(ROOT, "packages/synesthetic/bin/synesthetic.js"), "--direct", "--sample"],
			env: { MCP_READY_FILE: "" },
			safeCall: { tool: "list_schemas" },
			kills: 2,
		});
		assert.deepEqual(
			reports.filter(({ passed }) => !passed),
			[],
		);
	},
	{ timeout: 120_000 },
);
