/** A nursery that has grown stays resident: a third of a serving process, for no speed that could be measured. */
export const SERVING_FLAGS: readonly string[] = ["--max-semi-space-size=8"];

/** Memory that is freed goes back to the system, where glibc would keep it: a tenth of a serving process. Others pass it over. */
export const SERVING_ENV: Readonly<Record<string, string>> = {
	MALLOC_MMAP_THRESHOLD_: "262144",
	MALLOC_TRIM_THRESHOLD_: "1048576",
};
