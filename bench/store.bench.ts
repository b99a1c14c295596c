// What it costs that sessions outlive the gateway: echo over HTTP with sessions, 16 clients, kept in a file, in memory and not
// at all, in one run. With answers in one body no call lasts and none is written; with streams alone every call is.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Load, load } from "./gateway/load.ts";

const CLIENTS = 16;
const ROUNDS = 3;
const WARM_MS = 1_500;
const MEASURE_MS = 2_000;
const RATIO_FLOOR = 0.8;
const LEDGER_CEILING_MICROS = 40;

type Server = { readonly child: ChildProcess; readonly url: string; readonly pid: number };

const folder = mkdtempSync(join(tmpdir(), "store-bench-"));
const servers = {
	none: await start(),
	memory: await start("memory:"),
	sqlite: await start(`sqlite:${join(folder, "store.sqlite")}`),
};
try {
	for (const streams of [false, true]) {
		const runs: Record<keyof typeof servers, Load[]> = { none: [], memory: [], sqlite: [] };
		for (let round = 0; round < ROUNDS; round++)
			for (const kind of ["none", "memory", "sqlite"] as const) {
				const { url, pid } = servers[kind];
				runs[kind].push(await load(url, { clients: CLIENTS, warmMs: WARM_MS, measureMs: MEASURE_MS, pid, streams }));
			}
		const [none, memory, sqlite] = [middle(runs.none), middle(runs.memory), middle(runs.sqlite)];
		const wrong = [none, memory, sqlite].reduce((sum, run) => sum + run.wrong, 0);
		const ratio = Number((sqlite.callsPerSecond / memory.callsPerSecond).toFixed(2));
		const calls = streams ? "every call written" : "short calls";
		const met = ratio >= RATIO_FLOOR && wrong === 0;
		print({ figure: `sqlite to memory, ${calls}`, ratio, floor: RATIO_FLOOR, met, wrong, sqlite, memory, none });
		const micros = sqlite.cpuMicrosPerCall - none.cpuMicrosPerCall;
		const ceiling = LEDGER_CEILING_MICROS;
		print({ figure: `CPU of the ledger, ${calls}`, micros, ceiling, met: micros <= ceiling });
	}
} finally {
	for (const { child } of Object.values(servers)) child.kill();
	rmSync(folder, { recursive: true, force: true });
}

async function start(...args: readonly string[]): Promise<Server> {
	const script = new URL("./gateway/frontEcho.ts", import.meta.url).pathname;
	const child = spawn(process.execPath, ["--disable-warning=ExperimentalWarning", script, ...args], {
		stdio: ["ignore", "pipe", "inherit"],
	});
	if (child.stdout === null || child.pid === undefined) throw new Error("the echo did not start");
	const [line] = (await once(child.stdout, "data")) as [Buffer];
	return { child, url: line.toString().trim(), pid: child.pid };
}

/** The run with the median rate: one whole run, so that its figures belong together. */
function middle(runs: readonly Load[]): Load {
	const sorted = [...runs].sort((a, b) => a.callsPerSecond - b.callsPerSecond);
	const found = sorted[Math.floor(sorted.length / 2)];
	if (found === undefined) throw new Error("no runs");
	return found;
}

function print(figure: Record<string, unknown>): void {
	console.log(JSON.stringify({ bench: "store", ...figure }));
}
