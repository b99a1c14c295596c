import { after } from "node:test";
import { createPolicyGate } from "../../src/auth/policy.ts";
import { readAuth } from "../../src/auth/readAuth.ts";
import type { JsonObject } from "../../src/contract/json.ts";
import type { Gate } from "../../src/run/access.ts";
import { createGatewayServer } from "../../src/server/serving/gatewayServer.ts";
import { createStreamableTransport } from "../../src/transport/streamable.ts";
import { testGateway } from "../fixtures/gateway.ts";

/** A gateway over in-process servers behind the HTTP door, with these sections of configuration. */
export async function door(sections: {
	auth?: JsonObject;
	policy?: JsonObject;
	gates?: readonly Gate[];
}): Promise<string> {
	const policy = sections.policy ?? {};
	const { gateway, stop } = await testGateway({ gates: [createPolicyGate(() => policy), ...(sections.gates ?? [])] });
	const transport = createStreamableTransport({
		...readAuth(sections.auth ?? {}),
		host: "127.0.0.1",
		port: 0,
		stateless: true,
	});
	const controller = new AbortController();
	const serving = transport.serve(createGatewayServer(gateway), controller.signal);
	while (transport.info().address === undefined) await new Promise((resolve) => setTimeout(resolve, 5));
	after(async () => {
		controller.abort();
		await serving;
		await stop();
	});
	return transport.info().address ?? "";
}

export async function ask(url: string, token?: string, tool = "list_tools", args: JsonObject = {}): Promise<Response> {
	return fetch(url, {
		method: "POST",
		headers: {
			"content-type": "application/json",
			"mcp-protocol-version": "2025-11-25",
			...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
		},
		body: JSON.stringify({
			jsonrpc: "2.0",
			id: 1,
			method: "tools/call",
			params: { name: tool, arguments: { ...args, render: "json" } },
		}),
	});
}

/** The ids of the tools a caller sees. */
export async function seen(url: string, token?: string): Promise<string[]> {
	const body = (await (await ask(url, token)).json()) as { result: { structuredContent: { tools: { id: string }[] } } };
	return body.result.structuredContent.tools.map((tool) => tool.id);
}
