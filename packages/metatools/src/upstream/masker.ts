import { isObject, mapTexts } from "../contract/json.ts";
import { maskFormats } from "../contract/maskFormats.ts";
import { configuredSecrets } from "./configuredSecrets.ts";
import type { UpstreamSpec } from "./spec.ts";
import type { UpstreamFailure } from "./upstreamError.ts";
import { MASK, withoutSecrets } from "./withoutSecrets.ts";

export type Masker = {
	/** Without the secrets of the server's entry, and without whatever has the form of one. */
	text(text: string): string;
	/** The same for every text in what the server sent with an error. */
	data(value: unknown): unknown;
	/** The same for all that is known of a failure. */
	failure(failure: UpstreamFailure): UpstreamFailure;
	/** A result that tells of a failure, without the secrets of the entry; any other as it is. */
	result(result: unknown): unknown;
};

/** Masks what a server says where it comes in, so that whoever shows it need not think of secrets. */
export function maskerOf(spec: UpstreamSpec): Masker {
	const secrets = configuredSecrets(spec);
	const own = (text: string): string => withoutSecrets(text, secrets);
	const text = (said: string): string => maskFormats(own(said), MASK);
	const data = (value: unknown): unknown => mapTexts(value, text);
	return {
		text,
		data,
		failure(failure) {
			if (failure.kind === "timeout") return failure;
			const told = { ...failure, message: text(failure.message) };
			return told.kind === "refused" && told.data !== undefined ? { ...told, data: data(told.data) } : told;
		},
		result: (result) => (tellsOfFailure(result) ? mapTexts(result, own) : result),
	};
}

/** Of a tool that failed, or of a task that did. */
function tellsOfFailure(result: unknown): boolean {
	return isObject(result) && (result.isError === true || result.status === "failed");
}
