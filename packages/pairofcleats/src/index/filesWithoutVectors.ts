import { liveFiles } from "../store/liveFiles.ts";
import type { IndexReader } from "../store/store.ts";

/** The indexed files without vectors of a model, such as those that a process without a model updated. */
export function filesWithoutVectors(reader: IndexReader, model: string): string[] {
	const segments = reader.segments().filter(({ id }) => reader.vectorModel(id) !== model);
	return [...liveFiles(segments).keys()];
}
