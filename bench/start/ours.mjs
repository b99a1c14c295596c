import { serveStdio } from "libmcp/serve";

serveStdio({
	dispatcher: async () => ({}),
	description: { info: { name: "start", version: "1.0.0" }, capabilities: { tools: {} } },
});
