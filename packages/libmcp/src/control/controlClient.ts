import { readdirSync, rmSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { openRuntimeFolder } from "../command/folders.ts";
import { readErrorCode } from "../fault/thrown.ts";
import { isAlive } from "../process/ownProcess.ts";
import { type ControlAnswer, type ControlRequest, parseControlAnswer } from "./controlProtocol.ts";

/** A host of this user, found by its control socket. */
export type RunningHost = { readonly name: string; readonly pid: number; readonly path: string };

/** This user's running hosts, found by their sockets. What dead processes left, capsules too, is removed. */
export function listRunningHosts(): RunningHost[] {
	const folder = openRuntimeFolder();
	const hosts: RunningHost[] = [];
	for (const file of readdirSync(folder).sort()) {
		const [, name, owner] = SOCKET.exec(file) ?? [];
		const pid = Number(owner ?? CAPSULE.exec(file)?.[1]);
		if (Number.isNaN(pid)) continue;
		const path = join(folder, file);
		if (!isAlive(pid)) rmSync(path, { force: true });
		else if (name !== undefined) hosts.push({ name, pid, path });
	}
	return hosts;
}

const SOCKET = /^(.+)\.(\d+)\.sock$/;
/** Left by a host that was killed while it replaced its own program; it holds what its client sent. */
const CAPSULE = /^capsule-(\d+)-[0-9a-f]+$/;

/** One question, one answer. Rejects when neither the answer nor a sign of life comes for so long. */
export async function askHost(path: string, request: ControlRequest, timeoutMs = 60_000): Promise<ControlAnswer> {
	const until = performance.now() + Math.min(TAKING_OVER_MS, timeoutMs);
	for (;;) {
		try {
			return await askOnce(path, request, timeoutMs);
		} catch (error) {
			if (readErrorCode(error) !== "ECONNREFUSED" || performance.now() > until) throw error;
		}
		await delay(POLL_MS);
	}
}

/** While a host replaces its own program, its socket exists but nobody listens on it; retry for this long. */
const TAKING_OVER_MS = 3_000;
const POLL_MS = 50;

function askOnce(path: string, request: ControlRequest, timeoutMs: number): Promise<ControlAnswer> {
	return new Promise((resolve, reject) => {
		let text = "";
		const socket = connect(path, () => socket.write(`${JSON.stringify(request)}\n`));
		socket.setTimeout(timeoutMs, () => socket.destroy(new Error(`no answer in ${timeoutMs} ms`)));
		socket.setEncoding("utf8");
		socket.on("data", (chunk: string) => {
			text += chunk;
		});
		socket.on("error", reject);
		socket.on("end", () => {
			try {
				const answer = parseControlAnswer(text);
				if (answer === undefined) reject(new Error("the host, perhaps of another version, gave no answer known here"));
				else resolve(answer);
			} catch {
				reject(new Error("the host went away before it answered"));
			}
		});
	});
}
