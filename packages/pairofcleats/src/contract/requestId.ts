const LONGEST = 128;
const GIVEN = new RegExp(`^[\\x21-\\x7e]{1,${LONGEST}}$`);

/** The caller's own correlation id; undefined if it would not fit into a header and a log line. */
export function givenRequestId(value: unknown): string | undefined {
	return typeof value === "string" && GIVEN.test(value) ? value : undefined;
}

/** A JSON-RPC id, however long, as the request id of envelopes and logs. */
export function requestIdOfRpc(text: string): string {
	return text.slice(0, LONGEST);
}
