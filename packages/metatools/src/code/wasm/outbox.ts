import type { GuestKind } from "../guestMessage.ts";
import { CappedText } from "../session/sessionOutput.ts";

const FLUSH_LENGTH = 8_192;
const FLUSH_MS = 20;

/** Batches what a guest prints and reports, so that a loop of a million lines is not a million messages. */
export class Outbox {
	readonly #post: (kind: GuestKind, text: string) => void;
	readonly #kept: { readonly stdout: CappedText; readonly stderr: CappedText };
	readonly #waiting = { stdout: "", stderr: "", progress: "" };
	#flushedAt = 0;

	constructor(post: (kind: GuestKind, text: string) => void, maxStdout: number, maxStderr: number) {
		this.#post = post;
		// One character more than the host keeps, so that the host notices the cut.
		this.#kept = { stdout: new CappedText(maxStdout + 1), stderr: new CappedText(maxStderr + 1) };
	}

	print(stream: "stdout" | "stderr", text: string): void {
		this.#waiting[stream] += this.#kept[stream].append(text);
		if (this.#waiting[stream].length >= FLUSH_LENGTH) this.flush();
		else this.flushIfDue();
	}

	report(progress: string): void {
		this.#waiting.progress = progress;
		this.flushIfDue();
	}

	flushIfDue(): void {
		if (performance.now() - this.#flushedAt >= FLUSH_MS) this.flush();
	}

	flush(): void {
		this.#flushedAt = performance.now();
		for (const kind of ["stdout", "stderr", "progress"] as const) {
			if (this.#waiting[kind] !== "") this.#post(kind, this.#waiting[kind]);
			this.#waiting[kind] = "";
		}
	}
}
