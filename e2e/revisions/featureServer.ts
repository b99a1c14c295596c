// A server on libmcp with something of everything that some revision lacks: `featureServer.ts [--sdk | --http]`.
import { mcpServer, prompt, resource, serveStdio, tool } from "libmcp";
import { createFront, LOOPBACK_NAMES, listen, McpEndpoint } from "libmcp/http";
import { serveSdkStdio } from "libmcp/sdk";
import { z } from "zod";

const ICONS = [{ src: "https://example.com/i.png" }];

const ANSWER = z.object({ answer: z.number() });
const FORM = z.object({ colour: z.enum(["red", "blue"]).default("red"), size: z.number().default(3) });

const answer = tool({
	name: "answer",
	title: "The answer",
	description: "Gives the answer.",
	icons: ICONS,
	annotations: { readOnlyHint: true },
	output: ANSWER,
	run: () => ({ answer: 42 }),
});
const show = tool({
	name: "show",
	description: "Shows all kinds of content.",
	run: () => ({
		content: [
			{ type: "text", text: "all kinds" },
			{ type: "audio", data: "UklGRg==", mimeType: "audio/wav" },
			{ type: "resource_link", uri: "note://one", name: "one", mimeType: "text/plain" },
		],
	}),
});
const ask = tool({
	name: "ask",
	description: "Asks the user for a colour.",
	run: async (_, context) => {
		const given = await context.elicit("Which colour?", FORM);
		return given.action === "accept" ? `chose ${given.content.colour}` : given.action;
	},
});
const think = tool({
	name: "think",
	description: "Asks the client's model.",
	run: async (_, context) => {
		const content = [
			{ type: "text", text: "one" },
			{ type: "audio", data: "UklGRg==", mimeType: "audio/wav" },
		] as const;
		const said = await context.sample({ messages: [{ role: "user", content }], maxTokens: 5 });
		return `thought ${said.content.map((block) => (block.type === "text" ? block.text : block.type)).join()}`;
	},
});
const walk = tool({
	name: "walk",
	description: "Reports its steps.",
	run: async (_, context) => {
		context.progress({ progress: 1, total: 2, message: "half" });
		await new Promise((resolve) => setTimeout(resolve, 300));
		return "arrived";
	},
});

const server = mcpServer({
	info: { name: "features", title: "Features", version: "1.0.0", websiteUrl: "https://example.com", icons: ICONS },
	tools: [answer, show, ask, think, walk],
	prompts: [
		prompt({
			name: "greet",
			title: "Greeting",
			description: "Greets.",
			input: z.object({ whom: z.string().meta({ title: "Whom" }) }),
			complete: { whom: () => ["world"] },
			run: () => "Hello.",
		}),
	],
	resources: [
		resource({ uri: "note://one", name: "one", title: "Note one", mimeType: "text/plain", read: () => "The note." }),
	],
});

if (process.argv.includes("--http")) {
	const endpoint = new McpEndpoint(server);
	const origins = { hosts: LOOPBACK_NAMES, origins: [] };
	const { address } = await listen(
		createFront({ endpoint: (path) => (path === "/mcp" ? endpoint : undefined), origins }),
	);
	process.stderr.write(`serving MCP at ${address}/mcp\n`);
} else if (process.argv.includes("--sdk")) serveSdkStdio(server);
else serveStdio(server);
