import { createServer } from "node:net";

/** Why the address cannot be listened on now, or `undefined`. */
export async function listenProblem(host: string, port: number): Promise<Error | undefined> {
	const server = createServer();
	const problem = await new Promise<Error | undefined>((resolve) => {
		server.once("error", resolve);
		server.listen(port, host, () => resolve(undefined));
	});
	await new Promise((resolve) => server.close(resolve));
	return problem;
}
