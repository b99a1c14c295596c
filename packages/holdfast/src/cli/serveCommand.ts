import { stopSignal, tellWaiting, tooWide } from "libmcp/command";
import { repositoryOption } from "./repositoryOption.ts";
import { telemetryFolder } from "./telemetryFolder.ts";
import { readArguments } from "./usage.ts";

export const help = `Usage: holdfast serve [--repo PATH] [--config FILE] [--bare]

The gateway on standard input and output, for clients that start a command: code
search for this repository, sample assets and your own servers. holdfast install
writes this command into a client's list.

  --repo PATH    the repository to search; default: this folder, unless it is
                 your home folder or the disk's root
  --config FILE  the gateway's configuration; default: your own, if there is one
  --bare         without the servers that come with Holdfast`;

export async function run(args: readonly string[]): Promise<number> {
	const { values } = readArguments(args, {
		repo: { type: "string" },
		config: { type: "string" },
		bare: { type: "boolean", default: false },
	});
	const repository = repositoryOption(values);
	const [
		{ keepNurserySmall },
		{ productConfig },
		{ controlSockets },
		{ ServerLogs },
		{ watchedBy },
		{ createGateway, followConfig, gatewayServer, stdioTransport },
	] = await Promise.all([
		import("libmcp"),
		import("../up/productConfig.ts"),
		import("../up/controlSockets.ts"),
		import("../record/serverLogs.ts"),
		import("../record/watchedBy.ts"),
		import("metatools"),
	]);
	keepNurserySmall();
	const astray = values.repo === undefined && !values.bare && tooWide(repository) !== undefined;
	const configure = () =>
		productConfig({
			repository,
			bare: values.bare || astray,
			...(values.config !== undefined && { configFile: values.config }),
		});
	const log = (line: string): void => void process.stderr.write(`holdfast: ${line}\n`);
	const config = configure();
	if (astray) log(`${repository} is not a repository, so only your own servers are served; --repo names one`);
	const folder = telemetryFolder(log);
	const logs = folder === undefined ? undefined : new ServerLogs(folder, log);
	const watch = watchedBy(logs, { state: () => sockets.follow() });
	const gateway = createGateway(config, { log, command: "holdfast", watch });
	gateway.waiting.logNews(gateway.log);
	const sockets = controlSockets(gateway, { log });
	const stopFollowing = followConfig(config, {
		load: configure,
		apply: (changed) => gateway.apply(changed),
		refused: (why) => gateway.refuseConfig(why),
		log,
	});
	const stop = stopSignal("holdfast");
	gateway.start();
	tellWaiting("holdfast serve");
	await stdioTransport().serve(gatewayServer(gateway), stop);
	stopFollowing();
	await gateway.stop();
	sockets.close();
	return 0;
}
