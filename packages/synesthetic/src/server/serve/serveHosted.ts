import { fileURLToPath } from "node:url";
import { setFlagsFromString } from "node:v8";
import { type Settings, toEnvironment } from "../../settings.ts";

const WORKER = fileURLToPath(new URL("./workerMain.js", import.meta.url));
// A worker handles one request at a time: a small young generation and no helper threads keep its memory low. The text
// module is small and soon hot, so it skips the baseline compiler.
const WORKER_FLAGS = ["--max-semi-space-size=1", "--single-threaded", "--no-liftoff"];

// The host mostly forwards bytes: its young generation need not grow, and optimising its JavaScript with Turbofan would
// cost more than it saves. The text module is still optimised.
const HOST_FLAGS = "--semi-space-growth-factor=1 --no-turbofan --no-liftoff";

/**
 * Serves stdin and stdout through a worker that is replaced when it dies. The host itself computes only results that
 * need no JSON parser.
 */
export async function serveHosted(settings: Settings): Promise<number> {
	setFlagsFromString(HOST_FLAGS);
	// Loaded after the flags are set: a young generation that grew during loading would not shrink again.
	const [{ holdConversation }, { HostHandler }, { findCollector }] = await Promise.all([
		import("./converse.ts"),
		import("../host/hostHandler.ts"),
		import("../host/passingBuffers.ts"),
	]);
	const worker = { command: process.execPath, args: [...WORKER_FLAGS, WORKER], env: toEnvironment(settings) };
	let close = async (): Promise<void> => {};
	const options = { readyFile: settings.readyFile, announced: true };
	const code = await holdConversation(async (write) => {
		const handler = new HostHandler({ ...worker, write });
		close = () => handler.close();
		// The host waits for its worker anyway; later, the engine would collect what loading left between two requests.
		setImmediate(findCollector());
		await handler.ready();
		return handler;
	}, options);
	await close();
	return code;
}
