import { Server } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";

serveStdio(() => new Server({ name: "start", version: "1.0.0" }, { capabilities: { tools: {} } }));
process.stdin.on("end", () => process.exit(0));
