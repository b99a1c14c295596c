// Loaded into the process of every test file. One whose failed test left something open would never end, nor would the run.
const LONGEST_FILE_MS = 480_000;

if (process.env.NODE_TEST_CONTEXT !== undefined) {
	setTimeout(() => {
		console.error(`this file has not ended after ${LONGEST_FILE_MS / 1_000} s`);
		process.exit(1);
	}, LONGEST_FILE_MS).unref();
}
