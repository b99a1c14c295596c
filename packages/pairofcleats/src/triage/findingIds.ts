import type { TriageSource } from "../contract/triageTerms.ts";
import type { Draft } from "./draft.ts";
import { findingId, type RecordStore } from "./recordStore.ts";

/**
 * The ids of one ingest's findings. Scanners list a vulnerability once per installed version, file or line, so of
 * findings with one key only the first keeps the plain id; the others are told apart by these details.
 */
export class FindingIds {
	readonly #source: TriageSource;
	readonly #store: RecordStore;
	/** By plain id, the detailed id of the finding that has it. */
	readonly #first = new Map<string, string>();

	constructor(source: TriageSource, store: RecordStore) {
		this.#source = source;
		this.#store = store;
	}

	idOf(draft: Draft): string {
		const plain = findingId(this.#source, draft.key);
		const detailed = findingId(this.#source, [...draft.key, ...detailsOf(draft)]);
		const first = this.#first.get(plain);
		if (first !== undefined) return first === detailed ? plain : detailed;
		// Once told apart, a finding keeps its id and its decisions, even when the others are gone.
		if (this.#store.has(detailed)) return detailed;
		this.#first.set(plain, detailed);
		return plain;
	}
}

function detailsOf({ package: affected, location }: Draft): (string | undefined)[] {
	const { ecosystem, installedVersion, affectedRange, manifestPath } = affected ?? {};
	return [ecosystem, installedVersion, affectedRange, manifestPath, location?.startLine?.toString()];
}
