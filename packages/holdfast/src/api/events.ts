import type { ServerResponse } from "node:http";
import type { CallEntry } from "../record/calls.ts";
import type { TimelineEntry } from "../record/timeline.ts";
import type { EventData, IndexJobState } from "./answers.ts";
import type { Surroundings } from "./endpoint.ts";

const KEEP_ALIVE_MS = 15_000;
const MAX_BACKLOG_BYTES = 1_000_000;
const SERVERS_PAUSE_MS = 150;

/** The events a page can listen for, and their data. */
export const EVENTS = {
	hello: "The stream has begun; says the product's version and when it started.",
	servers: "Something about a server changed; listServers has what.",
	tools: "The catalogue or what waits for approval changed.",
	entry: "A timeline entry, new or with more known of it.",
	call: "A call began or ended, without arguments and result.",
	index: "The rebuild of the index moved on.",
} as const satisfies Record<keyof EventData, string>;

/** Sends live data as server-sent events until the reader disconnects or the server stops. */
export function streamEvents(
	{ recorder, indexJob, version, closing }: Surroundings,
	response: ServerResponse,
	startedAt: number,
): void {
	response.writeHead(200, {
		"content-type": "text/event-stream",
		"cache-control": "no-cache, no-transform",
		"x-accel-buffering": "no",
	});
	const send = <Name extends keyof EventData>(event: Name, data: EventData[Name]): void => {
		response.write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
		// Disconnect a reader that falls this far behind; it reconnects and loads the current state.
		if (response.writableLength > MAX_BACKLOG_BYTES) response.destroy();
	};
	const servers = paused(() => send("servers", {}));
	const tools = paused(() => send("tools", {}));
	const listeners = {
		servers: servers.request,
		tools: tools.request,
		entry: (entry: TimelineEntry) => send("entry", entry),
		call: ({ args: _, result: __, ...call }: CallEntry) => send("call", call),
	};
	recorder.on("servers", listeners.servers).on("tools", listeners.tools);
	recorder.on("entry", listeners.entry).on("call", listeners.call);
	const moved = (state: IndexJobState): void => send("index", state);
	indexJob.on("change", moved);
	const alive = setInterval(() => response.write(": still here\n\n"), KEEP_ALIVE_MS);
	const end = (): void => void response.end();
	closing.addEventListener("abort", end, { once: true });
	response.once("close", () => {
		closing.removeEventListener("abort", end);
		clearInterval(alive);
		servers.stop();
		tools.stop();
		recorder.off("servers", listeners.servers).off("tools", listeners.tools);
		recorder.off("entry", listeners.entry).off("call", listeners.call);
		indexJob.off("change", moved);
	});
	send("hello", { version, startedAt });
}

/** Coalesces a burst of changes into one event. */
function paused(tell: () => void): { request(): void; stop(): void } {
	let timer: NodeJS.Timeout | undefined;
	return {
		request() {
			timer ??= setTimeout(() => {
				timer = undefined;
				tell();
			}, SERVERS_PAUSE_MS);
		},
		stop: () => clearTimeout(timer),
	};
}
