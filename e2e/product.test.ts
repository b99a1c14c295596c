// The product as a newcomer meets it: one command, one address, and nothing left when it is stopped.
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { type GatewayClient, modernClient, SDK_CLIENTS } from "./clients.ts";
import { newPlace } from "./place.ts";
import { startProduct } from "./runningProduct.ts";
import { until } from "./until.ts";
import { verifies } from "./verifies.ts";

const LEDGER = fileURLToPath(new URL("./fixtures/ledgerServer.ts", import.meta.url));
const place = newPlace();
const notes = join(place.folder, "notes");
let product: Awaited<ReturnType<typeof startProduct>>;

before(async () => {
	const args = ["--disable-warning=ExperimentalWarning", LEDGER, notes];
	const ledger = { command: process.execPath, args };
	writeFileSync(place.configFile, JSON.stringify({ mcpServers: { ledger }, execution: { timeout: "10m" } }));
	writeFileSync(notes, "");
	product = await startProduct(place);
});
after(async () => {
	product.signal("SIGKILL");
	await until(() => place.living().length === 0, "nothing of the product lives");
	place.remove();
});

test("it says where it is, what is behind it, how to connect and how to stop", () => {
	const { out, err } = product.said();
	assert.match(out, /^Holdfast is up at http:\/\/127\.0\.0\.1:\d+\n/);
	assert.match(out, / {2}MCP {6}http:\S+\/mcp\n {2}console {2}http:\S+\/\n {2}index {4}3 files, 3 chunks /);
	for (const name of ["pairofcleats", "synesthetic", "ledger"]) assert.match(out, new RegExp(`^  ${name} +\\w`, "m"));
	assert.match(out, /holdfast install claude-code --url http:\S+\/mcp\n/);
	assert.equal(out.includes("\u001b"), false, "no colours in a pipe");
	assert.equal(err, "");
});

for (const [generation, connect] of Object.entries(SDK_CLIENTS)) {
	verifies(
		["001-1.2-http-through-gateway", "004-streamable-http-up-one-address"],
		`the ${generation} SDK's client finds, reads about and runs code search, sample assets and own servers at one address`,
		async () => {
			const client = await connect(`${product.address}/mcp`);
			try {
				assert.equal(client.server, "metatools");
				const found = await client.call("search_tools", { query: "search the code of the repository" });
				assert.equal(toolIds(found)[0], "pairofcleats:search");
				const read = await client.call("describe_tool", { tool_id: "pairofcleats:search", detail_level: "schema" });
				assert.match(JSON.stringify(read), /"required":\["query"\]/);
				assert.equal(await firstHit(client, "lightLantern"), "lantern.ts");
				assert.match(JSON.stringify(await client.runTool("synesthetic:list_schemas", {})), /synesthetic-asset/);
				await client.runTool("ledger:look", { id: generation });
			} finally {
				await client.close();
			}
		},
	);
}

test("a chain hands one server's answer to another, and code calls both", async () => {
	const client = await modernClient(`${product.address}/mcp`);
	try {
		const chain = await client.call("run_chain", {
			steps: [
				{ tool_id: "pairofcleats:search", args: { query: "moor_ship" } },
				{ tool_id: "ledger:note", args: { id: { $from: "steps/0/structured/result/search/hits/0/path" } } },
			],
		});
		assert.equal(Array.isArray(chain.results) && chain.results.length, 2);
		assert.equal(readFileSync(notes, "utf8"), "harbour.py\n");
		const { value } = await client.call("execute_code", {
			language: "javascript",
			code: `const found = await tools.pairofcleats.search({ query: "lightLantern" });
				await tools.ledger.note({ id: found.result.search.hits[0].name });
				return found.result.search.hits.length > 0;`,
		});
		assert.equal(value, true);
		assert.equal(readFileSync(notes, "utf8"), "harbour.py\nlightLantern\n");
	} finally {
		await client.close();
	}
});

test("a worker that is killed is replaced under the same session, and the next call succeeds", async () => {
	const client = await modernClient(`${product.address}/mcp`);
	try {
		assert.equal(await firstHit(client, "lightLantern"), "lantern.ts");
		const [worker, ...others] = workersOf("pairofcleats.js");
		assert.ok(worker !== undefined && others.length === 0);
		process.kill(worker, "SIGKILL");
		assert.equal(await firstHit(client, "moor_ship"), "harbour.py");
		const [next] = workersOf("pairofcleats.js");
		assert.ok(next !== undefined && next !== worker);
	} finally {
		await client.close();
	}
});

test("a changed configuration is in force without a restart, and a broken one changes nothing", async () => {
	const client = await modernClient(`${product.address}/mcp`);
	try {
		const config = JSON.parse(readFileSync(place.configFile, "utf8"));
		config.mcpServers.second = config.mcpServers.ledger;
		writeFileSync(place.configFile, JSON.stringify(config));
		const servers = async () => JSON.stringify(await client.call("list_namespaces", {}));
		await until(async () => (await servers()).includes('"second"'), "the new server is there");
		assert.equal(await firstHit(client, "lightLantern"), "lantern.ts", "the servers that come with it are kept");
		writeFileSync(place.configFile, '{"mcpServers": [');
		await until(() => product.said().err.includes("the changed configuration is not used: "), "it says so");
		assert.match(await servers(), /"second"/);
		delete config.mcpServers.second;
		writeFileSync(place.configFile, JSON.stringify(config));
		for (const line of product.said().err.trim().split("\n")) assert.equal(typeof JSON.parse(line).message, "string");
		await until(async () => !(await servers()).includes('"second"'), "the server has gone");
	} finally {
		await client.close();
	}
});

verifies(
	"004-streamable-http-up-graceful-shutdown",
	"Ctrl-C lets a short call finish, waits for no endless one, exits with 0 and leaves no process",
	async () => {
		const client = await modernClient(`${product.address}/mcp`);
		const short = client.runTool("ledger:note", { id: "finished", ms: 2_000 });
		const endless = client.runTool("ledger:note", { id: "endless", ms: 600_000 }).then(
			() => "answered",
			() => "refused",
		);
		await until(() => readFileSync(`${notes}.begun`, "utf8").includes("endless"), "both calls run");
		assert.ok(place.living().length >= 4, "the product and three servers");
		product.signal("SIGINT");
		await short;
		assert.match(readFileSync(notes, "utf8"), /\nfinished\n$/);
		assert.equal(await product.exited, 0);
		await client.close().catch(() => undefined);
		assert.equal(await endless, "refused");
		await until(() => place.living().length === 0, "no process is left");
		assert.equal(product.said().err.includes("    at "), false, product.said().err);
	},
	{ timeout: 120_000 },
);

function workersOf(name: string): number[] {
	return place.living().flatMap(({ pid, command }) => (command.includes(name) ? [pid] : []));
}

function toolIds(found: Record<string, unknown>): string[] {
	return [...JSON.stringify(found).matchAll(/"id":"([^"]+)"/g)].map(([, id = ""]) => id);
}

async function firstHit(client: GatewayClient, query: string): Promise<string | undefined> {
	const answer = JSON.stringify(await client.runTool("pairofcleats:search", { query }));
	return /"hits":\[\{"path":"([^"]+)"/.exec(answer)?.[1];
}
