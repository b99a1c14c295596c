import type { IncomingMessage, ServerResponse } from "node:http";
import type { Principal } from "libmcp";
import { type Authenticate, HttpRefusal } from "libmcp/http";

type Admitted = { readonly response: ServerResponse; readonly callerId: string | undefined };

/** The requests that are being answered, each with the caller it was let in as, so that changed rules reach their streams. */
export class OpenRequests {
	readonly #responses = new WeakMap<IncomingMessage, ServerResponse>();
	readonly #admitted = new Map<IncomingMessage, Admitted>();

	/** Remembers where a request is answered, until it is. */
	add(request: IncomingMessage, response: ServerResponse): void {
		this.#responses.set(request, response);
		response.once("close", () => this.#admitted.delete(request));
	}

	/** Lets a request in by these rules, and remembers as whom. */
	async admit(request: IncomingMessage, authenticate: Authenticate | undefined): Promise<Principal | undefined> {
		const principal = await authenticate?.(request);
		const response = this.#responses.get(request);
		if (response !== undefined && !response.destroyed)
			this.#admitted.set(request, { response, callerId: principal?.id });
		return principal;
	}

	/** Ends the answers to requests that these rules would refuse or let in as somebody else. */
	async endRefused(authenticate: Authenticate | undefined): Promise<void> {
		const checks = [...this.#admitted].map(async ([request, { response, callerId }]) => {
			if (!(await isStill(callerId, request, authenticate))) response.destroy();
		});
		await Promise.all(checks);
	}
}

async function isStill(
	callerId: string | undefined,
	request: IncomingMessage,
	authenticate: Authenticate | undefined,
): Promise<boolean> {
	try {
		return (await authenticate?.(request))?.id === callerId;
	} catch (thrown) {
		// An issuer that cannot be asked now says nothing about the caller.
		return !(thrown instanceof HttpRefusal) || thrown.status >= 500;
	}
}
