import assert from "node:assert/strict";
import { test } from "node:test";
import { serverName } from "../../src/host/serverName.ts";

const NAMES: readonly (readonly [line: string, name: string])[] = [
	["npx -y @modelcontextprotocol/server-filesystem .", "server-filesystem"],
	["npx -y @playwright/mcp@latest --headless", "playwright"],
	["npx some-mcp-server@1.2.3", "some-mcp-server"],
	["pnpm dlx @stripe/mcp", "stripe"],
	["uvx mcp-server-git==2.0 --repository .", "mcp-server-git"],
	["cmd /c npx -y tavily-mcp@latest", "tavily-mcp"],
	["node orders.js", "orders"],
	["node dist/index.js", "weather"],
	["/usr/bin/node --enable-source-maps build/src/index.mjs", "weather"],
	["node /opt/node_modules/@modelcontextprotocol/server-everything/dist/index.js stdio", "server-everything"],
	["node /opt/node_modules/@playwright/mcp/cli.js", "playwright"],
	["uv --directory /srv/notes run server.py", "notes"],
	["python3.12 -m mcp_server_fetch", "mcp_server_fetch"],
	["node -e 0", "node"],
	["/opt/weather/bin/server", "weather"],
	["mcp-server-commands", "mcp-server-commands"],
	["server", "server"],
	["/", "server"],
];

for (const [line, expected] of NAMES) {
	test(`${line} is called ${expected}`, () => {
		const [command = "", ...args] = line.split(" ");
		assert.equal(serverName({ command, args, cwd: "/home/somebody/weather" }), expected);
	});
}
