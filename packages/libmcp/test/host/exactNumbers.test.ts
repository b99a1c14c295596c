import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { until } from "../../../../e2e/until.ts";
import { parseContracts } from "../../src/host/settings/contractFile.ts";
import { Bench, textOf } from "./harness.ts";

const CONTRACT = {
	tools: {
		pay: {
			recovery: "probe_required",
			probe: {
				tool: "paid",
				arguments: { order: "/order" },
				answer: "/structuredContent/paid",
				done: [true],
				safe: [false],
				result: "/structuredContent/receipt",
			},
		},
		watch: { recovery: "replay_safe", journal: { key: "/channel" } },
		watched: { recovery: "replay_safe" },
	},
};

for (const order of ["1234567890123456789", "1.0", "1e400"]) {
	test(`a probe is asked about the very order a call was for, ${order}, and its receipt is passed on to the digit`, async (t) => {
		const bench = numbersBench(t);
		await bench.initialize();
		bench.write(
			`{"jsonrpc":"2.0","id":77,"method":"tools/call","params":{"name":"pay","arguments":{"order":${order}}}}`,
		);
		await until(() => bench.answers(77).length > 0, "the payment's answer");
		assert.deepEqual(bench.effects("pay"), [`pay {"order":${order}}`]);
		assert.deepEqual(bench.effects("paid"), [`paid {"order":${order}}`]);
		const answer = bench.raw.find((line) => line.includes('"id":77'));
		assert.equal(
			answer,
			'{"jsonrpc":"2.0","id":77,"result":{"content":[],"structuredContent":{"no":9007199254740993}}}',
		);
	});
}

test("journaled calls are told apart by numbers that JavaScript would round to the same", async (t) => {
	const bench = numbersBench(t);
	await bench.initialize();
	const channels = ["9007199254740992", "9007199254740993"];
	for (const [n, channel] of channels.entries())
		bench.write(
			`{"jsonrpc":"2.0","id":"w${n}","method":"tools/call","params":{"name":"watch","arguments":{"channel":${channel}}}}`,
		);
	await until(() => bench.answers("w1").length > 0, "both channels to be watched");
	bench.killWorker();
	const calls = channels.map((channel) => `watch {"channel":${channel}}`);
	assert.deepEqual(JSON.parse(textOf(await bench.tool("watched"))), calls);
	assert.deepEqual(bench.effects("watch"), [...calls, ...calls]);
});

/** A server that takes numbers by their text, as one in a language with large integers would. */
const SERVER = `
	const fs = require("node:fs");
	const effects = process.env.EFFECTS;
	const watched = [];
	require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
		const { id, method, params } = JSON.parse(line);
		const answer = (result) => console.log('{"jsonrpc":"2.0","id":' + JSON.stringify(id) + ',"result":' + result + "}");
		if (id === undefined) return;
		if (method === "initialize")
			return answer('{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"n","version":"1"}}');
		if (method === "tools/list")
			return answer(JSON.stringify({ tools: ["pay", "paid", "watch", "watched"].map((name) => ({ name, inputSchema: {} })) }));
		if (method !== "tools/call") return answer("{}");
		const given = /"arguments":(\\{.*?\\})/.exec(line)[1];
		fs.appendFileSync(effects, params.name + " " + given + "\\n");
		const paid = () => fs.readFileSync(effects, "utf8").includes("pay " + given);
		const receipt = '{"content":[],"structuredContent":{"no":9007199254740993}}';
		switch (params.name) {
			case "pay":
				return process.kill(process.pid, "SIGKILL");
			case "paid":
				return answer('{"content":[],"structuredContent":{"paid":' + paid() + ',"receipt":' + receipt + "}}");
			case "watch":
				watched.push("watch " + given);
				return answer('{"content":[]}');
			case "watched":
				return answer(JSON.stringify({ content: [{ type: "text", text: JSON.stringify(watched) }] }));
		}
	});
`;

function numbersBench(t: TestContext): Bench {
	const contract = parseContracts(CONTRACT);
	return new Bench(t, { command: process.execPath, args: ["-e", SERVER], contract });
}
