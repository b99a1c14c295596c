import { chmodSync, existsSync, unlinkSync } from "node:fs";
import { createServer, type Server, type Socket } from "node:net";
import { join } from "node:path";
import { openRuntimeFolder, toFileName } from "../command/folders.ts";
import { toFault } from "../fault/toFault.ts";
import { NdjsonReader } from "../wire/ndjsonReader.ts";
import { type ControlAnswer, type ControlRequest, parseControlRequest } from "./controlProtocol.ts";
import type { Host } from "./hostHandle.ts";

const MAX_REQUEST_BYTES = 64 * 1024;
/** The system's limit for socket paths; a longer one fails with EINVAL. */
const MAX_PATH_BYTES = process.platform === "darwin" ? 103 : 107;

/** How often to look whether the socket is still there: a logout or a cleaner of /tmp may remove it with its folder. */
const LOOK_MS = 30_000;

/** How often to tell whoever waits for a long answer that it will come; must be shorter than the asker's patience. */
const SIGN_MS = 5_000;

export type ControlTimes = { readonly lookMs?: number; readonly signMs?: number };

type Answering = (request: ControlRequest) => Promise<ControlAnswer>;

/** The socket through which other processes control a host. */
export type ControlServer = { readonly path: string; close(): void };

/** A socket only this user can open: one JSON line in, one out, after a blank line now and then as a sign of life. */
export async function serveControl(
	name: string,
	answer: Answering,
	{ lookMs = LOOK_MS, signMs = SIGN_MS }: ControlTimes = {},
): Promise<ControlServer> {
	const path = join(openRuntimeFolder(), `${toFileName(name)}.${process.pid}.sock`);
	const length = Buffer.byteLength(path);
	if (length > MAX_PATH_BYTES)
		throw new Error(
			`${path}: expected a path of at most ${MAX_PATH_BYTES} bytes, got ${length}; set XDG_RUNTIME_DIR to a shorter folder`,
		);
	let server = await listenAt(path, answer, signMs);
	let closed = false;
	const close = (): void => {
		server.close();
		remove(path);
	};
	const looking = setInterval(async () => {
		if (existsSync(path)) return;
		// Closed first, because that removes whatever is at the path.
		server.close();
		try {
			server = await listenAt(path, answer, signMs);
			if (closed) close();
		} catch {
			// The folder cannot be made now, so look again later.
		}
	}, lookMs);
	looking.unref();
	return {
		path,
		close() {
			closed = true;
			clearInterval(looking);
			close();
		},
	};
}

async function listenAt(path: string, answer: Answering, signMs: number): Promise<Server> {
	openRuntimeFolder();
	remove(path);
	const server = createServer((socket) => serve(socket, answer, signMs));
	await new Promise<void>((resolve, reject) => {
		server.once("error", reject);
		// The folder is 0700, so nobody else can reach the socket even before its own mode is set.
		server.listen(path, resolve);
	});
	chmodSync(path, 0o600);
	server.unref();
	return server;
}

function serve(socket: Socket, answer: Answering, signMs: number): void {
	const reader = new NdjsonReader({ maxFrameBytes: MAX_REQUEST_BYTES });
	socket.on("error", () => {});
	socket.setTimeout(120_000, () => socket.destroy());
	socket.on("data", (chunk) => {
		for (const event of reader.push(chunk)) {
			if (event.type !== "frame") {
				socket.destroy();
				return;
			}
			// A rollout for many clients takes minutes, and a socket silent for so long counts as dead at both ends.
			const signs = setInterval(() => socket.write("\n"), signMs);
			socket.once("close", () => clearInterval(signs));
			void reply(event.bytes, answer).then((value) => {
				clearInterval(signs);
				socket.end(`${JSON.stringify(value)}\n`);
			});
		}
	});
}

async function reply(bytes: Buffer, answer: Answering): Promise<ControlAnswer> {
	try {
		return await answer(parseControlRequest(bytes.toString()));
	} catch (error) {
		return { ok: false, fault: toFault(error) };
	}
}

function remove(path: string): void {
	try {
		unlinkSync(path);
	} catch {
		// The socket did not exist.
	}
}

/** Answers one request that came in on a host's control socket. */
export async function answerControl(host: Host, request: ControlRequest): Promise<ControlAnswer> {
	switch (request.op) {
		case "status":
			return { ok: true, value: { ...host.state(), health: host.health() } };
		case "telemetry":
			return { ok: true, value: host.telemetry() };
		case "restart":
			await host.restart();
			return { ok: true, value: host.state() };
		case "reinstall": {
			const prepared = await host.reinstall();
			if (!prepared.ok) return prepared;
			// Wait until the answer is sent, because `commit` replaces this process.
			setTimeout(prepared.commit, 50);
			return { ok: true, value: host.state() };
		}
		case "rollout": {
			const outcome = await host.rollout(request.command);
			return outcome.ok ? { ok: true, value: outcome } : outcome;
		}
	}
}
