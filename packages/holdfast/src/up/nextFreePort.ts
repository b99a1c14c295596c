import { listenProblem } from "./listenProblem.ts";

/** The first port from this one on that can be listened on now; 0, which lets the system choose, if none can. */
export async function nextFreePort(host: string, from: number): Promise<number> {
	for (let port = from; port < from + 100; port++) if ((await listenProblem(host, port)) === undefined) return port;
	return 0;
}
