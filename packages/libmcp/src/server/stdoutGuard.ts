import { Console } from "node:console";

/** Takes standard output for the protocol alone: whatever else prints goes to standard error. The result gives it back. */
export function guardStdout(): {
	readonly write: (bytes: string | Uint8Array) => boolean;
	readonly release: () => void;
} {
	const { stdout, stderr } = process;
	const own = stdout.write;
	const stray: typeof own = stderr.write.bind(stderr);
	stdout.write = stray;
	const console = globalThis.console;
	globalThis.console = new Console(stderr, stderr);
	return {
		write: (bytes) => own.call(stdout, bytes),
		release: () => {
			if (stdout.write === stray) stdout.write = own;
			globalThis.console = console;
		},
	};
}
