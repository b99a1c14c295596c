import { type HostFunction, prelude } from "../prelude.ts";

/** The whole program of a child process, as text for `node -e`: nothing of ours has to exist where it runs. */
export function writeChildProgram(): string {
	return `(${childGuest.toString()})(${prelude.toString()})`;
}

/** Lines the host writes to the child. */
export type ToChild =
	| { readonly to: "start"; readonly script: string; readonly seed: number | null; readonly maxCallLength: number }
	| { readonly to: "reply"; readonly id: number; readonly ok: boolean; readonly text: string };

/** Exchanges lines of JSON on stdin and stdout. Only its source text is sent, so it must not use this module. */
function childGuest(build: typeof prelude): void {
	const { Script } = process.getBuiltinModule("node:vm");
	const { stdin, stdout, stderr } = process;
	const write = stdout.write.bind(stdout);
	let controls: ReturnType<typeof prelude> | undefined;
	let outstanding = 0;
	let maxCallLength = 0;
	let over = false;

	const say = (kind: string, text: string): void => void write(`${JSON.stringify({ kind, text })}\n`);
	const host: HostFunction = (kind, text) => {
		if (kind === "call") {
			if (text.length > maxCallLength) {
				const message = `The arguments are ${text.length} characters of JSON; at most ${maxCallLength} can be sent.`;
				return JSON.stringify({ code: "validation_input", message, retryable: false });
			}
			outstanding += 1;
			stdin.ref();
		}
		if (kind === "done" || kind === "fail" || kind === "unsendable") over = true;
		say(kind, kind === "stdout" || kind === "stderr" ? JSON.parse(text) : text);
		return "";
	};
	const rest = (): void => {
		// A process with nothing left to wait for ends by itself; the host takes that as a stalled run.
		if (outstanding === 0) stdin.unref();
	};
	const failure = (thrown: unknown): string => {
		const { name, message, stack } = thrown instanceof Error ? thrown : new Error(String(thrown));
		return JSON.stringify({ name, message, stack });
	};

	stdout.write = (chunk: string | Uint8Array): boolean => {
		say("stdout", String(chunk));
		return true;
	};
	stderr.write = (chunk: string | Uint8Array): boolean => {
		say("stderr", String(chunk));
		return true;
	};
	process.on("unhandledRejection", () => {});
	process.on("uncaughtException", (thrown) => {
		over = true;
		say("fail", failure(thrown));
	});
	process.on("beforeExit", () => {
		if (!over) say("stalled", "");
		over = true;
	});
	const hear = (message: ToChild): void => {
		if (message.to === "reply") {
			outstanding -= 1;
			rest();
			controls?.settle(message.id, message.ok, message.text);
			return;
		}
		maxCallLength = message.maxCallLength;
		controls = build(host, message.seed);
		rest();
		try {
			controls.start(new Script(message.script, { filename: "code.js" }).runInThisContext());
		} catch (thrown) {
			over = true;
			say("syntax", failure(thrown));
		}
	};
	let unread = "";
	// Split by hand: readline also ends lines at two characters that JSON does not escape.
	stdin.setEncoding("utf8").on("data", (chunk: string) => {
		const lines = (unread + chunk).split("\n");
		unread = lines.pop() ?? "";
		for (const line of lines) hear(JSON.parse(line));
	});
}
