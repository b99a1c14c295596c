// From starting the process to the answer to initialize: bare Node, our stdio entry, the official SDK's, interleaved.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { residentMb, threadsCpuMs } from "./processes.ts";

const ROUNDS = 9;
/** How many times a bare Node start our own may cost in CPU. */
const CEILING = 2.5;
const KINDS = ["bare", "ours", "sdk"] as const;
const INITIALIZE = {
	jsonrpc: "2.0",
	id: 1,
	method: "initialize",
	params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "bench", version: "1" } },
};

type Start = { readonly wallMs: number; readonly cpuMs: number; readonly megabytes: number };

const starts: Record<(typeof KINDS)[number], Start[]> = { bare: [], ours: [], sdk: [] };
for (let round = 0; round < ROUNDS; round++) for (const kind of KINDS) starts[kind].push(await start(kind));
const [bare, ours, sdk] = KINDS.map((kind) => middle(starts[kind]));
if (bare === undefined || ours === undefined || sdk === undefined) throw new Error("nothing was measured");
const ratio = Number((ours.cpuMs / bare.cpuMs).toFixed(2));
console.log(
	JSON.stringify({
		bench: "start",
		figure: "spawn to initialize",
		ratio,
		ceiling: CEILING,
		met: ratio <= CEILING,
		ours,
		bare,
		sdk,
	}),
);

async function start(kind: string): Promise<Start> {
	const script = new URL(`./start/${kind}.mjs`, import.meta.url).pathname;
	const began = performance.now();
	const child = spawn(process.execPath, [script], { stdio: ["pipe", "pipe", "inherit"] });
	if (child.stdout === null || child.stdin === null || child.pid === undefined)
		throw new Error(`${kind} did not start`);
	child.stdin.write(`${JSON.stringify(INITIALIZE)}\n`);
	await once(child.stdout, "data");
	const seen = {
		wallMs: Math.round(performance.now() - began),
		cpuMs: Number(threadsCpuMs(child.pid).toFixed(1)),
		megabytes: Math.round(residentMb(child.pid)),
	};
	child.stdin.end();
	await once(child, "exit");
	return seen;
}

function middle(all: readonly Start[]): Start | undefined {
	return all.toSorted((a, b) => a.cpuMs - b.cpuMs)[Math.floor(all.length / 2)];
}
