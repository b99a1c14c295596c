import { createServer } from "node:net";

const LAST_PORT = 65_535;

/** The first port from this one on that can be listened on now; 0, which lets the system choose, if none can. */
export async function findFreePort(host: string, from: number): Promise<number> {
	const end = Math.min(from + 100, LAST_PORT + 1);
	for (let port = from; port < end; port++) if ((await findListenProblem(host, port)) === undefined) return port;
	return 0;
}

/** Why the address cannot be listened on now, or `undefined`. */
export async function findListenProblem(host: string, port: number): Promise<Error | undefined> {
	const server = createServer();
	const problem = await new Promise<Error | undefined>((resolve) => {
		server.once("error", resolve);
		server.listen(port, host, () => resolve(undefined));
	});
	await new Promise((resolve) => server.close(resolve));
	return problem;
}
