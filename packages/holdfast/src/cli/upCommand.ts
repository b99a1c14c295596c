import { failureText, stopSignal, tooWide, UsageError } from "libmcp/command";
import type { Config } from "metatools";
import { logLine, say, tint } from "./output.ts";
import { telemetryFolder } from "./telemetryFolder.ts";
import { portNumber, readArguments } from "./usage.ts";

export const help = `Usage: holdfast up [--port 8080] [--host 127.0.0.1] [--repo PATH]
                   [--config FILE] [--token TOKEN] [--bare] [--no-index]

Serves one address: the gateway at /mcp with code search for this repository,
sample assets and your own servers behind it, and the console at /.

  --port N       8080; 0 takes a free one
  --host NAME    127.0.0.1; another needs --token
  --repo PATH    the repository to search; default: this folder, unless it is
                 your home folder or the disk's root
  --config FILE  the gateway's configuration; default: your own, if there is one
  --token TOKEN  required from every caller; the configuration's auth can admit
                 others, to the tools only. HOLDFAST_TOKEN does the same and
                 does not show in process listings
  --bare         without the servers that come with Holdfast
  --no-index     do not index now; the tool build_index or the console does it`;

export async function run(args: readonly string[]): Promise<number> {
	const { values } = readArguments(args, {
		port: { type: "string", default: "8080" },
		host: { type: "string", default: "127.0.0.1" },
		repo: { type: "string" },
		config: { type: "string" },
		token: { type: "string" },
		bare: { type: "boolean", default: false },
		"no-index": { type: "boolean", default: false },
	});
	const port = portNumber("--port", values.port);
	const token = values.token ?? takeToken();
	const stop = stopSignal("holdfast");
	const [{ keepNurserySmall }, { productConfig }] = await Promise.all([
		import("libmcp"),
		import("../up/productConfig.ts"),
	]);
	keepNurserySmall();
	const repository = values.repo ?? process.cwd();
	const astray = values.repo === undefined && !values.bare && tooWide(repository) !== undefined;
	const source = {
		repository,
		bare: values.bare || astray,
		flags: { host: values.host, port: String(port) },
		...(values.config !== undefined && { configFile: values.config }),
	};
	// A closed terminal or pipe must not end the server.
	for (const stream of [process.stdout, process.stderr]) stream.on("error", () => {});
	const refuse = async (error: unknown): Promise<never> => {
		throw await explained(error, values.host, port);
	};
	await checkFirst(productConfig(source), token).catch(refuse);
	if (astray) logLine(`${repository} is not a repository, so only your own servers are served; --repo names one`);
	const indexed = source.bare || values["no-index"] ? undefined : await index(repository, stop);
	if (stop.aborted) return 0;
	const { startProduct } = await import("../up/startProduct.ts");
	const product = await startProduct({
		configure: () => productConfig(source),
		log: logLine,
		telemetryFolder: telemetryFolder(logLine),
		...(token !== undefined && { token }),
	}).catch(refuse);
	const [{ connected }, { reachable, someOf, summary }, { controlSockets }] = await Promise.all([
		import("../up/connected.ts"),
		import("./upSummary.ts"),
		import("../up/controlSockets.ts"),
	]);
	const sockets = controlSockets(product.gateway, { address: reachable(product.address), log: logLine });
	product.recorder.on("servers", sockets.follow);
	sockets.follow();
	await connected(product.gateway, stop, (names) =>
		logLine(`${product.address} answers already; waiting for ${someOf(names, Number.POSITIVE_INFINITY)} to connect`),
	);
	if (!stop.aborted) say(summary(product, indexed));
	await aborted(stop);
	if (process.stdout.isTTY) say("\nstopping");
	try {
		await product.close();
	} finally {
		sockets.close();
	}
	return 0;
}

/** Reads the token from the environment and removes it there, so that servers do not inherit it. */
function takeToken(): string | undefined {
	const { HOLDFAST_TOKEN: token } = process.env;
	delete process.env.HOLDFAST_TOKEN;
	return token || undefined;
}

/** Reports configuration problems before the index is built. */
async function checkFirst(config: Config, token: string | undefined): Promise<void> {
	const [{ checkProduct }, { listenProblem }] = await Promise.all([
		import("../up/checkProduct.ts"),
		import("../up/listenProblem.ts"),
	]);
	checkProduct(config, token);
	const problem = await listenProblem(config.settings.host, config.settings.port);
	if (problem !== undefined) throw problem;
}

async function index(repository: string, signal: AbortSignal): Promise<string | undefined> {
	const [{ indexRepository }, { indexText }] = await Promise.all([
		import("../up/indexRepository.ts"),
		import("./upSummary.ts"),
	]);
	try {
		return indexText(await indexRepository(repository, signal));
	} catch (error) {
		// A failed index must not prevent the start; searches will report the same reason.
		return signal.aborted ? undefined : tint("warn", failureText(error));
	}
}

async function explained(error: unknown, host: string, port: number): Promise<Error> {
	if (!(error instanceof Error)) return new Error(String(error));
	if (/configure auth/.test(error.message))
		return new UsageError(
			`--host: expected 127.0.0.1, got ${host}, which others can reach; add --token, or leave --host out`,
		);
	const [, expected] = /^token: expected (.*)/.exec(error.message) ?? [];
	if (expected !== undefined) return new UsageError(`--token: expected ${expected}`);
	switch ("code" in error ? error.code : undefined) {
		case "EADDRINUSE":
			return new UsageError(
				`--port: expected a free one, got ${port}, which is in use; holdfast up --port ${await nextFree(host, port + 1)} would work`,
			);
		case "EACCES":
			return new UsageError(`--port: expected one that you may use, such as 8080, got ${port}`);
		case "EADDRNOTAVAIL":
		case "ENOTFOUND":
		case "EAI_AGAIN":
			return new UsageError(`--host: expected a name or an address of this machine, got ${host}`);
		default:
			return error;
	}
}

async function nextFree(host: string, from: number): Promise<number> {
	const { listenProblem } = await import("../up/listenProblem.ts");
	for (let port = from; port < from + 100; port++) if ((await listenProblem(host, port)) === undefined) return port;
	return 0;
}

async function aborted(signal: AbortSignal): Promise<void> {
	if (!signal.aborted) await new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true }));
}
