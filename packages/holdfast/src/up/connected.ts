import { setTimeout as delay } from "node:timers/promises";
import type { Gateway } from "metatools";

const CONNECT_MS = 15_000;
/** After this long without output, say what is still being waited for. */
const SILENT_MS = 2_000;

/** Waits for a limited time until each server is up or has failed; `tell` gets the names if that takes long. */
export async function connected(
	{ upstreams }: Pick<Gateway, "upstreams">,
	signal: AbortSignal,
	tell: (waitedFor: readonly string[]) => void = () => {},
): Promise<void> {
	const began = performance.now();
	const waited = (): number => performance.now() - began;
	const connecting = (): string[] =>
		upstreams.all.filter(({ state }) => state.kind === "connecting").map(({ spec }) => spec.name);
	let isTold = false;
	while (!signal.aborted && waited() < CONNECT_MS && connecting().length > 0) {
		if (!isTold && waited() > SILENT_MS) {
			isTold = true;
			tell(connecting());
		}
		await delay(50);
	}
}
