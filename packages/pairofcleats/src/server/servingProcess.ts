/** A nursery that has grown stays resident: a third of a serving process, for no speed that could be measured. */
export const SERVING_FLAGS: readonly string[] = ["--max-semi-space-size=8"];

/**
 * Memory that is freed goes back to the system, where glibc would keep it, and what is read of an index comes in pieces of
 * 64 kB and more, which would leave a heap full of holes: a sixth of a serving process, in the worst case. Others pass it over.
 */
export const SERVING_ENV: Readonly<Record<string, string>> = {
	MALLOC_MMAP_THRESHOLD_: "65536",
	MALLOC_TRIM_THRESHOLD_: "1048576",
};
