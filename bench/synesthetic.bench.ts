// CPU and memory of synesthetic over stdio, summed over its process tree, and of its validator beside two others.
//   npm run bench -- synesthetic [requests] [checkout of the Python server that this contract comes from]
import { execFileSync, spawn } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";
import { validate as compileWitness, registerSchema, type SchemaObject } from "@hyperjump/json-schema/draft-2020-12";
import { Ajv2020 } from "ajv/dist/2020.js";
import { parseJson, Validator } from "synesthetic";
import { threadsCpuMs } from "./processes.ts";
import { median } from "./quantile.ts";

const REQUESTS = Number(process.argv[2] ?? 2_000);
/** Of figures with a target. */
const ROUNDS = 5;
/** With it, targets can be held against what the same machine does in the same minutes. */
const UPSTREAM = process.argv[3];
const ROOT = resolve(import.meta.dirname, "..");
const BIN = join(ROOT, "packages/synesthetic/bin/synesthetic.js");
const SHARED = resolve(ROOT, "../shared/cases/synesthetic/data/seed-root");
const SAMPLE = join(ROOT, "packages/synesthetic/assets/sample");
const DATA = existsSync(SHARED)
	? {
			schemas: join(SHARED, "libs/synesthetic-schemas/jsonschema"),
			examples: join(SHARED, "libs/synesthetic-schemas/examples"),
		}
	: { schemas: join(SAMPLE, "schemas"), examples: join(SAMPLE, "examples") };
const [largest, second] = readdirSync(DATA.examples)
	.filter((name) => name.startsWith("SynestheticAsset"))
	.map((name) => readFileSync(join(DATA.examples, name), "utf8"))
	.sort((a, b) => b.length - a.length)
	.map((text) => JSON.parse(text));

type Workload = {
	readonly figure: string;
	readonly target?: number;
	readonly upstream?: number;
	readonly method: string;
	readonly params: Readonly<Record<string, unknown>>;
	readonly valid?: boolean;
};

const CLIENT = {
	"io.modelcontextprotocol/protocolVersion": "2026-07-28",
	"io.modelcontextprotocol/clientInfo": { name: "bench", version: "1" },
	"io.modelcontextprotocol/clientCapabilities": {},
};
const overMcp = (name: string, args: Readonly<Record<string, unknown>>) => ({
	method: "tools/call",
	params: { name, arguments: args, _meta: CLIENT },
});

// CPU milliseconds a request of the Python server this contract comes from, measured on a machine of this kind.
const WORKLOADS: readonly Workload[] = [
	{
		figure: "validate",
		target: 0.35,
		upstream: 10.2,
		method: "validate_asset",
		params: { asset: largest, schema: "synesthetic-asset" },
	},
	// What the rules leave in doubt is parsed and walked, and a host asks its worker.
	{
		figure: "validate_invalid",
		upstream: 9.87,
		method: "validate_asset",
		params: { asset: { ...largest, name: "", zz_extra: 1 }, schema: "synesthetic-asset" },
		valid: false,
	},
	{ figure: "diff", target: 0.1, upstream: 0.47, method: "diff_assets", params: { base: second, new: largest } },
	{ figure: "list", target: 0.05, upstream: 0.6, method: "list_schemas", params: {} },
	// The Python server does not speak MCP.
	{ figure: "mcp_validate", ...overMcp("validate_asset", { asset: largest, schema: "synesthetic-asset" }) },
	{ figure: "mcp_diff", ...overMcp("diff_assets", { base: second, new: largest }) },
	{ figure: "mcp_list", ...overMcp("list_schemas", {}) },
];

// The least a Node server can do: read a line, parse it, write an answer.
const FLOOR = `let rest = ""; process.stdin.setEncoding("utf8").on("data", (text) => { const lines = (rest + text).split("\\n"); rest = lines.pop();
for (const line of lines) process.stdout.write(JSON.stringify({ jsonrpc: "2.0", id: JSON.parse(line).id, result: { ok: true } }) + "\\n"); }); process.stderr.write("mcp:ready\\n");`;
// The least a host can do for it: pass chunks on, both ways.
const RELAY = `const child = require("node:child_process").spawn(process.execPath, ["-e", process.argv[1]], { stdio: ["pipe", "pipe", "inherit"] });
process.stdin.on("data", (chunk) => child.stdin.write(chunk)).on("end", () => child.stdin.end()); child.stdout.on("data", (chunk) => process.stdout.write(chunk));`;

const NODE = process.execPath;
/** Of others the Python server may ask the network, by what libraries it finds. */
const NEED_NO_SCHEMA: ReadonlySet<string> = new Set(["diff_assets", "list_schemas"]);
// It puts spaces between tokens.
const ANSWER = /^\{"jsonrpc": ?"2\.0", ?"id": ?(\d+), ?"result":/;
const OK = /\{"ok": ?true/;
const NOT_OK = /\{"ok": ?false/;
const SERVERS = [
	{ server: "floor", command: [NODE, "-e", FLOOR], beside: "floor" },
	{ server: "direct", command: [NODE, BIN, "--direct"], beside: "floor" },
	{ server: "relayed floor", command: [NODE, "-e", RELAY, FLOOR], beside: "relayed floor" },
	...(UPSTREAM === undefined
		? []
		: [{ server: "upstream", command: [process.env.PYTHON ?? "python3", "-m", "mcp"], beside: "upstream" }]),
	{ server: "hosted", command: [NODE, BIN], beside: "relayed floor" },
];

for (const workload of WORKLOADS) for (const inFlight of [1, 16]) await measure(workload, inFlight);
await engines();

/** Servers take turns, and each figure is the median of its rounds: a machine's speed may halve from one second to the next. */
async function measure({ figure, target, upstream, method, params, valid = true }: Workload, inFlight: number) {
	const body = JSON.stringify({ method, params }).slice(1);
	const frame = (id: number): string => `{"jsonrpc":"2.0","id":${id},${body}\n`;
	const servers = SERVERS.filter(({ server }) => server !== "upstream" || NEED_NO_SCHEMA.has(method));
	const seen = new Map<string, Load[]>(servers.map(({ server }) => [server, []]));
	for (let turn = 0; turn < (target === undefined ? 1 : ROUNDS); turn += 1)
		for (const { server, command } of servers)
			seen.get(server)?.push(await load(command, frame, inFlight, server.endsWith("floor") || valid));
	const cpuOf = (server: string): number[] => seen.get(server)?.map(({ cpuMs }) => cpuMs) ?? [];
	const warmOf = (server: string): number[] => seen.get(server)?.map(({ warmCpuMs }) => warmCpuMs) ?? [];
	for (const { server, beside } of servers) {
		const spent = cpuOf(server);
		const times = (other: string): number[] => cpuOf(other).map((theirs, turn) => theirs / (spent[turn] ?? Number.NaN));
		const value = median(spent);
		print({
			figure: `${figure}_cpu_ms`,
			server,
			in_flight: inFlight,
			requests: REQUESTS,
			rounds: spent.length,
			value: round(value),
			best: round(Math.min(...spent)),
			worst: round(Math.max(...spent)),
			warm: round(median(warmOf(server))),
			target,
			baseline: beside,
			baseline_ms: round(median(cpuOf(beside))),
			ratio: round(1 / median(times(beside))),
			...(upstream !== undefined && { upstream_ms: upstream, upstream_ratio: round(upstream / value) }),
			...(seen.has("upstream") && {
				upstream_here_ms: round(median(cpuOf("upstream"))),
				upstream_here_ratio: round(median(times("upstream"))),
			}),
			...(upstream !== undefined && target !== undefined && { upstream_ratio_target: round(upstream / target) }),
			rss_mb: round(Math.max(...(seen.get(server) ?? []).map(({ rssMb }) => rssMb))),
			rss_target_mb: 150,
		});
	}
}

/** Of a request among the first ones after a start, while V8 still compiles, and among as many that follow. */
type Load = { readonly cpuMs: number; readonly warmCpuMs: number; readonly rssMb: number };

async function load(
	[program = NODE, ...args]: readonly string[],
	frame: (id: number) => string,
	inFlight: number,
	ok: boolean,
): Promise<Load> {
	const env = { ...process.env, MCP_READY_FILE: "", SYN_SCHEMAS_DIR: DATA.schemas, SYN_EXAMPLES_DIR: DATA.examples };
	const child = spawn(program, args, { env, cwd: program === NODE ? ROOT : UPSTREAM, stdio: "pipe" });
	await new Promise<void>((ready, fail) => {
		let said = "";
		child.stderr.on("data", (text: Buffer) => {
			said += text;
			if (said.includes("mcp:ready")) ready();
		});
		child.once("close", () => fail(new Error(`${[program, ...args].join(" ")} ended before it was ready: ${said}`)));
	});
	const answers = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
	child.stdin.write(frame(-1));
	await answers.next();
	const pass = async (first: number): Promise<number> => {
		const before = cpuMsOf(child.pid ?? 0);
		for (let sent = 0, done = 0; done < REQUESTS; done += 1) {
			while (sent < REQUESTS && sent - done < inFlight) child.stdin.write(frame(first + sent++));
			const { value = "" } = await answers.next();
			const [head, id] = ANSWER.exec(value) ?? [];
			if (head === undefined || Number(id) !== first + done || !(ok ? OK : NOT_OK).test(value))
				throw new Error(`answer ${first + done}: ${value.slice(0, 200)}`);
		}
		return (cpuMsOf(child.pid ?? 0) - before) / REQUESTS;
	};
	const cpuMs = await pass(0);
	const warmCpuMs = await pass(REQUESTS);
	const rssMb = tree(child.pid ?? 0).reduce((sum, { rssKb }) => sum + rssKb, 0) / 1024;
	child.stdin.end();
	await new Promise((closed) => child.once("close", closed));
	return { cpuMs, warmCpuMs, rssMb };
}

function cpuMsOf(root: number): number {
	return tree(root).reduce((sum, { cpuMs }) => sum + cpuMs, 0);
}

function tree(root: number): { pid: number; cpuMs: number; rssKb: number }[] {
	const rows = execFileSync("ps", ["-eo", "pid=,ppid=,rss="], { encoding: "utf8" }).trim().split("\n");
	const table = rows.map((row) => row.trim().split(/\s+/).map(Number));
	const found = new Set([root]);
	for (const parent of found) for (const [pid = 0, ppid] of table) if (ppid === parent) found.add(pid);
	return table
		.filter(([pid = 0]) => found.has(pid))
		.map(([pid = 0, , rssKb = 0]) => ({ pid, cpuMs: threadsCpuMs(pid), rssKb }));
}

async function engines(): Promise<void> {
	const documents = readdirSync(DATA.schemas).map((name) => {
		const file = join(DATA.schemas, name);
		return { uri: pathToFileURL(file).href, label: name, root: parseJson(readFileSync(file, "utf8")) };
	});
	const main = documents.find(({ label }) => label === "synesthetic-asset.schema.json");
	if (main === undefined) throw new Error("the schema synesthetic-asset is missing");
	const { $schemaRef: _, ...asset } = largest;
	const ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: true });
	for (const { root } of documents) ajv.addSchema(root as object);
	for (const { root } of documents) registerSchema(root as SchemaObject);
	const ours = new Validator(documents);
	const id = String((main.root as { $id: string }).$id);
	const compiled = ajv.getSchema(id);
	const witness = await compileWitness(id);
	const cost = {
		ours: cpuPer(() => ours.validate(main, asset).length === 0),
		ajv: cpuPer(() => compiled?.(asset) === true),
		hyperjump: cpuPer(() => witness(asset).valid),
	};
	for (const [engine, us] of Object.entries(cost))
		print({
			figure: "validator_cpu_us",
			engine,
			value: round(us),
			baseline_ajv_us: round(cost.ajv),
			ratio: round(us / cost.ajv),
		});
}

function cpuPer(check: () => boolean): number {
	// What Ajv generates is large, and is compiled in full only after some thousand calls.
	for (let i = 0; i < 10_000; i += 1) if (!check()) throw new Error("the largest example is valid");
	const start = process.cpuUsage();
	for (let i = 0; i < REQUESTS; i += 1) check();
	const { user, system } = process.cpuUsage(start);
	return (user + system) / REQUESTS;
}

function round(value: number): number {
	return Number(value.toPrecision(3));
}

function print(line: Record<string, unknown>): void {
	console.log(JSON.stringify(line));
}
