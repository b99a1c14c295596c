import { fileURLToPath } from "node:url";
import { setFlagsFromString } from "node:v8";
import { environmentOf, type Settings } from "../settings.ts";

const WORKER = fileURLToPath(new URL("./workerMain.js", import.meta.url));
// A worker holds one request at a time: a small young generation and no helper threads keep its memory down. The module that
// reads text is small and soon hot: it is compiled once and well.
const WORKER_FLAGS = ["--max-semi-space-size=1", "--single-threaded", "--no-liftoff"];

// The host passes bytes on: a young generation that stays as small as it starts is enough for it, and the slower of the
// optimising compilers would cost more than it saves, but for the module.
const HOST_FLAGS = "--semi-space-growth-factor=1 --no-turbofan --no-liftoff";

/** Serves stdin and stdout through a worker that is replaced when it dies. Of the domain only what takes no parser is found here. */
export async function serveHosted(settings: Settings): Promise<number> {
	setFlagsFromString(HOST_FLAGS);
	// Loaded after the flags are set: a young generation that grew during loading would not shrink again.
	const [{ converse }, { HostedClerk }] = await Promise.all([import("./converse.ts"), import("./hostedClerk.ts")]);
	const worker = { command: process.execPath, args: [...WORKER_FLAGS, WORKER], env: environmentOf(settings) };
	let close = async (): Promise<void> => {};
	const options = { readyFile: settings.readyFile, announced: true };
	const code = await converse(async (write) => {
		const clerk = new HostedClerk({ ...worker, write });
		close = () => clerk.close();
		await clerk.ready();
		return clerk;
	}, options);
	await close();
	return code;
}
