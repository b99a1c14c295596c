import type { OnProgress } from "../repo/repository.ts";
import { paint, type Terminal } from "./terminal.ts";

const BAR_WIDTH = 24;
const EVERY_MS = 80;

/** A bar with rate and time left on a terminal; nothing in a pipe. */
export function progressBar(terminal: Terminal): { onProgress: OnProgress; clear(): void } {
	const started = performance.now();
	let drawn = 0;
	return {
		onProgress: ({ phase, done, total, bytesDone, bytesTotal }) => {
			const now = performance.now();
			if (now - drawn < EVERY_MS && done < total) return;
			drawn = now;
			const share = bytesTotal === 0 ? 0 : bytesDone / bytesTotal;
			const seconds = (now - started) / 1000;
			const rate = bytesDone / 1_000_000 / Math.max(seconds, 0.001);
			const left = share > 0 ? (seconds / share) * (1 - share) : 0;
			const filled = Math.round(share * BAR_WIDTH);
			const bar = paint(terminal, "green", "█".repeat(filled)) + "░".repeat(BAR_WIDTH - filled);
			const figures = `${Math.round(share * 100)}%  ${done}/${total} files  ${rate.toFixed(1)} MB/s  ${Math.ceil(left)} s left`;
			terminal.status(`${phase} ${bar} ${figures}`);
		},
		clear: () => terminal.status(""),
	};
}
