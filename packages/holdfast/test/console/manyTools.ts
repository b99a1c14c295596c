// A server over stdio with as many tools as it is told; once the file it was given exists, each says something else.
import { existsSync } from "node:fs";
import { createInterface } from "node:readline";

const [count = "0", changedFile = ""] = process.argv.slice(2);

for await (const line of createInterface({ input: process.stdin })) {
	const { id, method, params } = JSON.parse(line);
	if (method === "initialize") {
		const { protocolVersion } = params;
		const serverInfo = { name: "many", version: "1" };
		answer(id, { protocolVersion, capabilities: { tools: {} }, serverInfo });
	} else if (method === "tools/list") answer(id, { tools: Array.from({ length: Number(count) }, (_, at) => tool(at)) });
	else if (id !== undefined) answer(id, {});
}

function tool(at: number): object {
	const name = `t${String(at).padStart(5, "0")}`;
	const description = `${existsSync(changedFile) ? "Changed: turns" : "Turns"} screw ${at}. ${"And so on. ".repeat(40)}`;
	return { name, description, inputSchema: { type: "object", properties: { turns: { type: "integer" } } } };
}

function answer(id: unknown, result: object): void {
	process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", id, result })}\n`);
}
