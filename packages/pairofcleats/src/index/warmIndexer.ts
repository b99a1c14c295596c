import { readSource } from "../discover/readSource.ts";
import { parseFile } from "../parse/parseFile.ts";
import type { FileEntry, SegmentWriter } from "../segment/indexedFile.ts";
import { SegmentBuilder } from "../segment/segmentBuilder.ts";

/** Languages to warm up; each grammar takes memory, and the formats share what takes time. */
const MOST_LANGUAGES = { grammar: 2, format: 1 } as const;
/** Size of a sample: large enough to exercise the parser, small enough to parse in milliseconds. */
const SAMPLE_BYTES = { least: 4_000, most: 20_000 } as const;

/**
 * Loads everything that indexing an edited file needs, for the most frequent languages, and indexes one sample of each
 * without storing it, so that the first edit is fast. Half of that time is V8 compiling code on first use.
 */
export async function warmIndexer(root: string, files: Iterable<FileEntry>): Promise<void> {
	await import("./indexer.ts");
	const builder = new SegmentBuilder(undefined);
	for (const { path, mode, role, hash, bytes } of samplesOf(files)) {
		const source = await readSource(root, path, SAMPLE_BYTES.most);
		// Loading the grammar helps even if the sample is unreadable.
		const parsed = await parseFile(path, source.kind === "text" ? source.text : "\n");
		if (source.kind === "text")
			builder.add({ path, mode, role, hash, bytes, text: source.text, utf8: source.utf8, parsed });
	}
	builder.write(NOWHERE);
	builder.close();
}

const NOWHERE: SegmentWriter = { begin() {}, texts() {}, details() {}, term() {}, trigram() {}, end: () => 0 };

/** A sample file for each of the most frequent languages. */
function samplesOf(files: Iterable<FileEntry>): FileEntry[] {
	const byLanguage = new Map<string, { sample: FileEntry; files: number }>();
	for (const file of files) {
		if (file.method === "lines") continue;
		const known = byLanguage.get(file.language);
		if (!known) byLanguage.set(file.language, { sample: file, files: 1 });
		else {
			known.files += 1;
			if (!isTelling(known.sample)) known.sample = file;
		}
	}
	const samples = [...byLanguage.values()].sort((a, b) => b.files - a.files).map(({ sample }) => sample);
	return Object.entries(MOST_LANGUAGES).flatMap(([method, most]) =>
		samples.filter((sample) => sample.method === method).slice(0, most),
	);
}

function isTelling({ bytes }: FileEntry): boolean {
	return bytes >= SAMPLE_BYTES.least && bytes <= SAMPLE_BYTES.most;
}
