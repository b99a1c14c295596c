// A catalogue of 2,000 tools: how long one search takes, how soon a gateway over it answers, how much memory it holds.
import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { Gateway, type ToolDefinition } from "metatools";
import { residentMb } from "./processes.ts";
import { quantile } from "./quantile.ts";

const TOOLS = 2_000;
const SEARCHES = 1_000;
const VERBS =
	"create get list update delete search send move copy archive restore assign approve export import merge lock rename schedule validate".split(
		" ",
	);
const NOUNS =
	"invoice customer ticket repository branch message calendar event document folder image dataset pipeline deployment secret payment order shipment contact webhook dashboard report metric alert incident".split(
		" ",
	);
const PLACES = "project team account workspace region tenant".split(" ");

const definitions = Array.from({ length: TOOLS }, (_, n): ToolDefinition => {
	const verb = pick(VERBS, n);
	const noun = pick(NOUNS, Math.floor(n / VERBS.length));
	const place = pick(PLACES, Math.floor(n / (VERBS.length * NOUNS.length)));
	return {
		name: `${verb}_${noun}_in_${place}_${n}`,
		description: `${capital(verb)} a ${noun} of the given ${place}. Returns the ${noun} with its status, owner and history. Fails when the ${place} is locked or the caller may not ${verb} it.`,
		inputSchema: {
			type: "object",
			properties: {
				[`${noun}_id`]: { type: "string", description: `Which ${noun} to ${verb}` },
				[place]: { type: "string", description: `The ${place} that holds it` },
				dry_run: { type: "boolean", description: "Only say what would happen" },
			},
			required: [`${noun}_id`],
		},
	};
});

// Lists the tools it finds beside itself.
const SERVER = `
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
const tools = JSON.parse(readFileSync(new URL("tools.json", import.meta.url), "utf8"));
createInterface({ input: process.stdin }).on("line", (line) => {
	const { id, method, params } = JSON.parse(line);
	const send = (result) => process.stdout.write(JSON.stringify({ jsonrpc: "2.0", id, result }) + "\\n");
	if (id === undefined) return;
	if (method === "initialize") return send({ protocolVersion: "2025-11-25", capabilities: { tools: {} }, serverInfo: { name: "big", version: "1" } });
	const from = Number(params?.cursor ?? 0);
	const nextCursor = from + 500 < tools.length ? String(from + 500) : undefined;
	send(method === "tools/list" ? { tools: tools.slice(from, from + 500), nextCursor } : {});
}).on("close", () => process.exit());
`;

await searchTime();
await startUp();

async function searchTime(): Promise<void> {
	const gateway = new Gateway();
	const offers = Map.groupBy(definitions, (_, index) => `server${index % 20}`);
	for (const [namespace, own] of offers)
		gateway.catalog.set({
			namespace,
			definitions: own,
			backendOf: () => ({ kind: "mcp", mcp: { serverName: namespace } }),
		});
	const buildStart = performance.now();
	await gateway.search.find(["warm up"]);
	const build = performance.now() - buildStart;
	const queries = Array.from(
		{ length: SEARCHES },
		(_, n) => `please ${pick(VERBS, n * 7)} the ${pick(NOUNS, n * 3)} of my ${pick(PLACES, n)} and tell me its status`,
	);
	for (const query of queries.slice(0, 100)) await gateway.search.find([query]);
	const cpu = process.cpuUsage();
	const times: number[] = [];
	for (const query of queries) {
		const started = performance.now();
		await gateway.search.find([query]);
		times.push(performance.now() - started);
	}
	const spent = process.cpuUsage(cpu);
	const plain = definitions.map((definition) => JSON.stringify(definition).toLowerCase());
	const scans = queries.slice(0, 200).map((query) => {
		const started = performance.now();
		const words = query.split(" ");
		plain.map((text) => words.filter((word) => text.includes(word)).length);
		return performance.now() - started;
	});
	report("search p50 ms", quantile(times, 0.5), {
		baseline: "substring scan of every definition",
		baselineValue: quantile(scans, 0.5),
	});
	report("search p95 ms", quantile(times, 0.95), {
		baseline: "substring scan of every definition",
		baselineValue: quantile(scans, 0.95),
		target: 5,
	});
	report("search CPU ms, mean", (spent.user + spent.system) / 1_000 / SEARCHES, {});
	report("index build ms", build, {});
	await gateway.stop();
}

async function startUp(): Promise<void> {
	const folder = mkdtempSync(join(tmpdir(), "metatools-bench-"));
	try {
		const upstream = join(folder, "server.mjs");
		writeFileSync(join(folder, "tools.json"), JSON.stringify(definitions));
		writeFileSync(upstream, SERVER);
		const config = join(folder, "metatools.json");
		writeFileSync(config, JSON.stringify({ mcpServers: { big: { command: process.execPath, args: [upstream] } } }));
		const bin = join(import.meta.dirname, "../packages/metatools/bin/metatools.js");
		const runs: { first: number; full: number; rss: number; node: number }[] = [];
		for (let n = 0; n < 5; n++) runs.push({ ...(await oneStart(bin, config)), node: await bareNode() });
		const middle = (key: "first" | "full" | "rss" | "node") =>
			quantile(
				runs.map((run) => run[key]),
				0.5,
			);
		report("start to first answer ms", middle("first"), {
			baseline: "node -e 0",
			baselineValue: middle("node"),
			target: 400,
		});
		report("start to all tools found ms", middle("full"), { baseline: "node -e 0", baselineValue: middle("node") });
		report("resident MB after 200 searches", middle("rss"), { target: 150 });
	} finally {
		rmSync(folder, { recursive: true });
	}
}

async function oneStart(bin: string, config: string): Promise<{ first: number; full: number; rss: number }> {
	const started = performance.now();
	const child = spawn(process.execPath, [bin, "serve", "--config", config], { stdio: ["pipe", "pipe", "ignore"] });
	const ask = conversation(child);
	await ask("initialize", {
		protocolVersion: "2025-11-25",
		capabilities: {},
		clientInfo: { name: "bench", version: "1" },
	});
	const first = performance.now() - started;
	const search = async (query: string) =>
		JSON.stringify(await ask("tools/call", { name: "search_tools", arguments: { query, limit: 5 } }));
	while (!(await search("archive the payment")).includes("archive_payment"))
		await new Promise((resolve) => setTimeout(resolve, 10));
	const full = performance.now() - started;
	for (let n = 0; n < 200; n++) await search(`${pick(VERBS, n)} ${pick(NOUNS, n)}`);
	const rss = residentMb(child.pid ?? 0);
	child.stdin?.end();
	await new Promise((resolve) => child.once("exit", resolve));
	return { first, full, rss };
}

function conversation(child: ChildProcess): (method: string, params: object) => Promise<unknown> {
	let id = 0;
	const waiting = new Map<number, (result: unknown) => void>();
	if (child.stdout === null) throw new Error("no pipe");
	createInterface({ input: child.stdout }).on("line", (line) => {
		const message = JSON.parse(line);
		waiting.get(message.id)?.(message.result);
	});
	return (method, params) =>
		new Promise((resolve) => {
			waiting.set(++id, resolve);
			child.stdin?.write(`${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`);
		});
}

async function bareNode(): Promise<number> {
	const started = performance.now();
	await new Promise((resolve) => spawn(process.execPath, ["-e", "0"]).once("exit", resolve));
	return performance.now() - started;
}

function report(
	figure: string,
	value: number,
	{ baseline, baselineValue, target }: { baseline?: string; baselineValue?: number; target?: number },
): void {
	const rounded = (number: number) => Math.round(number * 100) / 100;
	console.log(
		JSON.stringify({
			bench: "catalogue",
			tools: TOOLS,
			figure,
			value: rounded(value),
			...(target !== undefined && { target }),
			...(baselineValue !== undefined && {
				baseline,
				baselineValue: rounded(baselineValue),
				ratio: rounded(value / baselineValue),
			}),
		}),
	);
}

function pick(words: readonly string[], index: number): string {
	return words[index % words.length] ?? "";
}

function capital(word: string): string {
	return word.charAt(0).toUpperCase() + word.slice(1);
}
