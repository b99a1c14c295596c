import { serveSdkStdio } from "libmcp/sdk";
import { guardStdout } from "libmcp/serve";
import { queueMax, toolTimeoutMs } from "../contract/environment.ts";
import { ToolRunner } from "../tools/toolRunner.ts";
import { Workspace } from "../workspace/workspace.ts";
import { callLog } from "./callLog.ts";
import { DeclaredRoots } from "./declaredRoots.ts";
import { describeServer } from "./describeServer.ts";
import { withTabledCode } from "./tabledCodes.ts";
import { toolDispatcher } from "./toolDispatcher.ts";

/** Serves MCP on this process's own stdin and stdout until the client closes its end. */
export async function serveMcp(repositories: readonly string[]): Promise<void> {
	const workspace = new Workspace({ repositories });
	const runner = new ToolRunner(workspace, runnerOptions());
	const roots = new DeclaredRoots(workspace);
	const { write } = guardStdout();
	const server = serveSdkStdio({
		dispatcher: toolDispatcher(runner, (context) => roots.learn(context)),
		description: describeServer("sdk"),
		streams: { input: process.stdin, output: process.stdout, write: (text) => write(withTabledCode(text)) },
		onNotification: (method, _params, session) => {
			if (method === "notifications/roots/list_changed") roots.forget(session);
		},
	});
	endWithSignals(() => void server.close());
	await server.closed;
	await workspace.close();
}

export function runnerOptions(): ConstructorParameters<typeof ToolRunner>[1] {
	const max = queueMax();
	const timeoutMs = toolTimeoutMs();
	return {
		...(max !== undefined && { queueMax: max }),
		...(timeoutMs !== undefined && { timeoutMs }),
		log: callLog(),
	};
}

/** Ends the server when stdout closes or on a termination signal. */
export function endWithSignals(end: () => void): void {
	process.stdout.on("error", end);
	for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) process.on(signal, end);
}
