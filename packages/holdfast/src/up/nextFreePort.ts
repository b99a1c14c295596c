import { listenProblem } from "./listenProblem.ts";

const LAST_PORT = 65_535;

/** The first port from this one on that can be listened on now; 0, which lets the system choose, if none can. */
export async function nextFreePort(host: string, from: number): Promise<number> {
	const end = Math.min(from + 100, LAST_PORT + 1);
	for (let port = from; port < end; port++) if ((await listenProblem(host, port)) === undefined) return port;
	return 0;
}
