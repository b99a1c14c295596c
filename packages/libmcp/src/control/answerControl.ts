import type { ControlAnswer, ControlRequest } from "./controlProtocol.ts";
import type { Host } from "./hostHandle.ts";

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
