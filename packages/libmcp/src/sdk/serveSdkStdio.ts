import { Readable } from "node:stream";
import { setTimeout as delay } from "node:timers/promises";
import { ProtocolError, Server } from "@modelcontextprotocol/server";
import { serveStdio as serveOverSdk } from "@modelcontextprotocol/server/stdio";
import { isHosted } from "../environment.ts";
import { isRpcError } from "../fault/rpcError.ts";
import type { Era, Session } from "../server/dispatcher.ts";
import { fitNotification, fitQuestion } from "../server/fitQuestion.ts";
import { fitResult } from "../server/fitResult.ts";
import { isRecord } from "../server/protocol.ts";
import { reportUnexpected } from "../server/reportUnexpected.ts";
import { HANDSHAKE_REVISIONS, LEGACY_REVISION } from "../server/revisions.ts";
import { errorBody, protocolError } from "../server/rpcErrors.ts";
import type { ServerDescription } from "../server/serverDescription.ts";
import { announcesTools, type StdioOptions, type StdioServer } from "../server/serveStdio.ts";
import { stdioChannel } from "../server/stdioChannel.ts";
import { WrittenResult } from "../server/writtenResult.ts";
import { requestId } from "../wire/requestId.ts";
import { Screen } from "./screen.ts";
import { ScreenedTransport } from "./screenedTransport.ts";
import { sdkContext } from "./sdkContext.ts";

export type SdkStdioOptions = Omit<StdioOptions, "description" | "onWatch"> & {
	readonly description: ServerDescription;
};

/** `serveStdio` on top of the official SDK, which does framing, protocol and both eras, for servers that require it. */
export function serveSdkStdio(options: SdkStdioOptions): StdioServer {
	const { line, listen } = stdioChannel(options);
	const toSdk = new Readable({ read() {} });
	const forward = (pieces: readonly Uint8Array[]): void => {
		for (const piece of pieces) toSdk.push(piece);
	};
	const screen = new Screen({ forward, answer: line });
	let current: Server | undefined;
	const revision = (): string => current?.getNegotiatedProtocolVersion() ?? LEGACY_REVISION;
	const ended = new AbortController();
	const session: Session = {
		id: "stdio",
		client: undefined,
		ended: ended.signal,
		notes: new Map<string, unknown>(),
		notify: (method, params) => {
			const fit = fitNotification(revision(), method, params);
			if (fit !== undefined) void current?.notification({ method, ...(params && { params: fit }) }).catch(() => {});
		},
		request: async (method, params, signal) => {
			if (current === undefined)
				throw protocolError("NOT_INITIALIZED", `${method}: no client has completed a handshake`);
			const fit = fitQuestion(revision(), method, params);
			return current.request({ method, ...(fit && { params: fit }) }, ANY_RESULT, {
				timeout: LONGEST_WAIT_MS,
				...(signal && { signal }),
			});
		},
	};
	const sdk = serveOverSdk(
		({ era }) => {
			current = createServer(options, era, session, screen, line);
			return current;
		},
		{ transport: new ScreenedTransport(toSdk, screen) },
	);
	const { close, closed } = listen({
		receive: (frame) => screen.incoming(frame),
		async end(isOver) {
			while (screen.isBusy && !isOver()) await delay(5);
			await sdk.close();
			// A host answers the calls of a worker that ends, or repeats them.
			if (!isHosted()) screen.giveUp("the server is closing");
			ended.abort();
		},
	});
	return {
		notify: (method, params) => session.notify(method, params),
		request: (method, params, signal) => session.request(method, params, signal),
		close,
		closed,
	};
}

function createServer(
	options: SdkStdioOptions,
	era: Era,
	session: Session,
	screen: Screen,
	write: (text: string) => void,
): Server {
	const { info, capabilities, instructions } = options.description;
	const { tools } = capabilities;
	const { onUnexpected = reportUnexpected } = options;
	const server = new Server(info, {
		capabilities: {
			...capabilities,
			...(isRecord(tools) && { tools: { ...tools, listChanged: announcesTools(tools, options.listChanged) } }),
		},
		supportedProtocolVersions: [...HANDSHAKE_REVISIONS],
		...(instructions !== undefined && { instructions }),
	});
	// The SDK would answer it and keep the level to itself; the dispatcher handles it instead.
	server.removeRequestHandler("logging/setLevel");
	server.fallbackRequestHandler = async (request, sdk) => {
		const state = sdk.mcpReq.requestState();
		const params = {
			...request.params,
			...(sdk.mcpReq.inputResponses && { inputResponses: sdk.mcpReq.inputResponses }),
			...(state !== undefined && { requestState: state }),
		};
		const own = requestId(sdk.mcpReq.id);
		const context = sdkContext(server, era, sdk, params, session, screen.tokenOf(own), write);
		try {
			const answer = await options.dispatcher(request.method, params, context);
			const result = fitResult(context.client.protocolVersion, request.method, answer);
			if (result instanceof WrittenResult) return screen.placeholder(own, result);
			return isRecord(result) ? result : {};
		} catch (thrown) {
			if (!isRpcError(thrown) && !context.signal.aborted) onUnexpected(thrown, request.method);
			const { code, message, data } = errorBody(thrown);
			throw new ProtocolError(code, message, data);
		} finally {
			context.finish();
		}
	};
	server.fallbackNotificationHandler = async ({ method, params }) => options.onNotification?.(method, params, session);
	return server;
}

// A person may take long to answer; the caller's own signal ends the wait.
const LONGEST_WAIT_MS = 2 ** 31 - 1;
const ANY_RESULT = {
	"~standard": { version: 1, vendor: "libmcp", validate: (value: unknown) => ({ value }) },
} as const;
