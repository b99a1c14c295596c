// A client that chooses the node of each request itself, which no library's client does.

/** A call whose stream was cut or left, with what came of it. */
export type BegunCall = { readonly id: number; readonly lastEventId: string };

const ACCEPT = "application/json, text/event-stream";
const VERSION = "2025-11-25";

export class FleetClient {
	readonly #path: string;
	#session: string = "";
	#next = 1;

	private constructor(path: string) {
		this.#path = path;
	}

	/** Opens a session at this node. */
	static async open(address: string, path: string): Promise<FleetClient> {
		const client = new FleetClient(path);
		const response = await client.openResponse(address, path);
		const text = await response.text();
		client.#session = response.headers.get("mcp-session-id") ?? "";
		if (client.#session === "") throw new Error(`no session: ${response.status} ${text}`);
		await client.#post(address, { jsonrpc: "2.0", method: "notifications/initialized" });
		return client;
	}

	openResponse(address: string, path: string): Promise<Response> {
		const params = { protocolVersion: VERSION, capabilities: {}, clientInfo: { name: "fleet", version: "1" } };
		return fetch(`${address}${path}`, {
			method: "POST",
			headers: { "content-type": "application/json", accept: ACCEPT },
			body: JSON.stringify({ jsonrpc: "2.0", id: 0, method: "initialize", params }),
		});
	}

	/** The text that a tool answers. */
	async call(address: string, name: string, id: string): Promise<string> {
		const answer = await this.ask(address, "tools/call", { name, arguments: { id, ms: 0 } });
		const result = Object(JSON.parse(answer)).result;
		const text: unknown = Object(Object(result).content?.[0]).text;
		if (typeof text !== "string") throw new Error(answer);
		return text;
	}

	/** The message that answers a request, as text. */
	async ask(address: string, method: string, params: object = {}): Promise<string> {
		const response = await this.#post(address, { jsonrpc: "2.0", id: this.#next++, method, params });
		const text = await response.text();
		if (!response.ok) throw new Error(`${response.status} ${text}`);
		return /^data: (\{.*"(?:result|error)".*)$/m.exec(text)?.[1] ?? text;
	}

	/** Begins a call that lasts, and resolves once its first event id is there; the rest of the stream is not read. */
	async begin(address: string, name: string, id: string, ms: number): Promise<BegunCall> {
		const number = this.#next++;
		const params = { name, arguments: { id, ms: ms + 400 } };
		const response = await this.#post(address, { jsonrpc: "2.0", id: number, method: "tools/call", params });
		const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
		let text = "";
		for (;;) {
			const { value, done = true } = (await reader?.read()) ?? {};
			text += value ?? "";
			const lastEventId = /^id: (\S+)$/m.exec(text)?.[1];
			if (lastEventId !== undefined) {
				reader?.read().catch(() => {});
				return { id: number, lastEventId };
			}
			if (done) throw new Error(`no event id: ${text}`);
		}
	}

	/** What follows of a call's stream, at this node. */
	async resume(address: string, { lastEventId }: BegunCall): Promise<string> {
		const headers = { ...this.#headers(), accept: "text/event-stream", "last-event-id": lastEventId };
		const response = await fetch(`${address}${this.#path}`, { headers });
		return `${response.status} ${await response.text()}`;
	}

	async end(address: string): Promise<void> {
		await fetch(`${address}${this.#path}`, { method: "DELETE", headers: this.#headers() });
	}

	async status(address: string): Promise<number> {
		return (await this.#post(address, { jsonrpc: "2.0", id: this.#next++, method: "ping" })).status;
	}

	#post(address: string, message: object): Promise<Response> {
		return fetch(`${address}${this.#path}`, {
			method: "POST",
			headers: { ...this.#headers(), "content-type": "application/json", accept: ACCEPT },
			body: JSON.stringify(message),
		});
	}

	#headers(): Record<string, string> {
		return { "mcp-session-id": this.#session, "mcp-protocol-version": VERSION };
	}
}
