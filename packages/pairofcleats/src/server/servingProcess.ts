/**
 * A large young generation stays resident, up to a third of a serving process, without measurable gain. Blocks read from
 * an index are outside V8's heap, so by default it lets up to 50 MB of them await collection.
 */
export const SERVING_FLAGS: readonly string[] = ["--max-semi-space-size=8", "--heap-growing-percent=60"];

/**
 * glibc settings that return freed memory to the system and allocate blocks of 32 kB and more, as read from an index,
 * outside the heap; fragmentation cost up to a fifth of a serving process. Other C libraries ignore them.
 */
export const SERVING_ENV: Readonly<Record<string, string>> = {
	MALLOC_MMAP_THRESHOLD_: "32768",
	MALLOC_TRIM_THRESHOLD_: "1048576",
};
