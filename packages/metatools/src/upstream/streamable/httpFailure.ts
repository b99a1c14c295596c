import type { IncomingMessage } from "node:http";
import type { SdkErrorCode } from "@modelcontextprotocol/client";

type HttpFailureCode = keyof typeof SdkErrorCode & `ClientHttp${string}`;

/** An HTTP refusal as the SDK's own error, by which its client detects the era. Loaded only when something failed. */
export async function httpFailure(
	code: HttpFailureCode,
	doing: string,
	{ statusCode = 0, statusMessage = "", headers }: IncomingMessage,
	text: string,
): Promise<Error> {
	const { SdkErrorCode, SdkHttpError } = await import("@modelcontextprotocol/client");
	const reason = leadsTo(statusCode, headers.location) ?? (readable(text) || statusMessage);
	return new SdkHttpError(SdkErrorCode[code], `${doing} failed with HTTP ${statusCode}: ${reason}`, {
		status: statusCode,
		statusText: statusMessage,
		text,
		retryAfter: headers["retry-after"],
		hasChallenge: headers["www-authenticate"] !== undefined,
	});
}

/** The text of a body without markup, since many servers and proxies refuse with an HTML page. */
function readable(text: string): string {
	const isPage = /^\s*<(?:!doctype|html)/i.test(text);
	return isPage
		? text
				.replace(/<[^<>]*>/g, " ")
				.replace(/\s+/g, " ")
				.trim()
		: text;
}

/** For a 2xx response that is not a valid answer. */
export async function unexpectedContent(type: string | undefined): Promise<Error> {
	const { SdkError, SdkErrorCode } = await import("@modelcontextprotocol/client");
	return new SdkError(
		SdkErrorCode.ClientHttpUnexpectedContent,
		`content-type: expected application/json or text/event-stream, got ${JSON.stringify(type ?? "nothing")}`,
		{ contentType: type },
	);
}

/** The target of a redirect that was not followed, without the parts that may be secret. */
function leadsTo(status: number, location: string | undefined): string | undefined {
	const to = status >= 300 && status < 400 ? URL.parse(location ?? "") : null;
	return to === null ? undefined : `it redirects to ${to.origin}${to.pathname}, which is not followed`;
}
