import assert from "node:assert/strict";
import { verifies } from "../../../../e2e/verifies.ts";
import { serveApi } from "../http/api.ts";
import { at, listAt } from "../server/serving.ts";
import { SOURCES } from "./reports.ts";
import { session } from "./session.ts";

const LINUX = { skip: process.platform === "linux" ? (false as const) : "needs /proc", timeout: 240_000 };
const FINDINGS = SOURCES.reduce((sum, [, , count]) => sum + count, 0);

verifies(
	["001-6.5.2-tool-triage-ingest", "001-6.5.2-tool-triage-decision", "001-6.5.2-tool-triage-context-pack"],
	"findings of every source, decisions, packs and searches are the same whatever dies between the steps",
	async (t) => {
		const { call, killWorker, records, recordsDir, ...space } = await session(t);
		await call("build_index");
		const findings: string[] = [];
		for (const [source, inputPath, count] of SOURCES) {
			await killWorker();
			const taken = await call("triage_ingest", { source, inputPath, meta: { team: source } });
			assert.deepEqual(taken.errors, [], source);
			assert.equal(listAt(taken, "/recordIds").length, count, source);
			findings.push(...listAt(taken, "/recordIds").map(String));
		}
		assert.equal(new Set(findings).size, FINDINGS);
		assert.equal(records().length, FINDINGS);
		await killWorker();
		for (const [source, , count] of SOURCES) {
			const found = await call("search", { query: "*", mode: "records", meta: { team: source }, top: 50 });
			assert.equal(listAt(found, "/search/hits").length, count, source);
		}
		const [finding = ""] = findings;
		await call("triage_decision", { finding, status: "defer", reviewer: "ann", expires: "2999-01-31" });
		await killWorker();
		await call("triage_decision", { finding, status: "fix", justification: "reachable" });
		await killWorker();
		const pack = await call("triage_context_pack", { recordId: finding });
		assert.deepEqual(
			listAt(pack, "/history").map((decision) => at(decision, "/status")),
			["defer", "fix"],
		);
		assert.equal(at(pack, "/inForce/status"), "fix");
		const places = listAt(pack, "/evidence").flatMap((item) => listAt(item, "/hits").map((hit) => at(hit, "/path")));
		assert.ok(places.includes("src/render.js") && places.includes("package.json"), JSON.stringify(places));
		const decided = await call("search", { query: "*", mode: "records", metaJson: '{"recordType":"decision"}' });
		assert.equal(listAt(decided, "/search/hits").length, 2);
		assert.equal(records().length, FINDINGS + 2);
		const { cacheRoot } = space;
		const { post } = await serveApi(t, space, { open: { cacheRoot, model: null, recordsDir } });
		const reply = await post("/search", { query: "*", mode: "records", meta: { recordType: "finding" }, top: 50 });
		assert.equal(listAt(reply.body, "/result/search/hits").length, FINDINGS, "over HTTP as well");
	},
	LINUX,
);

verifies(
	"002-replay-pairofcleats-declares",
	"an interrupted ingest is completed by the next worker, without duplicate findings",
	async (t) => {
		const { call, gate, killWorker, records } = await session(t);
		await call("build_index");
		gate.close({ step: "renameSync", onto: "/finding-", taken: true, after: 1 });
		const ingesting = call("triage_ingest", { source: "aws_inspector", inputPath: "inspector.json" });
		await gate.reached();
		assert.equal(records().length, 2);
		await killWorker();
		assert.deepEqual(
			listAt(await ingesting, "/records").map((record) => at(record, "/outcome")),
			["updated", "updated", "created", "created"],
		);
		assert.equal(records().length, 4);
		const found = await call("search", { query: "*", mode: "records", meta: { recordType: "finding" } });
		assert.equal(listAt(found, "/search/hits").length, 4);
	},
	LINUX,
);
