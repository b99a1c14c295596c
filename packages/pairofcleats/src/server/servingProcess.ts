/** A large young generation stays resident, up to a third of a serving process, without measurable gain. */
export const SERVING_FLAGS: readonly string[] = ["--max-semi-space-size=8"];

/**
 * glibc settings that return freed memory to the system and allocate blocks of 64 kB and more, as read from an index,
 * outside the heap; fragmentation cost up to a sixth of a serving process. Other C libraries ignore them.
 */
export const SERVING_ENV: Readonly<Record<string, string>> = {
	MALLOC_MMAP_THRESHOLD_: "65536",
	MALLOC_TRIM_THRESHOLD_: "1048576",
};
