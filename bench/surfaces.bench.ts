// What the surfaces of pairofcleats add to the engine's own time, how many searches they answer, how fast a session
// begins and how soon cancelled work is gone. Distinct queries show the work; repeated ones what is kept of it.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { openRepository } from "pairofcleats";
import { cpuMs } from "./processes.ts";
import { median } from "./quantile.ts";
import { startApi, startMcp } from "./surfaces/clients.ts";
import { makeRepository, queryOf } from "./surfaces/repository.ts";

const ROUNDS = 400;
const REPEATED = 50;
const CLIENTS = 16;
const WARM_MS = 2_000;
const LOAD_MS = 4_000;
const STARTS = 9;
const CANCELS = 7;
const ADDED_CEILING_MS = 1;
const RATE_FLOOR = 1_000;
const START_CEILING = 5;
const LIST_CEILING = 40_000;
const CANCEL_CEILING_MS = 100;

const NAMES = ["engine", "mcp", "hosted", "http"] as const;
type Name = (typeof NAMES)[number];

const base = mkdtempSync(join(tmpdir(), "surfaces-"));
const cacheRoot = join(base, "cache");
const running = new Set<ChildProcess>();
const server = {
	root: join(base, "repo"),
	env: { ...process.env, PAIROFCLEATS_CACHE_ROOT: cacheRoot, XDG_RUNTIME_DIR: base },
	running,
};
try {
	makeRepository(server.root);
	const engine = openRepository(server.root, { cacheRoot });
	const { chunks } = await engine.buildIndex();
	const mcp = await startMcp(server, ["--direct"]);
	const hosted = await startMcp(server, []);
	const http = await startApi(server);
	const search = (query: string): object => ({ name: "search", arguments: { query } });
	const surfaces = {
		engine: (query: string) => engine.search({ query }),
		mcp: (query: string) => mcp.call("tools/call", search(query)),
		hosted: (query: string) => hosted.call("tools/call", search(query)),
		http: (query: string) => http.post({ query }),
	};
	let asked = 0;
	const distinct = (): string => queryOf(asked++);
	const repeated = (): string => queryOf(asked++ % REPEATED);

	for (let at = 0; at < 200; at++) for (const surface of Object.values(surfaces)) await surface(distinct());
	for (const [kind, next] of [
		["distinct", distinct],
		["repeated", repeated],
	] as const) {
		const times = await interleaved(surfaces, next);
		const own = median(times.engine);
		for (const name of ["mcp", "hosted", "http"] as const) {
			const p50 = median(times[name]);
			print({
				figure: `search over ${name}, added to the engine, ${kind} queries`,
				ms: round(p50 - own),
				p50Ms: round(p50),
				engineP50Ms: round(own),
				ratio: round(p50 / own),
				ceiling: ADDED_CEILING_MS,
				met: p50 - own <= ADDED_CEILING_MS,
				chunks,
			});
		}
		const alone = await load(surfaces.engine, next, process.pid, 1);
		for (const [name, surface, pid] of [
			["mcp", surfaces.mcp, mcp.child.pid],
			["http", surfaces.http, http.pid],
		] as const) {
			const under = await load(surface, next, pid);
			print({
				figure: `searches a second over ${name}, ${CLIENTS} in flight, ${kind} queries`,
				perSecond: Math.round(under.perSecond),
				enginePerSecond: Math.round(alone.perSecond),
				ratio: round(under.perSecond / alone.perSecond),
				cpuMs: round(under.cpuMs),
				engineCpuMs: round(alone.cpuMs),
				floor: RATE_FLOOR,
				met: under.perSecond >= RATE_FLOOR,
			});
		}
	}
	const list = Buffer.byteLength(await mcp.call("tools/list", {}));
	print({ figure: "tools/list", bytes: list, ceiling: LIST_CEILING, met: list <= LIST_CEILING });
	await engine.close();
	await cancelBuilds("direct", mcp);
	await cancelBuilds("hosted", hosted);
	for (const child of running) child.kill("SIGTERM");
	await Promise.all([...running].map((child) => once(child, "exit")));
	await compareStarts();
} finally {
	for (const child of running) child.kill("SIGKILL");
	rmSync(base, { recursive: true, force: true, maxRetries: 5 });
}

/** Each surface in turn, so that a busy moment of the machine falls on all alike. */
async function interleaved(
	surfaces: Readonly<Record<Name, (query: string) => Promise<unknown>>>,
	next: () => string,
): Promise<Record<Name, number[]>> {
	const times: Record<Name, number[]> = { engine: [], mcp: [], hosted: [], http: [] };
	for (let at = 0; at < ROUNDS; at++) {
		const query = next();
		for (const name of NAMES) {
			const began = performance.now();
			await surfaces[name](query);
			times[name].push(performance.now() - began);
		}
	}
	return times;
}

type Load = { readonly perSecond: number; readonly cpuMs: number };

/** Calls a second with so many in flight, each asked anew as soon as it is answered, and the server's CPU for each. */
async function load(
	surface: (query: string) => Promise<unknown>,
	next: () => string,
	pid = process.pid,
	clients: number = CLIENTS,
): Promise<Load> {
	const run = async (ms: number): Promise<number> => {
		const until = performance.now() + ms;
		let calls = 0;
		const client = async (): Promise<void> => {
			for (; performance.now() < until; calls++) await surface(next());
		};
		await Promise.all(Array.from({ length: clients }, client));
		return calls;
	};
	await run(WARM_MS);
	const before = cpuMs(pid);
	const calls = await run(LOAD_MS);
	return { perSecond: (calls * 1_000) / LOAD_MS, cpuMs: (cpuMs(pid) - before) / calls };
}

/** From the cancellation of a build to the end of the process that did its work. */
async function cancelBuilds(name: string, session: Awaited<ReturnType<typeof startMcp>>): Promise<void> {
	const times: number[] = [];
	for (let at = 0; at < CANCELS; at++) {
		const requestId = session.nextId();
		void session.call("tools/call", { name: "build_index", arguments: {} });
		const builder = await builderBelow(session.child.pid ?? 0);
		// In the middle of its work, not at its beginning.
		await delay(150);
		const began = performance.now();
		session.notify("notifications/cancelled", { requestId });
		while (isAlive(builder)) await delay(1);
		times.push(performance.now() - began);
		await delay(50);
	}
	const ms = median(times);
	print({
		figure: `cancelled build, until its process is gone, ${name}`,
		ms: round(ms),
		worstMs: round(Math.max(...times)),
		ceiling: CANCEL_CEILING_MS,
		met: ms <= CANCEL_CEILING_MS,
	});
}

async function builderBelow(pid: number): Promise<number> {
	for (;;) {
		const found = descendants(pid).find((below) => commandOf(below).includes("buildProcess"));
		if (found !== undefined) return found;
		await delay(1);
	}
}

function descendants(pid: number): number[] {
	const children = read(`/proc/${pid}/task/${pid}/children`).trim().split(" ").filter(Boolean).map(Number);
	return children.flatMap((child) => [child, ...descendants(child)]);
}

function isAlive(pid: number): boolean {
	return existsSync(`/proc/${pid}`) && !/\) Z /.test(read(`/proc/${pid}/stat`));
}

function commandOf(pid: number): string {
	return read(`/proc/${pid}/cmdline`);
}

function read(path: string): string {
	try {
		return readFileSync(path, "latin1");
	} catch {
		return "";
	}
}

/** Spawn to the answer of initialize, hosted and direct, beside a Node that does nothing. */
async function compareStarts(): Promise<void> {
	const bare: number[] = [];
	const starts: Record<"hosted" | "direct", number[]> = { hosted: [], direct: [] };
	for (let at = 0; at < STARTS; at++) {
		const began = performance.now();
		await once(spawn(process.execPath, ["-e", "0"], { stdio: "ignore" }), "exit");
		bare.push(performance.now() - began);
		for (const [name, args] of [
			["hosted", []],
			["direct", ["--direct"]],
		] as const) {
			const from = performance.now();
			const session = await startMcp(server, args);
			starts[name].push(performance.now() - from);
			// All of it must be gone before the next begins.
			const exited = once(session.child, "exit");
			session.child.stdin?.end();
			await exited;
		}
	}
	for (const [name, samples] of Object.entries(starts)) {
		const ratio = round(median(samples) / median(bare));
		print({
			figure: `spawn to initialize, ${name}`,
			ms: round(median(samples)),
			bareNodeMs: round(median(bare)),
			ratio,
			ceiling: START_CEILING,
			met: ratio <= START_CEILING,
		});
	}
}

function round(value: number): number {
	return Math.round(value * 1000) / 1000;
}

function print(figure: Record<string, unknown>): void {
	console.log(JSON.stringify({ bench: "surfaces", ...figure, loadAverage: round(loadavg()[0] ?? 0) }));
}
