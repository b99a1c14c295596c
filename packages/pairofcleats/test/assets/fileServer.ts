import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from "node:http";
import { createServer as createSecureServer } from "node:https";
import type { AddressInfo } from "node:net";
import type { TestContext } from "node:test";

export type FileServer = {
	readonly origin: string;
	/** All requests received, in order. */
	readonly requests: IncomingMessage[];
	/** Sets the answer for a path and returns its URL. */
	serve(path: string, answer: Buffer | RequestListener): string;
};

/** Starts a real server on this machine, over TLS if a certificate is given. */
export async function fileServer(
	t: Pick<TestContext, "after">,
	tls?: { readonly key: string; readonly cert: string },
): Promise<FileServer> {
	const requests: IncomingMessage[] = [];
	const answers = new Map<string, Buffer | RequestListener>();
	const listener = (request: IncomingMessage, response: ServerResponse): void => {
		requests.push(request);
		const answer = answers.get(request.url ?? "");
		if (typeof answer === "function") answer(request, response);
		else if (answer === undefined) response.writeHead(404).end("no such file");
		else response.writeHead(200, { "content-length": answer.length }).end(answer);
	};
	const server =
		tls === undefined
			? createServer(listener)
			: createSecureServer({ key: readFileSync(tls.key), cert: readFileSync(tls.cert) }, listener);
	server.listen(0, "127.0.0.1");
	await once(server, "listening");
	t.after(() => {
		server.closeAllConnections();
		server.close();
	});
	const { port } = server.address() as AddressInfo;
	const origin = tls === undefined ? `http://127.0.0.1:${port}` : `https://localhost:${port}`;
	return {
		origin,
		requests,
		serve: (path, answer) => {
			answers.set(path, answer);
			return origin + path;
		},
	};
}
