/** Takes standard output for the protocol alone: whatever else prints goes to standard error. The result gives it back. */
export function guardStdout(): {
	readonly write: (bytes: string | Uint8Array) => boolean;
	readonly release: () => void;
} {
	const { stdout } = process;
	const own = stdout.write;
	// The console writes by this too. Standard error is opened only when something goes there.
	const stray: typeof own = (...given: unknown[]) => Reflect.apply(process.stderr.write, process.stderr, given);
	stdout.write = stray;
	return {
		write: (bytes) => own.call(stdout, bytes),
		release: () => {
			if (stdout.write === stray) stdout.write = own;
		},
	};
}
