import assert from "node:assert/strict";
import { setTimeout as delay } from "node:timers/promises";
import { type Dispatcher, RpcError } from "libmcp";
import { verifies } from "../../../../e2e/verifies.ts";
import { createGatewayServer } from "../../src/server/serving/gatewayServer.ts";
import type { GatewayServer, Transport } from "../../src/server/serving/transport.ts";
import { createStreamableTransport } from "../../src/transport/streamable.ts";
import { testGateway } from "../fixtures/gateway.ts";
import { metatools } from "./command.ts";

function serverOf(dispatcher: Dispatcher): GatewayServer {
	return {
		description: { info: { name: "slow", version: "1.0.0" }, capabilities: { tools: {} } },
		dispatcher: () => dispatcher,
		parse: JSON.parse,
		onListChanged: () => () => {},
	};
}

async function post(url: string, message: unknown): Promise<Response> {
	return fetch(url, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(message) });
}

verifies(
	"004-streamable-http-graceful-shutdown",
	"on shutdown a request has five seconds to complete, a new one is refused, and the process exits",
	async () => {
		const held = Promise.withResolvers<void>();
		const began = Promise.withResolvers<void>();
		const never = Promise.withResolvers<void>();
		const transport = createStreamableTransport({ host: "127.0.0.1", port: 0, stateless: true });
		const stop = new AbortController();
		const serving = transport.serve(
			serverOf(async (method) => {
				if (method === "prompts/list") return never.promise;
				if (method !== "tools/list") throw new RpcError(-32601, "only tools/list");
				began.resolve();
				await held.promise;
				return { tools: [] };
			}),
			stop.signal,
		);
		while (transport.info().address === undefined) await new Promise((resolve) => setTimeout(resolve, 5));
		const url = transport.info().address ?? "";
		const endless = post(url, { jsonrpc: "2.0", id: 0, method: "prompts/list" }).then((answer) => answer.text());
		endless.catch(() => {});
		const answered = post(url, { jsonrpc: "2.0", id: 1, method: "tools/list" });
		await began.promise;
		stop.abort();
		// Timers of one process, so that a busy machine delays them all.
		const late = delay(15_000, "late", { ref: false });
		const refused = await post(url, { jsonrpc: "2.0", id: 2, method: "tools/list" }).catch(() => undefined);
		assert.ok(refused === undefined || refused.status === 503);
		await delay(3_000);
		held.resolve();
		assert.match(await (await answered).text(), /"tools":\[\]/);
		assert.notEqual(await Promise.race([serving, late]), "late");

		const running = metatools(["serve", "--transport=streamable", "--port=0"]);
		await running.address;
		running.child.kill("SIGTERM");
		assert.equal(await running.exited, 0);
	},
	{ timeout: 120_000 },
);

verifies(
	"004-extension-points-transport",
	"a transport of the user's own serves the gateway by implementing the interface",
	async () => {
		const answers: unknown[] = [];
		const direct: Transport = {
			name: "direct",
			info: () => ({ name: "direct" }),
			async serve(server, signal) {
				const dispatch = server.dispatcher();
				const context = {
					era: "modern",
					id: "1" as never,
					signal,
					client: { protocolVersion: "2026-07-28", capabilities: {} },
					wantsProgress: false,
					progress: () => {},
					notify: () => {},
					request: () => Promise.reject(new Error("nobody to ask")),
				} as const;
				answers.push(await dispatch("tools/list", {}, context));
			},
			close: async () => {},
		};
		const { gateway, stop } = await testGateway();
		await direct.serve(createGatewayServer(gateway), new AbortController().signal);
		assert.match(JSON.stringify(answers), /"name":"search_tools"/);
		await stop();
	},
);
