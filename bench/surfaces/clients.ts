// Clients that do as little as a client can, so that what is measured is the server.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { fileURLToPath } from "node:url";

const PROGRAM = fileURLToPath(new URL("../../packages/pairofcleats/bin/pairofcleats.js", import.meta.url));
const NEWLINE = 0x0a;

export type Server = { readonly root: string; readonly env: NodeJS.ProcessEnv; readonly running: Set<ChildProcess> };

export type Session = {
	readonly child: ChildProcess;
	call(method: string, params: object): Promise<string>;
	/** The id of the call that would be next. */
	nextId(): number;
	notify(method: string, params?: object): void;
};

export async function startMcp(server: Server, args: readonly string[]): Promise<Session> {
	const child = spawn(process.execPath, [PROGRAM, "mcp", ...args, "--repo", server.root], {
		stdio: ["pipe", "pipe", "ignore"],
		env: server.env,
	});
	keep(server, child);
	const waiting = new Map<number, (line: string) => void>();
	const parts: Buffer[] = [];
	child.stdout.on("data", (chunk: Buffer) => {
		let from = 0;
		for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, from)) {
			parts.push(chunk.subarray(from, end));
			const line = Buffer.concat(parts.splice(0)).toString("utf8");
			from = end + 1;
			const id = Number(/"id":(\d+)\}$/.exec(line.slice(-24))?.[1] ?? /^.{0,20}"id":(\d+)/.exec(line)?.[1]);
			waiting.get(id)?.(line);
			waiting.delete(id);
		}
		if (from < chunk.length) parts.push(chunk.subarray(from));
	});
	const send = (message: object): void => void child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
	let next = 1;
	const call = (method: string, params: object): Promise<string> =>
		new Promise((resolve) => {
			const id = next++;
			waiting.set(id, resolve);
			send({ id, method, params });
		});
	await call("initialize", {
		protocolVersion: "2025-11-25",
		capabilities: {},
		clientInfo: { name: "bench", version: "1" },
	});
	send({ method: "notifications/initialized" });
	return { child, call, nextId: () => next, notify: (method, params) => send({ method, params }) };
}

export type Api = { readonly pid: number | undefined; post(body: object): Promise<void> };

export async function startApi(server: Server): Promise<Api> {
	const child = spawn(process.execPath, [PROGRAM, "api", "--port", "0", "--repo", server.root], {
		stdio: ["ignore", "pipe", "ignore"],
		env: server.env,
	});
	keep(server, child);
	const [line] = (await once(child.stdout, "data")) as [Buffer];
	const port = Number(new URL(/http:\S+/.exec(line.toString())?.[0] ?? "").port);
	const idle: Socket[] = [];
	return {
		pid: child.pid,
		post: async (body) => {
			const socket = idle.pop() ?? connect({ port, host: "127.0.0.1", noDelay: true });
			await exchange(socket, JSON.stringify(body));
			idle.push(socket);
		},
	};
}

/** One request and its whole answer on a connection that stays open. */
function exchange(socket: Socket, body: string): Promise<void> {
	return new Promise((resolve, reject) => {
		let missing = Number.POSITIVE_INFINITY;
		let head = "";
		const onData = (chunk: Buffer): void => {
			if (missing === Number.POSITIVE_INFINITY) {
				head += chunk.toString("latin1");
				const end = head.indexOf("\r\n\r\n");
				if (end === -1) return;
				missing = Number(/content-length: (\d+)/i.exec(head)?.[1]) - (head.length - end - 4);
			} else missing -= chunk.length;
			if (missing > 0) return;
			socket.off("data", onData).off("error", reject);
			if (head.startsWith("HTTP/1.1 200 ")) resolve();
			else reject(new Error(head.slice(0, 400)));
		};
		socket.on("data", onData).once("error", reject);
		socket.write(
			`POST /search HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
		);
	});
}

function keep({ running }: Server, child: ChildProcess): void {
	running.add(child);
	child.once("exit", () => running.delete(child));
}
