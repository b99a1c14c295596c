import { createHash, createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import { RPC_CODES, RpcError } from "libmcp";

/** What a cursor is bound to; if any of these differs, the cursor is invalid. */
export type ListingKey = {
	/** The metatool, the query and its filters, and whose view it is. */
	readonly question: unknown;
	readonly limit: number;
	readonly version: string;
};

const SIGNATURE_BYTES = 16;

/** Opaque, signed page tokens: a page of a listing that changed since, or of another question, is refused. */
export class Cursors {
	readonly #key: Buffer;

	constructor(key: Buffer = randomBytes(32)) {
		this.#key = key;
	}

	issue(offset: number, key: ListingKey): string {
		const body = Buffer.from(JSON.stringify([offset, key.version, questionHash(key)]));
		return Buffer.concat([this.#sign(body), body]).toString("base64url");
	}

	/** The offset a cursor stands for; throws -32602 saying what is wrong with it. */
	read(cursor: string, key: ListingKey): number {
		const raw = Buffer.from(cursor, "base64url");
		const body = raw.subarray(SIGNATURE_BYTES);
		const signature = raw.subarray(0, SIGNATURE_BYTES);
		const known = signature.length === SIGNATURE_BYTES && timingSafeEqual(signature, this.#sign(body));
		if (!known || raw.toString("base64url") !== cursor) throw invalid("FORGED", "it was not issued by this server");
		const [offset, version, question]: [number, string, string] = JSON.parse(body.toString());
		if (question !== questionHash(key)) throw invalid("MISMATCHED", "it belongs to another query or limit");
		if (version !== key.version)
			throw invalid("STALE", "the catalogue changed since it was issued; start again without it");
		return offset;
	}

	#sign(body: Buffer): Buffer {
		return createHmac("sha256", this.#key).update(body).digest().subarray(0, SIGNATURE_BYTES);
	}
}

/** For a list that is one page and issues no cursors. Some clients send null for none. */
export function assertFirstPage(cursor: unknown): void {
	if (cursor !== undefined && cursor !== null) throw invalid("FORGED", "the whole list is one page, there is no other");
}

function questionHash({ question, limit }: ListingKey): string {
	return createHash("sha256")
		.update(JSON.stringify([question, limit]))
		.digest("base64url")
		.slice(0, 16);
}

function invalid(reason: string, why: string): RpcError {
	return new RpcError(RPC_CODES.invalidParams, `invalid cursor: ${why}`, {
		code: "INVALID_CURSOR",
		details: { field: "cursor", reason },
	});
}
