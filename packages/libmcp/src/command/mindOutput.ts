import { writeStderr } from "../process/writeStderr.ts";
import { failureText } from "./failureText.ts";

/** Ends a command quietly when its reader has gone (`| head`), and with a message when the disk is full. Not for servers. */
export function mindOutput(speaker: string): void {
	if (process.stdout.listenerCount("error") > 0) return;
	process.stdout.on("error", (error: NodeJS.ErrnoException) => {
		if (error.code === "EPIPE") process.exit(0);
		writeStderr(`${speaker}: the answer cannot be written: ${failureText(error)}\n`);
		process.exit(1);
	});
}
