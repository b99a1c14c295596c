import { keepNurserySmall } from "libmcp";
import { errorCode, failureText, stopSignal, tellWaiting, UsageError } from "libmcp/command";
import { followConfig } from "../config/follow.ts";
import type { Config } from "../config/load.ts";
import { createGateway } from "../server/createGateway.ts";
import type { Gateway } from "../server/gateway.ts";
import { createGatewayServer } from "../server/serving/gatewayServer.ts";
import type { Transport } from "../server/serving/transport.ts";
import type { LocalDoor } from "../transport/localDoor.ts";
import { chooseTransport } from "../transport/transportFor.ts";
import { ConfigError, loadCommandConfig, readConfig } from "./commandConfig.ts";
import type { Console } from "./console.ts";
import { readFlags } from "./flags.ts";

const FIRST_ANSWER_MS = 30;

/** Serves until the client leaves or the process is told to stop. */
export async function serveCommand(argv: readonly string[], console: Console): Promise<number> {
	const line = readFlags(argv);
	if (line.words.length > 0) throw new UsageError(`serve: expected flags only, got ${line.words.join(" ")}`);
	if (line.json) throw new UsageError("--json: expected with other commands; what serve prints is the protocol");
	const config = loadCommandConfig(line, console);
	if (config.settings.transport === "stdio") keepNurserySmall();
	const log = console.complain;
	const gateway = createGateway(config, { log });
	gateway.waiting.logNews(gateway.log);
	const transport = await chosenTransport(config, gateway, log);
	const { checkServing } = transport.name === "stdio" ? {} : await import("../transport/checkServing.ts");
	const stopFollowing = followConfig(config, {
		load: () => {
			const changed = readConfig(line);
			checkServing?.(changed, config.settings.host);
			return changed;
		},
		apply: (changed) => gateway.apply(changed),
		refused: (why) => gateway.refuseConfig(why),
		log,
	});
	const stop = stopSignal("metatools");
	// Connect the servers only after the client's first message has been answered.
	let door: Promise<LocalDoor | undefined> | undefined;
	const starting = setTimeout(() => {
		gateway.start();
		door = openDoor(gateway, config.file, log);
	}, FIRST_ANSWER_MS);
	const { deprecated } = transport.info();
	if (deprecated !== undefined) log(deprecated);
	if (transport.name === "stdio") tellWaiting("metatools serve");
	try {
		await transport.serve(createGatewayServer(gateway), stop);
		return 0;
	} catch (thrown) {
		log(failureToServe(thrown, config.settings.port));
		return 1;
	} finally {
		clearTimeout(starting);
		stopFollowing();
		(await door)?.close();
		await gateway.stop();
	}
}

/** Without it, commands start servers of their own. */
async function openDoor(
	gateway: Gateway,
	configFile: string | undefined,
	log: (line: string) => void,
): Promise<LocalDoor | undefined> {
	if (configFile === undefined) return undefined;
	try {
		const { openLocalDoor } = await import("../transport/localDoor.ts");
		return await openLocalDoor(gateway, configFile);
	} catch (thrown) {
		log(`commands on this machine cannot reach this gateway: ${failureText(thrown)}`);
		return undefined;
	}
}

function failureToServe(thrown: unknown, port: number): string {
	if (errorCode(thrown) === "EADDRINUSE")
		return `--port: expected a free one, got ${port}, which is in use; 0 takes any that is free`;
	return `cannot serve: ${thrown instanceof Error ? thrown.message : String(thrown)}`;
}

async function chosenTransport(config: Config, gateway: Gateway, log: (text: string) => void): Promise<Transport> {
	try {
		return await chooseTransport(config, gateway, log);
	} catch (thrown) {
		throw new ConfigError(thrown instanceof Error ? thrown.message : "unusable transport", { cause: thrown });
	}
}
