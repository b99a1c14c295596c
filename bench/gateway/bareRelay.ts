// The floor of a hop to a server on an address: node:http at both ends, the body passed on as it came.
import { Agent, createServer, request } from "node:http";
import type { AddressInfo } from "node:net";

const [url = ""] = process.argv.slice(2);
const { hostname, port, pathname: path } = new URL(url);
const agent = new Agent({ keepAlive: true });
const server = createServer((incoming, response) => {
	const chunks: Buffer[] = [];
	incoming.on("data", (chunk: Buffer) => chunks.push(chunk));
	incoming.on("end", () => {
		const { host: _, ...headers } = incoming.headers;
		const outgoing = request({ agent, hostname, port, path, method: incoming.method, headers }, (got) => {
			const parts: Buffer[] = [];
			got.on("data", (part: Buffer) => parts.push(part));
			got.on("end", () => {
				response.writeHead(got.statusCode ?? 502, got.headers);
				response.end(Buffer.concat(parts).toString());
			});
		});
		outgoing.end(Buffer.concat(chunks).toString());
	});
});
server.listen(0, "127.0.0.1", () =>
	process.stdout.write(`http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp\n`),
);
