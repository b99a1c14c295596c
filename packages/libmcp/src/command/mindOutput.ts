import { failureText } from "./failureText.ts";

/** A reader that went away (`| head`) ends a command without a word, a disk that is full with one. What serves minds for itself. */
export function mindOutput(speaker: string): void {
	if (process.stdout.listenerCount("error") > 0) return;
	process.stdout.on("error", (error: NodeJS.ErrnoException) => {
		if (error.code === "EPIPE") process.exit(0);
		process.stderr.write(`${speaker}: the answer cannot be written: ${failureText(error)}\n`);
		process.exit(1);
	});
}
