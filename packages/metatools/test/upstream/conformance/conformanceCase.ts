import assert from "node:assert/strict";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { TestContext } from "node:test";
import { fileURLToPath } from "node:url";
import { verifies } from "../../../../../e2e/verifies.ts";
import { clientConformance, clientScenario, type Scenario, scored } from "../../../../libmcp/test/http/conformance.ts";
import { playScenario } from "./connectorClient.ts";
import { scenarioOf } from "./scenario.ts";

const MESSENGER = fileURLToPath(new URL("messenger.ts", import.meta.url));

/** The gateway's connector in the official suite. `shown`: what its servers look for besides much else. */
export function conformanceCase(revision: string, count: number, shown: readonly string[]): void {
	verifies(
		shown,
		`the gateway's connector passes every scenario of revision ${revision}`,
		async (t) => {
			const command = await clientCommand(t);
			const run = await clientConformance(command, revision);
			assert.equal(scored(run).length, count, run.output.slice(-3_000));
			const failed: string[] = [];
			for (const { name } of scored(run).filter(isFailed)) {
				// The suite runs all at once; what timed out in the crowd is asked again alone.
				if (!(await clientScenario(command, revision, name))) failed.push(name);
			}
			assert.deepEqual(failed, [], run.output.slice(-3_000));
		},
		{ timeout: 600_000 },
	);
}

/** The command line of a client whose work is done here: to load the connector anew for each scenario takes far longer. */
async function clientCommand(t: TestContext): Promise<string> {
	const folder = mkdtempSync(join(tmpdir(), "metatools-conformance-"));
	const socket = join(folder, "socket");
	const server = createServer((line) => void serve(line)).listen(socket);
	t.after(() => {
		server.close();
		rmSync(folder, { recursive: true, force: true });
	});
	await once(server, "listening");
	return `${process.execPath} --disable-warning=ExperimentalWarning ${MESSENGER} ${socket}`;
}

async function serve(line: Socket): Promise<void> {
	line.on("error", () => {});
	const [asked] = await once(createInterface({ input: line }), "line");
	const { url, environment } = JSON.parse(asked);
	const lines: string[] = [];
	const code = await playScenario(scenarioOf(url, environment), (text) => lines.push(text)).then(
		() => 0,
		(thrown: unknown) => {
			lines.push(String(thrown));
			return 1;
		},
	);
	line.end(JSON.stringify({ code, lines }));
}

function isFailed({ passed, failed, warnings }: Scenario): boolean {
	return passed === 0 || failed > 0 || warnings > 0;
}
