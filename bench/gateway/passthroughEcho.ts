// One server behind the gateway on a path of its own: a program over stdio, or with an address as argument that one.
import { servePassthrough, type UpstreamSpec } from "metatools";

const [url] = process.argv.slice(2);
const common = { name: "echo", namespace: "echo" } as const;
const program = new URL("./stdioEcho.ts", import.meta.url).pathname;
const spec: UpstreamSpec =
	url === undefined
		? {
				...common,
				kind: "stdio",
				protocol: "auto",
				command: process.execPath,
				args: ["--disable-warning=ExperimentalWarning", program],
				env: {},
			}
		: { ...common, kind: "http", protocol: "modern", url, headers: {} };
const served = await servePassthrough({ spec }, { host: "127.0.0.1", port: 0 });
process.stdout.write(`${served.address}\n`);
process.once("SIGTERM", () => void served.close());
