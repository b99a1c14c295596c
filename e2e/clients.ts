import { Client as ModernClient, StreamableHTTPClientTransport as ModernHttp } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { Client as FirstClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as FirstHttp } from "@modelcontextprotocol/sdk/client/streamableHttp.js";

/** What both generations of the SDK's client can do with a gateway. */
export type GatewayClient = {
	readonly server: string | undefined;
	/** The structured answer of one metatool; an error result throws with its text. */
	call(name: string, args: Record<string, unknown>): Promise<Record<string, unknown>>;
	/** What one tool behind the gateway answered. */
	runTool(toolId: string, args: Record<string, unknown>): Promise<unknown>;
	close(): Promise<void>;
};

export const SDK_CLIENTS = { first: firstClient, modern: modernClient } as const;

const ME = { name: "newcomer", version: "1.0.0" };

export async function firstClient(address: string): Promise<GatewayClient> {
	const client = new FirstClient(ME);
	// The SDK's own types disagree about a property that may be undefined.
	await client.connect(new FirstHttp(new URL(address)) as Parameters<typeof client.connect>[0]);
	return gatewayClient(
		client.getServerVersion()?.name,
		(call) => client.callTool(call),
		() => client.close(),
	);
}

export async function modernClient(address: string): Promise<GatewayClient> {
	const client = new ModernClient(ME);
	await client.connect(new ModernHttp(new URL(address)));
	return gatewayClient(
		client.getServerVersion()?.name,
		(call) => client.callTool(call),
		() => client.close(),
	);
}

/** A client that starts a command, as agents do, and calls its tools by their own names. */
export async function stdioClient(command: string, args: readonly string[], environment: NodeJS.ProcessEnv) {
	const env = Object.fromEntries(
		Object.entries(environment).flatMap(([name, value]) => (value ? [[name, value]] : [])),
	);
	const client = new ModernClient(ME);
	await client.connect(new StdioClientTransport({ command, args: [...args], env, stderr: "ignore" }));
	return {
		callTool: (name: string, args: Record<string, unknown>) => client.callTool({ name, arguments: args }),
		close: () => client.close(),
	};
}

type Call = { readonly name: string; readonly arguments: Record<string, unknown> };

function gatewayClient(
	server: string | undefined,
	send: (call: Call) => Promise<unknown>,
	close: () => Promise<void>,
): GatewayClient {
	const call: GatewayClient["call"] = async (name, args) => {
		const answer = Object(await send({ name, arguments: args })) as {
			isError?: boolean;
			structuredContent?: Record<string, unknown>;
		};
		if (answer.isError === true) throw new Error(JSON.stringify(answer));
		return answer.structuredContent ?? {};
	};
	return {
		server,
		call,
		runTool: async (toolId, args) => (await call("run_tool", { tool_id: toolId, args })).structured,
		close,
	};
}
