// Echo over Streamable HTTP, 16 clients, beside a bare node:http echo in the same run; what a hop through the gateway to a
// server behind it costs; and what idle sessions weigh.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { type Load, load } from "./gateway/load.ts";
import { residentMb } from "./processes.ts";

const CLIENTS = 16;
const ROUNDS = 3;
const WARM_MS = 1_500;
// A session has a program of its own behind it, which must be up and warm first.
const HOP_WARM_MS = 4_000;
// On a machine that others use too a few seconds are not enough for its programs to start and its own code to be compiled.
const HOP_WARM_CALLS = 8_000;
const MEASURE_MS = 2_000;
const RATIO_FLOOR = 0.3;
const P99_CEILING_MS = 20;
const HOP_CEILING_MICROS = 150;
const IDLE_SESSIONS = 1_000;
const IDLE_CEILING_MB = 60;

type Server = { readonly child: ChildProcess; readonly url: string; readonly pid: number };

const bare = await start("bareEcho");
const front = await start("frontEcho");
try {
	const runs: Record<"bare" | "session" | "modern", Load[]> = { bare: [], session: [], modern: [] };
	for (let round = 0; round < ROUNDS; round++) {
		for (const [kind, server, modern] of [
			["bare", bare, false],
			["session", front, false],
			["modern", front, true],
		] as const) {
			runs[kind].push(
				await load(server.url, { clients: CLIENTS, warmMs: WARM_MS, measureMs: MEASURE_MS, pid: server.pid, modern }),
			);
		}
	}
	const floor = middle(runs.bare);
	for (const kind of ["session", "modern"] as const) {
		const ours = middle(runs[kind]);
		const ratio = Number((ours.callsPerSecond / floor.callsPerSecond).toFixed(2));
		const hopMicros = ours.cpuMicrosPerCall - floor.cpuMicrosPerCall;
		const wrong = runs[kind].reduce((sum, run) => sum + run.wrong, 0);
		print({
			figure: `echo ${kind}`,
			ratio,
			floor: RATIO_FLOOR,
			met: ratio >= RATIO_FLOOR && wrong === 0,
			wrong,
			ours,
			bare: floor,
		});
		print({
			figure: `p99 ${kind}`,
			ms: ours.p99Ms,
			bareMs: floor.p99Ms,
			ceiling: P99_CEILING_MS,
			met: ours.p99Ms <= P99_CEILING_MS,
		});
		print({
			figure: `added CPU ${kind}`,
			micros: hopMicros,
			ceiling: HOP_CEILING_MICROS,
			met: hopMicros <= HOP_CEILING_MICROS,
		});
	}
	await measureHop("stdio", await start("passthroughEcho"), floor);
	await measureHop("HTTP", await start("passthroughEcho", front.url), await relayFloor());
	const fresh = await start("frontEcho");
	try {
		const before = residentMb(fresh.pid);
		for (let session = 0; session < IDLE_SESSIONS; session += 50)
			await Promise.all(Array.from({ length: 50 }, () => openSession(fresh.url)));
		const grown = Number((residentMb(fresh.pid) - before).toFixed(1));
		print({
			figure: `${IDLE_SESSIONS} idle sessions`,
			megabytes: grown,
			ceiling: IDLE_CEILING_MB,
			met: grown <= IDLE_CEILING_MB,
		});
	} finally {
		fresh.child.kill();
	}
} finally {
	bare.child.kill();
	front.child.kill();
}

/** What the same hop costs with node:http alone at both ends. */
async function relayFloor(): Promise<Load> {
	const relay = await start("bareRelay", bare.url);
	try {
		const warm = { warmMs: HOP_WARM_MS, warmCalls: HOP_WARM_CALLS };
		const options = { clients: CLIENTS, ...warm, measureMs: MEASURE_MS, pid: relay.pid };
		const runs: Load[] = [];
		for (let round = 0; round < ROUNDS; round++) runs.push(await load(relay.url, options));
		return middle(runs);
	} finally {
		relay.child.kill();
	}
}

/** All the CPU of the gateway's own process, reading the client's request to writing the answer. */
async function measureHop(behind: string, gateway: Server, floor: Load): Promise<void> {
	try {
		for (const [client, modern] of [
			["session", false],
			["modern", true],
		] as const) {
			const runs: Load[] = [];
			for (let round = 0; round < ROUNDS; round++)
				runs.push(
					await load(gateway.url, {
						clients: CLIENTS,
						warmMs: HOP_WARM_MS,
						warmCalls: HOP_WARM_CALLS,
						measureMs: MEASURE_MS,
						pid: gateway.pid,
						modern,
					}),
				);
			const { cpuMicrosPerCall, callsPerSecond, p99Ms } = middle(runs);
			const wrong = runs.reduce((sum, run) => sum + run.wrong, 0);
			print({
				figure: `hop to a server over ${behind}, ${client} client`,
				micros: cpuMicrosPerCall,
				bareMicros: floor.cpuMicrosPerCall,
				ratio: Number((cpuMicrosPerCall / floor.cpuMicrosPerCall).toFixed(2)),
				callsPerSecond,
				p99Ms,
				wrong,
				ceiling: HOP_CEILING_MICROS,
				met: cpuMicrosPerCall <= HOP_CEILING_MICROS && wrong === 0,
			});
		}
	} finally {
		gateway.child.kill();
	}
}

async function start(name: string, ...args: readonly string[]): Promise<Server> {
	const script = new URL(`./gateway/${name}.ts`, import.meta.url).pathname;
	const child = spawn(process.execPath, ["--disable-warning=ExperimentalWarning", script, ...args], {
		stdio: ["ignore", "pipe", "inherit"],
	});
	if (child.stdout === null || child.pid === undefined) throw new Error(`${name} did not start`);
	const [line] = (await once(child.stdout, "data")) as [Buffer];
	return { child, url: line.toString().trim(), pid: child.pid };
}

async function openSession(url: string): Promise<void> {
	const params = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "idle", version: "1" } };
	const response = await fetch(url, {
		method: "POST",
		headers: { "content-type": "application/json", accept: "application/json, text/event-stream" },
		body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "initialize", params }),
	});
	await response.text();
	if (response.headers.get("mcp-session-id") === null) throw new Error(`no session: ${response.status}`);
}

/** The run with the median rate: one whole run, so that its figures belong together. */
function middle(runs: readonly Load[]): Load {
	const sorted = [...runs].sort((a, b) => a.callsPerSecond - b.callsPerSecond);
	const found = sorted[Math.floor(sorted.length / 2)];
	if (found === undefined) throw new Error("no runs");
	return found;
}

function print(figure: Record<string, unknown>): void {
	console.log(JSON.stringify({ bench: "gateway", ...figure }));
}
