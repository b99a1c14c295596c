// The floor: Node and one line of JSON back.
process.stdin.once("data", (chunk) => {
	const { id } = JSON.parse(chunk.toString());
	process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", id, result: {} })}\n`);
});
process.stdin.on("end", () => process.exit(0));
