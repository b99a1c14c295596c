import { isRecordPath } from "../index/recordFiles.ts";
import type { Hit, RecordFacts } from "../query/result.ts";
import { readRecord } from "../records/readRecord.ts";
import {
	type Decision,
	describePlace,
	findDecisionInForce,
	shortenText,
	type TriageRecord,
} from "../records/record.ts";
import { makeFactTerm } from "../segment/factTerms.ts";
import { decodePostings } from "../segment/postings.ts";
import type { SnapshotFile } from "../store/snapshot.ts";
import type { OpenIndex } from "./openIndex.ts";

/** The name and the facts of a hit that is a record of triage; nothing for any other. */
export function recordFacts(
	index: OpenIndex,
	file: SnapshotFile,
): Pick<Hit, "name" | "qualifiedName" | "record"> | undefined {
	const record = isRecordPath(file.path) ? readRecord(index.texts.file(file)) : undefined;
	if (record === undefined) return undefined;
	const facts = factsOf(record, index);
	return { name: facts.title, qualifiedName: facts.title, record: facts };
}

function factsOf(record: TriageRecord, index: OpenIndex): RecordFacts {
	const { recordId, recordType, vuln } = record;
	const about = { recordId, recordType, title: shortenText(vuln.title), severity: vuln.severity };
	const decision = recordType === "decision" ? record : findDecisionInForce(decisionsOn(recordId, index));
	const where = recordType === "finding" ? describePlace(record) : undefined;
	return {
		...about,
		...(where !== undefined && { where: shortenText(where) }),
		...(recordType === "finding" && record.settled !== undefined && { settled: record.settled }),
		decision: decision?.status ?? null,
		...(decision?.expiresAt !== undefined && { expiresAt: decision.expiresAt }),
		...(recordType === "decision" && { finding: record.finding }),
	};
}

/** The indexed decisions about a finding. */
function decisionsOn(finding: string, { snapshot, reader, texts }: OpenIndex): Decision[] {
	return snapshot.segments.flatMap(({ id, base, docs }) => {
		const row = reader.postings(id, makeFactTerm("meta", `finding=${finding}`));
		const found = row ? [...decodePostings(row.bytes, row.count, docs).docs] : [];
		return found.flatMap((local) => {
			const record = snapshot.alive[base + local] === 1 ? readRecord(texts.chunk(snapshot, base + local)) : undefined;
			return record?.recordType === "decision" && record.finding === finding ? [record] : [];
		});
	});
}
