import { stopSignal, tellWaiting, tooWide, writeStderr } from "libmcp/command";
import type { IndexJob } from "../../api/indexJob.ts";
import { findTelemetryFolder } from "../../config/installation.ts";
import type { BeginOptions } from "../../up/indexing.ts";
import { readArguments, readConfigOption, readRepositoryOption } from "../arguments.ts";

export const help = `Usage: holdfast serve [--repo PATH] [--config FILE] [--bare]
                      [--no-index]

The gateway on standard input and output, for clients that start a command: code
search for this repository, sample assets and your own servers. holdfast install
writes this command into a client's list.

  --repo PATH    the repository to search; default: this folder, unless it is
                 your home folder or the disk's root
  --config FILE  the gateway's configuration; default: your own, if there is one
  --bare         without the servers that come with Holdfast
  --no-index     do not index now; the tool build_index does it`;

export async function run(args: readonly string[]): Promise<number> {
	const { values } = readArguments(args, {
		repo: { type: "string" },
		config: { type: "string" },
		bare: { type: "boolean", default: false },
		"no-index": { type: "boolean", default: false },
	});
	const repository = readRepositoryOption(values);
	const named = readConfigOption(values);
	const [
		{ keepNurserySmall },
		{ loadProductConfig },
		{ openControlSockets },
		{ ServerLogs },
		{ combineWatches },
		{ CODE_SERVER, IndexJob },
		{ createGateway, followConfig, gatewayServer, stdioTransport },
	] = await Promise.all([
		import("libmcp"),
		import("../../up/productConfig.ts"),
		import("../../up/controlSockets.ts"),
		import("../../record/serverLogs.ts"),
		import("../../record/hostWitness.ts"),
		import("../../api/indexJob.ts"),
		import("metatools"),
	]);
	keepNurserySmall();
	const astray = values.repo === undefined && !values.bare && tooWide(repository) !== undefined;
	const configure = () =>
		loadProductConfig({
			repository,
			bare: values.bare || astray,
			...named,
		});
	const log = (line: string): void => writeStderr(`holdfast: ${line}\n`);
	const config = configure();
	if (astray) log(`${repository} is not a repository, so only your own servers are served; --repo names one`);
	const folder = findTelemetryFolder(log);
	const logs = folder === undefined ? undefined : new ServerLogs(folder, log);
	const watch = combineWatches(logs, { state: () => sockets.follow() });
	const gateway = createGateway(config, { log, command: "holdfast", watch });
	gateway.waiting.logNews(gateway.log);
	const indexJob = new IndexJob(gateway);
	const sockets = openControlSockets(gateway, { log, busyWith: indexJob });
	const stopFollowing = followConfig(config, {
		load: configure,
		apply: (changed) => gateway.apply(changed),
		refused: (why) => gateway.refuseConfig(why),
		log,
	});
	const stop = stopSignal("holdfast");
	gateway.start();
	const searchesCode = config.servers.some(({ name }) => name === CODE_SERVER);
	if (searchesCode && !values["no-index"]) void index(repository, indexJob, { signal: stop, log });
	tellWaiting("holdfast serve");
	await stdioTransport().serve(gatewayServer(gateway), stop);
	stopFollowing();
	await indexJob.stop();
	await gateway.stop();
	sockets.close();
	return 0;
}

/** Its failure is logged where it is tried again. */
async function index(repository: string, job: IndexJob, options: BeginOptions): Promise<void> {
	const { beginIndex } = await import("../../up/indexing.ts");
	await beginIndex(repository, job, options).catch(() => {});
}
