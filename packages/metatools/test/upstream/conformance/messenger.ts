// The command that the suite starts for each scenario: messenger.ts <socket> <address of the scenario's server>
// The tests' own process, which has loaded the connector once, does the work.
import { connect } from "node:net";

const [socket = "", url] = process.argv.slice(2);
const { MCP_CONFORMANCE_PROTOCOL_VERSION, MCP_CONFORMANCE_CONTEXT } = process.env;
const line = connect(socket);
line.write(`${JSON.stringify({ url, environment: { MCP_CONFORMANCE_PROTOCOL_VERSION, MCP_CONFORMANCE_CONTEXT } })}\n`);
let said = "";
line.on("data", (chunk: Buffer) => {
	said += chunk.toString();
});
line.on("end", () => {
	const { code, lines } = JSON.parse(said);
	console.error(lines.join("\n"));
	process.exit(code);
});
