import assert from "node:assert/strict";
import { test } from "node:test";
import { deriveServerName } from "../../src/host/settings/serverName.ts";

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
	["npm start", "weather"],
	["node --import tsx -r dotenv/config orders.ts", "orders"],
	["uvx --python 3.12 --with httpx mcp-server-git", "mcp-server-git"],
	["npx -y -p orders-mcp@2 orders-stdio", "orders-mcp"],
	["npm exec -p @stripe/mcp -- mcp --tools=all", "stripe"],
	["uvx -p 3.12 mcp-server-git", "mcp-server-git"],
	["node -e 0", "node"],
	["node -p 0", "node"],
	["docker run --rm -i -e TOKEN mcp/github:1.2", "github"],
	["docker run -i --rm --env TOKEN=x --mount type=bind,src=/a,dst=/b mcp/filesystem /b", "filesystem"],
	["docker run -it -v/a:/b --pull=always ghcr.io/github/github-mcp-server stdio", "github-mcp-server"],
	["docker run -ie TOKEN mcr.microsoft.com/playwright/mcp@sha256:0a1b", "playwright"],
	["podman --log-level error container run --init -i localhost:5000/orders:latest", "orders"],
	["docker compose exec -T orders node server.js", "orders"],
	["docker exec -i -w /srv orders node server.js", "orders"],
	["docker mcp gateway run", "docker"],
	["/opt/weather/bin/server", "weather"],
	["mcp-server-commands", "mcp-server-commands"],
	["server", "server"],
	["/", "server"],
];

for (const [line, expected] of NAMES) {
	test(`${line} is called ${expected}`, () => {
		const [command = "", ...args] = line.split(" ");
		assert.equal(deriveServerName({ command, args, cwd: "/home/somebody/weather" }), expected);
	});
}
