import { Readable, Writable } from "node:stream";
import { setTimeout as delay } from "node:timers/promises";
import { type JSONRPCMessage, ProtocolError, Server } from "@modelcontextprotocol/server";
import { StdioServerTransport, serveStdio as serveOverSdk } from "@modelcontextprotocol/server/stdio";
import { isHosted } from "../environment.ts";
import { isRpcError } from "../fault/rpcError.ts";
import type { Era, Session } from "../server/protocol/dispatcher.ts";
import { fitNotification, fitQuestion } from "../server/protocol/fitQuestion.ts";
import { fitResult } from "../server/protocol/fitResult.ts";
import { WrittenResult } from "../server/protocol/outlet.ts";
import { isRecord } from "../server/protocol/protocol.ts";
import { HANDSHAKE_REVISIONS, LEGACY_REVISION } from "../server/protocol/revisions.ts";
import { errorBody, protocolError, reportUnexpected } from "../server/protocol/rpcErrors.ts";
import type { ServerDescription } from "../server/protocol/serverDescription.ts";
import { announcesTools, type StdioOptions, type StdioServer } from "../server/stdio/serveStdio.ts";
import { stdioChannel } from "../server/stdio/stdioChannel.ts";
import { type RequestId, toRequestId } from "../wire/requestId.ts";
import { Screen } from "./screen.ts";
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
		const own = toRequestId(sdk.mcpReq.id);
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

/** The SDK's own transport; its output goes through the screen, with the id of the request each line answers. */
export class ScreenedTransport extends StdioServerTransport {
	#answers: RequestId | undefined;

	constructor(input: Readable, screen: Screen) {
		super(
			input,
			new Writable({
				decodeStrings: false,
				// The SDK writes one whole line at a time.
				write: (line: string, _encoding, done) => {
					screen.outgoing(line.slice(0, -1), this.#answers);
					done();
				},
			}),
		);
	}

	override send(message: JSONRPCMessage): Promise<void> {
		const answered = "method" in message || message.id === undefined ? undefined : toRequestId(message.id);
		this.#answers = answered;
		// `send` writes the line before it returns.
		return super.send(message);
	}
}
