import { spawnCustody } from "libmcp";

const PROBE_MS = 3_000;

export type DockerState = { readonly ok: true } | { readonly ok: false; readonly why: string };

/** Whether an engine answers and already has the image. Asks only; nothing is pulled or started. */
export async function probeDocker(image: string, command = "docker"): Promise<DockerState> {
	if (!(await dockerSucceeds(command, ["version", "--format", "{{.Server.Version}}"], PROBE_MS)))
		return { ok: false, why: "no Docker engine answers" };
	if (!(await dockerSucceeds(command, ["image", "inspect", "--format", "{{.Id}}", image], PROBE_MS)))
		return { ok: false, why: `the image ${image} is not on this machine, and images are never pulled unasked` };
	return { ok: true };
}

/** Runs the client; one that is missing, fails or hangs counts as no. */
export async function dockerSucceeds(command: string, args: readonly string[], timeoutMs: number): Promise<boolean> {
	try {
		const custody = await spawnCustody(command, args, { stdio: "ignore", graceMs: 0 });
		const timer = setTimeout(() => void custody.end(), timeoutMs);
		const { code } = await custody.exited;
		clearTimeout(timer);
		return code === 0;
	} catch {
		return false;
	}
}
