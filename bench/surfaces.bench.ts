// What the surfaces of pairofcleats add to the engine's own time, and how fast a session begins.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { Agent, request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { openRepository } from "pairofcleats";

const PROGRAM = fileURLToPath(new URL("../packages/pairofcleats/bin/pairofcleats.js", import.meta.url));
const FILES = 250;
const FUNCTIONS_PER_FILE = 40;
const ROUNDS = 400;
const CLIENTS = 16;
const LOAD_MS = 3_000;
const STARTS = 7;
const ADDED_CEILING_MS = 1;
const RATE_FLOOR = 1_000;
const START_CEILING = 5;
const LIST_CEILING = 40_000;
const NAMES = ["engine", "mcp", "hosted", "http"] as const;

const SYLLABLES = [
	"ka",
	"lo",
	"mi",
	"ren",
	"tas",
	"vul",
	"zor",
	"bex",
	"dim",
	"fal",
	"gon",
	"hep",
	"jat",
	"nub",
	"pru",
	"qui",
];

const base = mkdtempSync(join(tmpdir(), "surfaces-"));
const root = join(base, "repo");
const environment = { ...process.env, PAIROFCLEATS_CACHE_ROOT: join(base, "cache"), XDG_RUNTIME_DIR: base };
const running = new Set<ChildProcess>();
try {
	makeRepository();
	const engine = openRepository(root, { cacheRoot: join(base, "cache") });
	const { chunks } = await engine.buildIndex();
	const queries = Array.from({ length: 50 }, (_, at) => `${nameOf(at * 31)} ${wordOf(at * 17)}`);
	const ask = (at: number): string => queries[at % queries.length] ?? wordOf(0);

	const mcp = await startMcp(["--direct"]);
	const hosted = await startMcp([]);
	const http = await startApi();
	const surfaces = {
		engine: (at: number) => engine.search({ query: ask(at) }),
		mcp: (at: number) => mcp.call("tools/call", { name: "search", arguments: { query: ask(at) } }),
		hosted: (at: number) => hosted.call("tools/call", { name: "search", arguments: { query: ask(at) } }),
		http: (at: number) => http.post({ query: ask(at) }),
	};
	for (let at = 0; at < 100; at++) for (const surface of Object.values(surfaces)) await surface(at);
	// Interleaved, so that a busy moment of the machine falls on all alike.
	const times: Record<"engine" | "mcp" | "hosted" | "http", number[]> = { engine: [], mcp: [], hosted: [], http: [] };
	for (let at = 0; at < ROUNDS; at++) {
		for (const name of NAMES) {
			const began = performance.now();
			await surfaces[name](at);
			times[name].push(performance.now() - began);
		}
	}
	const own = median(times.engine);
	for (const name of ["mcp", "hosted", "http"] as const) {
		const p50 = median(times[name]);
		const added = p50 - own;
		print({
			figure: `search over ${name}, added to the engine`,
			ms: round(added),
			p50Ms: round(p50),
			engineP50Ms: round(own),
			ratio: round(p50 / own),
			ceiling: ADDED_CEILING_MS,
			met: added <= ADDED_CEILING_MS,
			chunks,
		});
	}
	const alone = await load(surfaces.engine, process.pid, 1);
	for (const [name, surface, pid] of [
		["mcp", surfaces.mcp, mcp.child.pid],
		["http", surfaces.http, http.pid],
	] as const) {
		const under = await load(surface, pid);
		const addedCpu = under.cpuMs - alone.cpuMs;
		print({
			figure: `CPU of a search over ${name}, added to the engine`,
			ms: round(addedCpu),
			cpuMs: round(under.cpuMs),
			engineCpuMs: round(alone.cpuMs),
			ratio: round(under.cpuMs / alone.cpuMs),
			ceiling: ADDED_CEILING_MS,
			met: addedCpu <= ADDED_CEILING_MS,
		});
		print({
			figure: `searches a second over ${name}, ${CLIENTS} clients`,
			perSecond: Math.round(under.perSecond),
			perCpuSecond: Math.round(1_000 / under.cpuMs),
			enginePerSecond: Math.round(alone.perSecond),
			ratio: round(under.perSecond / alone.perSecond),
			floor: RATE_FLOOR,
			met: under.perSecond >= RATE_FLOOR,
		});
	}
	const list = await mcp.call("tools/list", {});
	print({
		figure: "tools/list",
		bytes: Buffer.byteLength(list),
		ceiling: LIST_CEILING,
		met: Buffer.byteLength(list) <= LIST_CEILING,
	});
	await engine.close();
	await compareStarts();
} finally {
	for (const child of running) child.kill("SIGKILL");
	rmSync(base, { recursive: true, force: true, maxRetries: 5 });
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
			const session = await startMcp(args);
			starts[name].push(performance.now() - from);
			session.child.kill("SIGKILL");
			await once(session.child, "exit");
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

type Session = { readonly child: ChildProcess; call(method: string, params: object): Promise<string> };

async function startMcp(args: readonly string[]): Promise<Session> {
	const child = spawn(process.execPath, [PROGRAM, "mcp", ...args, "--repo", root], {
		stdio: ["pipe", "pipe", "ignore"],
		env: environment,
	});
	running.add(child);
	child.once("exit", () => running.delete(child));
	const waiting = new Map<number, (line: string) => void>();
	createInterface({ input: child.stdout }).on("line", (line) => {
		const id = Number(/"id":(\d+)/.exec(line)?.[1]);
		waiting.get(id)?.(line);
		waiting.delete(id);
	});
	let next = 0;
	const call = (method: string, params: object): Promise<string> =>
		new Promise((resolve) => {
			const id = ++next;
			waiting.set(id, resolve);
			child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`);
		});
	await call("initialize", {
		protocolVersion: "2025-11-25",
		capabilities: {},
		clientInfo: { name: "bench", version: "1" },
	});
	child.stdin.write('{"jsonrpc":"2.0","method":"notifications/initialized"}\n');
	return { child, call };
}

async function startApi(): Promise<{ readonly pid: number | undefined; post(body: object): Promise<void> }> {
	const child = spawn(process.execPath, [PROGRAM, "api", "--port", "0", "--repo", root], {
		stdio: ["ignore", "pipe", "ignore"],
		env: environment,
	});
	running.add(child);
	const [line] = (await once(child.stdout, "data")) as [Buffer];
	const url = new URL("/search", /http:\S+/.exec(line.toString())?.[0]);
	const agent = new Agent({ keepAlive: true, maxSockets: CLIENTS });
	return {
		pid: child.pid,
		post: (body) =>
			new Promise((resolve, reject) => {
				const sent = request(
					url,
					{ method: "POST", agent, headers: { "content-type": "application/json" } },
					(response) => {
						response.resume();
						response.once("end", () =>
							response.statusCode === 200 ? resolve() : reject(new Error(`${response.statusCode}`)),
						);
					},
				);
				sent.once("error", reject);
				sent.end(JSON.stringify(body));
			}),
	};
}

type Load = { readonly perSecond: number; readonly cpuMs: number };

/** Calls a second with so many callers, each asking again as soon as it is answered, and the server's CPU for each. */
async function load(
	surface: (at: number) => Promise<unknown>,
	pid = process.pid,
	clients: number = CLIENTS,
): Promise<Load> {
	const until = performance.now() + LOAD_MS;
	const before = cpuMs(pid);
	let calls = 0;
	await Promise.all(
		Array.from({ length: clients }, async (_, client) => {
			for (let at = client; performance.now() < until; at += clients) {
				await surface(at);
				calls += 1;
			}
		}),
	);
	return { perSecond: (calls * 1_000) / LOAD_MS, cpuMs: (cpuMs(pid) - before) / calls };
}

/** User and system time of a process; the kernel counts it in hundredths of a second. */
function cpuMs(pid: number): number {
	const fields = readFileSync(`/proc/${pid}/stat`, "latin1")
		.replace(/^.*\) /s, "")
		.split(" ");
	return (Number(fields[11]) + Number(fields[12])) * 10;
}

/** Words as code has them: a few everywhere, most of them rare. */
function makeRepository(): void {
	mkdirSync(join(root, "src"), { recursive: true });
	for (let file = 0; file < FILES; file++) {
		const text = Array.from({ length: FUNCTIONS_PER_FILE }, (_, at) => {
			const number = file * FUNCTIONS_PER_FILE + at;
			return `export function ${nameOf(number)}(input: string, count: number): string {\n\tfor (let k = 0; k < count; k++) if (input === "${wordOf(number * 7)}") return ${wordOf(number * 13)}(input + k);\n\treturn input;\n}\n`;
		});
		writeFileSync(join(root, "src", `f${file}.ts`), text.join("\n"));
	}
}

function wordOf(number: number): string {
	const digits = [number & 15, (number >> 4) & 15, (number >> 8) & 7];
	return digits.map((digit) => SYLLABLES[digit] ?? "").join("");
}

function nameOf(number: number): string {
	return `${wordOf(number)}${wordOf(number * 3 + 1).replace(/^./, (letter) => letter.toUpperCase())}`;
}

function median(values: readonly number[]): number {
	return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

function round(value: number): number {
	return Math.round(value * 1000) / 1000;
}

function print(figure: Record<string, unknown>): void {
	console.log(JSON.stringify({ bench: "surfaces", ...figure }));
}
