// A load balancer as simple as they come: each request to the next node, without stickiness. It asks nodes whether they are
// ready, goes to the next one where nobody listens, and cuts its connections to one that does not answer.
import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import { buffer } from "node:stream/consumers";

export type Balancer = { readonly address: string; close(): Promise<void> };

const LOOK_MS = 500;
const ANSWER_MS = 1_500;

/** Spreads requests over the nodes that are ready at these ports. */
export async function startBalancer(ports: readonly number[]): Promise<Balancer> {
	const ready = new Set<number>();
	const open = new Map<ServerResponse, number>();
	const agent = new Agent();
	let next = 0;
	const pass = (from: IncomingMessage, to: ServerResponse, body: Buffer, tries: number): void => {
		const choices = ports.filter((port) => ready.has(port));
		const port = choices[next++ % Math.max(1, choices.length)];
		if (port === undefined || tries === 0) {
			to.writeHead(503, { "retry-after": "1" }).end();
			return;
		}
		open.set(to, port);
		const { method, url, headers } = from;
		const sent = request({ host: "127.0.0.1", port, method, path: url, headers, agent });
		to.once("close", () => {
			open.delete(to);
			sent.destroy();
		});
		sent.on("error", (error: NodeJS.ErrnoException) => {
			if (error.code === "ECONNREFUSED" && !to.destroyed) pass(from, to, body, tries - 1);
			else to.destroy();
		});
		sent.on("response", (answer) => {
			to.writeHead(answer.statusCode ?? 502, answer.headers);
			to.flushHeaders();
			answer.pipe(to);
			answer.on("error", () => to.destroy()).on("close", () => (answer.complete ? undefined : to.destroy()));
		});
		sent.end(body);
	};
	const server = createServer((from, to) => {
		to.on("error", () => to.destroy());
		buffer(from).then(
			(body) => pass(from, to, body, ports.length),
			() => to.destroy(),
		);
	});
	const look = async (port: number): Promise<void> => {
		const signal = AbortSignal.timeout(ANSWER_MS);
		const isReady = await fetch(`http://127.0.0.1:${port}/readyz`, { signal }).then(
			({ ok }) => ok,
			() => false,
		);
		if (isReady) ready.add(port);
		else ready.delete(port);
		if (!isReady) for (const [to, used] of open) if (used === port) to.destroy();
	};
	const looking = setInterval(() => {
		for (const port of ports) void look(port);
	}, LOOK_MS);
	await Promise.all(ports.map(look));
	const listening = Promise.withResolvers<void>();
	server.listen(0, "127.0.0.1", listening.resolve);
	await listening.promise;
	const address = server.address();
	if (address === null || typeof address === "string") throw new Error("expected a port");
	return {
		address: `http://127.0.0.1:${address.port}`,
		close: async () => {
			clearInterval(looking);
			const closed = new Promise((resolve) => server.close(resolve));
			server.closeAllConnections();
			await closed;
			agent.destroy();
		},
	};
}
