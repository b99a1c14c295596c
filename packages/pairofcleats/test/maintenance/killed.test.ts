import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { verifies } from "../../../../e2e/verifies.ts";
import { at, listAt } from "../server/serving.ts";
import { session } from "../triage/session.ts";

const LINUX = { skip: process.platform === "linux" ? (false as const) : "needs /proc", timeout: 240_000 };
const WORDS = "session\ntoken\nuser\n";
const DIGEST = createHash("sha256").update(WORDS).digest("hex");

verifies(
	"002-replay-pairofcleats-declares",
	"upkeep caught half-way is finished by the worker that comes next, and nothing is left behind",
	async (t) => {
		const { call, gate, killWorker, records, cacheRoot } = await session(t);
		const repos = (): string[] => readdirSync(join(cacheRoot, "repos"));
		gate.close({ step: "renameSync", onto: "/current", taken: false });
		const starting = call("bootstrap", { skipModels: true, skipDicts: true });
		await gate.reached();
		await killWorker();
		assert.deepEqual(
			listAt(await starting, "/steps").map((step) => at(step, "/outcome")),
			["skipped", "skipped", "done", "done"],
		);
		await call("triage_ingest", { source: "osv", inputPath: "osv.json" });

		gate.close({ step: "renameSync", onto: ".removed-", taken: true });
		const cleaning = call("clean_artifacts");
		await gate.reached();
		assert.equal(repos().filter((name) => name.includes(".removed-")).length, 1);
		await killWorker();
		const cleaned = await cleaning;
		assert.equal(at(cleaned, "/removals/0/outcome"), "removed");
		assert.ok(Number(cleaned.freedBytes) > 0);
		assert.deepEqual(repos(), []);
		assert.equal(records().length, 2, "triage records are no part of the cache");
	},
	LINUX,
);

verifies(
	"002-replay-pairofcleats-declares",
	"a download caught before or after its file is in place is whole, noted and alone in the end",
	async (t) => {
		const server = createServer((_request, response) => response.end(WORDS)).listen(0, "127.0.0.1");
		await once(server, "listening");
		t.after(() => server.close());
		const { port } = server.address() as AddressInfo;
		const { call, gate, killWorker, cacheRoot } = await session(t);
		const folder = join(cacheRoot, "dictionaries");
		for (const [name, taken] of [
			["before", false],
			["after", true],
		] as const) {
			gate.close({ step: "renameSync", onto: `dictionaries/${name}.txt`, taken });
			const fetching = call("download_dictionaries", {
				url: `${name}=http://127.0.0.1:${port}/words.txt#sha256=${DIGEST}`,
			});
			await gate.reached();
			await killWorker();
			assert.equal(at(await fetching, "/downloads/0/verified"), true);
			assert.equal(readFileSync(join(folder, `${name}.txt`), "utf8"), WORDS);
			const noted = JSON.parse(readFileSync(join(folder, "sources.lock.json"), "utf8"));
			assert.equal(at(noted, `/${name}/sha256`), DIGEST);
		}
		assert.deepEqual(readdirSync(folder).sort(), ["after.txt", "before.txt", "sources.lock.json"]);
	},
	LINUX,
);
