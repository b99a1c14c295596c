/** Reserves stdout for the protocol: everything else that prints goes to stderr. The result undoes it. */
export function guardStdout(): {
	readonly write: (bytes: string | Uint8Array) => boolean;
	readonly release: () => void;
} {
	const { stdout } = process;
	const own = stdout.write;
	// The console uses this too. `process.stderr` is opened only when first needed.
	const stray: typeof own = (...given: unknown[]) => Reflect.apply(process.stderr.write, process.stderr, given);
	stdout.write = stray;
	return {
		write: (bytes) => own.call(stdout, bytes),
		release: () => {
			if (stdout.write === stray) stdout.write = own;
		},
	};
}
