import type { OnProgress } from "../index/build.ts";
import { paintError, type Terminal } from "./terminal.ts";

const BAR_WIDTH = 24;
const EVERY_MS = 80;
/** No time estimate is shown before this share is done. */
const LEAST_SHARE = 0.02;

/** A bar with rate and time left on a terminal; nothing in a pipe. Git lists the files first, which can take long. */
export function progressBar(terminal: Terminal): { begin(): void; onProgress: OnProgress; clear(): void } {
	const started = performance.now();
	let drawn = 0;
	return {
		begin: () => terminal.status("listing the files"),
		onProgress: (progress) => {
			if (progress.phase === "git") {
				terminal.status(progress.message.slice(0, terminal.columns - 1));
				return;
			}
			const { phase, done, total, bytesDone, bytesTotal } = progress;
			const now = performance.now();
			if (now - drawn < EVERY_MS && done < total) return;
			drawn = now;
			const share = bytesTotal === 0 ? 0 : bytesDone / bytesTotal;
			const seconds = (now - started) / 1000;
			const rate = bytesDone / 1_000_000 / Math.max(seconds, 0.001);
			const filled = Math.round(share * BAR_WIDTH);
			const bar = paintError(terminal, "green", "█".repeat(filled)) + "░".repeat(BAR_WIDTH - filled);
			const figures = [`${Math.round(share * 100)}%`, `${done}/${total} files`, `${rate.toFixed(1)} MB/s`];
			if (share >= LEAST_SHARE) figures.push(`${leftText((seconds / share) * (1 - share))} left`);
			// A line that fills the width would wrap, and clearing it would leave the wrapped part.
			const room = terminal.columns - 1;
			const text = `${phase} ${figures.join("  ")}`;
			terminal.status(
				text.length + BAR_WIDTH + 1 <= room ? `${phase} ${bar} ${figures.join("  ")}` : text.slice(0, room),
			);
		},
		clear: () => terminal.status(""),
	};
}

function leftText(seconds: number): string {
	return seconds < 100 ? `${Math.ceil(seconds)} s` : `${Math.ceil(seconds / 60)} min`;
}
