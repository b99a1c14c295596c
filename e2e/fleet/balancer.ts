// A load balancer as simple as they come: each connection to the next node, without stickiness. It asks nodes whether they
// are ready, and cuts the connections to one that does not answer.
import { connect, createServer, type Socket } from "node:net";

export type Balancer = { readonly address: string; close(): Promise<void> };

const LOOK_MS = 500;
const ANSWER_MS = 1_500;

/** Spreads connections over the nodes that are ready at these ports. */
export async function startBalancer(ports: readonly number[]): Promise<Balancer> {
	const ready = new Set<number>();
	const open = new Map<Socket, number>();
	let next = 0;
	const server = createServer((client) => {
		const choices = ports.filter((port) => ready.has(port));
		const port = choices[next++ % Math.max(1, choices.length)];
		client.on("error", () => client.destroy());
		if (port === undefined) {
			client.destroy();
			return;
		}
		const node = connect(port, "127.0.0.1");
		open.set(client, port);
		node.on("error", () => client.destroy()).on("close", () => client.destroy());
		client.on("close", () => {
			open.delete(client);
			node.destroy();
		});
		client.setNoDelay(true);
		node.setNoDelay(true);
		client.pipe(node).pipe(client);
	});
	const look = async (port: number): Promise<void> => {
		const signal = AbortSignal.timeout(ANSWER_MS);
		const isReady = await fetch(`http://127.0.0.1:${port}/readyz`, { signal }).then(
			({ ok }) => ok,
			() => false,
		);
		if (isReady) ready.add(port);
		else ready.delete(port);
		if (!isReady) for (const [client, used] of open) if (used === port) client.destroy();
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
			for (const client of open.keys()) client.destroy();
			await closed;
		},
	};
}
