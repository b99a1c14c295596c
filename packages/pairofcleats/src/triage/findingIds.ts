import type { TriageSource } from "../contract/triageTerms.ts";
import type { Finding } from "../records/record.ts";
import type { Draft } from "./draft.ts";
import { makeFindingId, type RecordStore } from "./recordStore.ts";

/**
 * The ids of one ingest's findings. Scanners list a vulnerability once per installed version, file or line, so of
 * findings with one key only one has the plain id; the others are told apart by these details, or by their order.
 */
export class FindingIds {
	readonly #source: TriageSource;
	readonly #store: RecordStore;
	/** Ids that the order of results does not give away, because this ingest has written them already. */
	readonly #written: ReadonlySet<string>;
	/** By plain id, the details of the finding that has it. */
	readonly #owners = new Map<string, string>();
	/** By plain id, the details that this ingest brings. Only for keys with a record, since a report may have millions. */
	readonly #expected = new Map<string, Set<string>>();
	/** By report and plain id, the details of results that only their order tells apart. */
	readonly #repeated = new Map<string, string[]>();
	readonly #numbers = new Map<string, number[]>();
	/** All stored findings by vulnerability, read when first asked for. */
	#stored: ReadonlyMap<string, readonly Finding[]> | undefined;

	constructor(source: TriageSource, store: RecordStore, written: ReadonlySet<string> = new Set()) {
		this.#source = source;
		this.#store = store;
		this.#written = written;
	}

	/** Must see every draft before the first id is asked for: who keeps a record does not depend on a report's order. */
	expect(draft: Draft, report: number): void {
		const plain = this.#id(draft.key);
		const details = detailsOf(draft);
		switch (draft.repeats) {
			case "details": {
				const known = this.#expected.get(plain);
				if (known !== undefined) known.add(details);
				else if (this.#store.has(plain)) this.#expected.set(plain, new Set([details]));
				return;
			}
			case "order": {
				const place = `${report} ${plain}`;
				const known = this.#repeated.get(place);
				if (known === undefined) this.#repeated.set(place, [details]);
				else known.push(details);
				return;
			}
			case "nothing":
		}
	}

	idOf(draft: Draft, report: number): string {
		const own = this.#newId(draft, report);
		const former = draft.formerKey && this.#id(draft.formerKey);
		return former !== undefined && !this.#store.has(own) && this.#store.has(former) ? former : own;
	}

	#newId(draft: Draft, report: number): string {
		switch (draft.repeats) {
			case "details":
				return this.#toldApart(draft);
			case "order":
				return this.#numbered(draft, report);
			case "nothing":
				return this.#id(draft.key);
		}
	}

	#toldApart(draft: Draft): string {
		const plain = this.#id(draft.key);
		const details = detailsOf(draft);
		const owner = this.#ownerOf(plain);
		if (owner === details) return plain;
		const detailed = this.#id([...draft.key, details]);
		// Once told apart, a finding keeps its id and its decisions, even when the others are gone.
		if (this.#store.has(detailed)) return detailed;
		if (owner !== undefined && !this.#isOnlyChange(draft, plain)) return detailed;
		this.#owners.set(plain, details);
		return plain;
	}

	#ownerOf(plain: string): string | undefined {
		const known = this.#owners.get(plain);
		if (known !== undefined) return known;
		const stored = this.#store.read(plain);
		if (stored?.recordType !== "finding") return undefined;
		const details = detailsOf(stored);
		this.#owners.set(plain, details);
		return details;
	}

	/** Whether a key has one record and one draft: then the draft is that finding, with another version or line. */
	#isOnlyChange({ key, vuln }: Draft, plain: string): boolean {
		if (this.#expected.get(plain)?.size !== 1) return false;
		this.#stored ??= Map.groupBy(
			this.#store.all().records.filter((record) => record.recordType === "finding"),
			(finding) => finding.vuln.vulnId,
		);
		const others = this.#stored.get(vuln.vulnId) ?? [];
		return others.every((other) => other.recordId !== this.#id([...key, detailsOf(other)]));
	}

	#numbered(draft: Draft, report: number): string {
		const place = `${report} ${this.#id(draft.key)}`;
		let numbers = this.#numbers.get(place);
		if (numbers === undefined) {
			numbers = this.#numbersFor(draft.key, this.#repeated.get(place) ?? []).reverse();
			this.#numbers.set(place, numbers);
		}
		return this.#nth(draft.key, numbers.pop() ?? 1);
	}

	/** A number for each of the details: the one of the record that has them, else the next that is free. */
	#numbersFor(key: Draft["key"], all: readonly string[]): number[] {
		const waiting = Map.groupBy(all.keys(), (index) => all[index]);
		const numbers = new Map<number, number>();
		for (let number = 1; this.#store.has(this.#nth(key, number)); number++) {
			const id = this.#nth(key, number);
			const stored = this.#written.has(id) ? undefined : this.#store.read(id);
			const index = stored?.recordType === "finding" ? waiting.get(detailsOf(stored))?.shift() : undefined;
			if (index !== undefined) numbers.set(index, number);
		}
		const taken = new Set(numbers.values());
		let free = 0;
		return all.map((_, index) => {
			const own = numbers.get(index);
			if (own !== undefined) return own;
			do free += 1;
			while (taken.has(free) || this.#written.has(this.#nth(key, free)));
			return free;
		});
	}

	#nth(key: Draft["key"], number: number): string {
		return this.#id(number === 1 ? key : [...key, String(number)]);
	}

	#id(parts: Draft["key"]): string {
		return makeFindingId(this.#source, parts);
	}
}

/** In one text, joined as the parts of an id are. */
function detailsOf({ package: affected, location }: Pick<Draft, "package" | "location">): string {
	const { ecosystem, installedVersion, affectedRange, manifestPath } = affected ?? {};
	return [ecosystem, installedVersion, affectedRange, manifestPath, location?.startLine].join("\0");
}
