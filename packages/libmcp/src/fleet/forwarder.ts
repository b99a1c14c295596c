import {
	Agent,
	type ClientRequest,
	type IncomingMessage,
	type ServerResponse,
	request as startRequest,
} from "node:http";
import type { Principal } from "../server/protocol/dispatcher.ts";
import type { World } from "../world/world.ts";
import { hashBody, PASSED_HEADER, signPassed } from "./fleetKey.ts";
import type { FleetNode } from "./fleetNode.ts";

/** A request that another node is to answer. */
export type Forwarded = {
	readonly request: IncomingMessage;
	readonly response: ServerResponse;
	readonly body: Buffer | undefined;
	readonly session: string;
	readonly principal: Principal | undefined;
};

export type ForwardOutcome =
	/** The client has the response, or is gone. */
	| "done"
	/** The node does not have the session, or is another one by now. */
	| "moved"
	/** The node has not got the request. */
	| "unsent"
	/** The node may have got it, and its response had not begun. */
	| "cut";

type Peer = { readonly address: string; readonly open: Set<() => void>; stopWatching: () => void };

const LOOK_MS = 1_000;
const ANSWER_MS = 2_000;
/** Of one connection, and not of what it carries. */
const HOP_HEADERS = new Set(["connection", "keep-alive", "transfer-encoding", "upgrade", "te", "trailer", "date"]);

/** Sends requests to other nodes. A node that does not answer while it has some is watched until its lease has run out. */
export class Forwarder {
	readonly #node: FleetNode;
	readonly #key: string;
	readonly #world: World;
	readonly #agent = new Agent({ keepAlive: true });
	readonly #peers = new Map<string, Peer>();

	constructor(node: FleetNode, key: string, world: World) {
		this.#node = node;
		this.#key = key;
		this.#world = world;
	}

	/** Streams both ways until one side is over. */
	forward(target: string, address: string, forwarded: Forwarded): Promise<ForwardOutcome> {
		const { request, response, body, session, principal } = forwarded;
		const url = request.url ?? "/";
		const method = request.method ?? "GET";
		const headers: Record<string, string | string[]> = {};
		for (const [name, value] of Object.entries(request.headers))
			if (value !== undefined && !HOP_HEADERS.has(name) && name !== "content-length") headers[name] = value;
		const passed = { target, method, url, session, at: this.#world.now(), bodyHash: hashBody(body) };
		headers[PASSED_HEADER] = signPassed(this.#key, { ...passed, ...(principal !== undefined && { principal }) });
		if (body !== undefined) headers["content-length"] = String(body.length);
		const peer = this.#watch(target, address);
		return new Promise((resolve) => {
			let isSent: boolean = false;
			const sent = startRequest(new URL(url, address), { method, headers, agent: this.#agent });
			const cut = (): void => void sent.destroy(new Error("the node is gone"));
			const end = (outcome: ForwardOutcome): void => {
				peer.open.delete(cut);
				response.off("close", cut);
				resolve(outcome);
			};
			peer.open.add(cut);
			response.once("close", cut);
			sent.once("socket", (socket) => {
				if (!socket.connecting) isSent = true;
				else socket.once("connect", () => (isSent = true));
			});
			sent.once("error", () => {
				if (response.destroyed) end("done");
				else if (!response.headersSent) end(isSent ? "cut" : "unsent");
			});
			sent.once("response", (answer) => {
				if (answer.statusCode === 421) {
					answer.resume();
					end("moved");
				} else pipeAnswer(answer, response, () => end("done"));
			});
			sent.end(body);
		});
	}

	close(): void {
		for (const { open, stopWatching } of this.#peers.values()) {
			stopWatching();
			for (const cut of open) cut();
		}
		this.#peers.clear();
		this.#agent.destroy();
	}

	#watch(target: string, address: string): Peer {
		const known = this.#peers.get(target);
		if (known !== undefined) return known;
		const peer: Peer = { address, open: new Set(), stopWatching: () => {} };
		this.#peers.set(target, peer);
		const plan = (): void => {
			peer.stopWatching = this.#world.after(LOOK_MS, () => void look());
		};
		const look = async (): Promise<void> => {
			if (peer.open.size === 0) {
				this.#peers.delete(target);
				return;
			}
			if (!(await this.#answers(target, address)) && (await this.#isGone(target))) {
				for (const cut of [...peer.open]) cut();
				this.#peers.delete(target);
			} else if (this.#peers.get(target) === peer) plan();
		};
		plan();
		return peer;
	}

	#isGone(target: string): Promise<boolean> {
		return this.#node.declareDead(target).catch(() => false);
	}

	/** Whether the node is still there: one that is frozen holds its connections and answers nothing. */
	#answers(target: string, address: string): Promise<boolean> {
		const passed = { target, method: "HEAD", url: "/", session: "", at: this.#world.now(), bodyHash: "" };
		const headers = { [PASSED_HEADER]: signPassed(this.#key, passed) };
		return new Promise((resolve) => {
			const asked: ClientRequest = startRequest(address, { method: "HEAD", headers, agent: false });
			const stop = this.#world.after(ANSWER_MS, () => void asked.destroy());
			const end = (isThere: boolean): void => {
				stop();
				resolve(isThere);
			};
			asked.once("error", () => end(false)).once("close", () => end(false));
			asked.once("response", (answer) => {
				answer.resume();
				end(answer.statusCode === 204);
			});
			asked.end();
		});
	}
}

function pipeAnswer(answer: IncomingMessage, response: ServerResponse, over: () => void): void {
	const headers = Object.entries(answer.headers).filter(([name]) => !HOP_HEADERS.has(name));
	const begin = (): void => {
		response.writeHead(answer.statusCode ?? 502, Object.fromEntries(headers));
		answer.pipe(response);
	};
	// With the first event: a client that has the status of a stream and nothing of it forgets where it was.
	if (/^text\/event-stream/.test(answer.headers["content-type"] ?? "")) answer.once("readable", begin);
	else begin();
	answer.once("close", () => {
		// What broke off must not look complete: the client comes back for the rest.
		if (!answer.complete) response.destroy();
		over();
	});
	answer.on("error", () => response.destroy());
}
