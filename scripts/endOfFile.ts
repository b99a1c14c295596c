// Loaded into the process of every test file: if a failed test leaves a handle open, the file, and the run, would never end.
const LONGEST_FILE_MS = 480_000;

if (process.env.NODE_TEST_CONTEXT !== undefined) {
	setTimeout(() => {
		console.error(`this file has not ended after ${LONGEST_FILE_MS / 1_000} s`);
		process.exit(1);
	}, LONGEST_FILE_MS).unref();
}
