import type { IncomingMessage, ServerResponse } from "node:http";
import { setTimeout as delay } from "node:timers/promises";
import type { HttpEndpoint } from "../http/front/front.ts";
import { readBody } from "../http/front/readBody.ts";
import { HttpRefusal } from "../http/front/refusal.ts";
import type { McpEndpoint } from "../http/mcpEndpoint.ts";
import { readHeader } from "../http/modernHeaders.ts";
import { findMethodEffect, resolveContract } from "../replay/effect.ts";
import type { Principal } from "../server/protocol/dispatcher.ts";
import { StoreProblem } from "../store/storeProblem.ts";
import { scanEnvelope } from "../wire/scanEnvelope.ts";
import { isPassedOn } from "./fleetListener.ts";
import type { FleetNode } from "./fleetNode.ts";
import type { Forwarder } from "./forwarder.ts";
import type { SessionPlaces } from "./sessionPlaces.ts";

type Inner = Pick<McpEndpoint, "handle" | "close" | "holds" | "inFlight" | "abandonKept">;

export type FleetParts = {
	readonly node: FleetNode;
	readonly places: SessionPlaces;
	readonly forwarder: Forwarder;
};

/** A lease runs out in three seconds; a machine may be busy. */
const PATIENCE_MS = 8_000;
const RETRY_MS = 100;
const RETRY_LATER = { "retry-after": "1" };

/** An endpoint at every node of a fleet: requests of a session reach the node that serves it. */
export class FleetEndpoint implements HttpEndpoint {
	readonly #inner: Inner;
	readonly #parts: FleetParts;
	readonly #forgetLoss: () => void;
	#isHandedOver: boolean = false;

	constructor(inner: Inner, parts: FleetParts) {
		this.#inner = inner;
		this.#parts = parts;
		this.#forgetLoss = parts.node.onLost(() =>
			inner.abandonKept("its node was declared dead; the session goes on at another"),
		);
	}

	async handle(request: IncomingMessage, response: ServerResponse, principal?: Principal): Promise<void> {
		const session = readHeader(request.headers, "mcp-session-id");
		await this.#parts.node.confirm();
		if (this.#isHandedOver) throw handedOver(request);
		if (session === undefined || this.#inner.holds(session)) return this.#inner.handle(request, response, principal);
		try {
			if (isPassedOn(request)) await this.#handlePassed(session, request, response, principal);
			else await this.#handleAnywhere(session, request, response, principal);
		} catch (error) {
			if (!(error instanceof StoreProblem)) throw error;
			throw new HttpRefusal("STORE_UNAVAILABLE", "what is kept of sessions cannot be read now", RETRY_LATER, {
				cause: error,
			});
		}
	}

	/** Answers what is in flight, then hands its sessions to the other nodes. */
	async close(drainMs: number): Promise<void> {
		// What comes from now on waits for the node after this one.
		this.#isHandedOver = true;
		const deadline = performance.now() + drainMs;
		while (this.#inner.inFlight > 0 && performance.now() < deadline) await delay(10);
		await this.#inner.close(0);
		this.#forgetLoss();
	}

	/** Another node believes that the session is here. */
	async #handlePassed(
		session: string,
		request: IncomingMessage,
		response: ServerResponse,
		principal: Principal | undefined,
	): Promise<void> {
		const { places } = this.#parts;
		places.forget(session);
		const place = await places.find(session);
		if (place.kind === "there") throw new HttpRefusal("MISDIRECTED", "the session goes on at another node");
		return this.#inner.handle(request, response, principal);
	}

	async #handleAnywhere(
		session: string,
		request: IncomingMessage,
		response: ServerResponse,
		principal: Principal | undefined,
	): Promise<void> {
		const { places, forwarder } = this.#parts;
		const deadline = performance.now() + PATIENCE_MS;
		while (!response.destroyed) {
			const place = await places.find(session);
			if (place.kind !== "there") return this.#inner.handle(request, response, principal);
			const { owner, address } = place;
			const body = request.method === "POST" ? await readBody(request) : undefined;
			const outcome =
				address === undefined
					? "unsent"
					: await forwarder.forward(owner, address, { request, response, body, session, principal });
			if (outcome === "done") return;
			if (outcome === "cut" && !isRepeatable(request, body)) {
				places.forget(session);
				throw new HttpRefusal("OUTCOME_UNKNOWN", "the node that had the request is gone; it may have taken effect");
			}
			const isNew = await places.takeOver(session, owner);
			if (performance.now() > deadline)
				throw new HttpRefusal("NODE_AWAY", "the node that serves the session does not answer", RETRY_LATER);
			if (!isNew || outcome === "moved") await delay(RETRY_MS);
		}
	}
}

/** Whether it does no harm if two nodes get the same request. */
function isRepeatable({ method }: IncomingMessage, body: Buffer | undefined): boolean {
	if (method !== "POST" || body === undefined) return true;
	const envelope = scanEnvelope(body);
	switch (envelope.kind) {
		case "request":
			return resolveContract(findMethodEffect(envelope.method).recovery, () => undefined) === "convergent";
		case "notification":
		case "response":
		case "error-response":
			return true;
		case "invalid":
			return false;
	}
}

/** To another node it says that it need not wait here; a client comes again, and reaches another node. */
function handedOver(request: IncomingMessage): HttpRefusal {
	return isPassedOn(request)
		? new HttpRefusal("MISDIRECTED", "the node is leaving")
		: new HttpRefusal("SHUTTING_DOWN", "the node is leaving", RETRY_LATER);
}
