// The floor: node:http and JSON, nothing else. Answers tools/call of echo without looking at anything but the text.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

const server = createServer((request, response) => {
	const chunks: Buffer[] = [];
	request.on("data", (chunk: Buffer) => chunks.push(chunk));
	request.on("end", () => {
		const { id, params } = JSON.parse(Buffer.concat(chunks).toString()) as {
			id: number;
			params?: { arguments?: { text?: string } };
		};
		const text = params?.arguments?.text ?? "";
		const body = JSON.stringify({ jsonrpc: "2.0", id, result: { content: [{ type: "text", text }] } });
		response.writeHead(200, { "content-type": "application/json", "content-length": Buffer.byteLength(body) });
		response.end(body);
	});
});
server.listen(0, "127.0.0.1", () =>
	process.stdout.write(`http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp\n`),
);
