import type { ControlAnswer, ControlRequest } from "./controlProtocol.ts";
import type { Host } from "./hostHandle.ts";

/** What a host says to whoever asks on its control socket. */
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
			// The answer must be out before there is nobody left to give it.
			setTimeout(prepared.commit, 50);
			return { ok: true, value: host.state() };
		}
		case "rollout": {
			const outcome = await host.rollout(request.command);
			return outcome.ok ? { ok: true, value: outcome } : outcome;
		}
	}
}
