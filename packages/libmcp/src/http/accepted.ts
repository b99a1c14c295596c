import type { IncomingMessage } from "node:http";
import { HttpRefusal } from "./refusal.ts";

/** Which of the two kinds of answer the client takes; refuses a client that takes neither. */
export function acceptedBy(request: IncomingMessage): { readonly json: boolean; readonly stream: boolean } {
	const ranges = rangesOf(request.headers.accept ?? "*/*");
	const json = takes(ranges, "application/json");
	const stream = takes(ranges, "text/event-stream");
	if (!json && !stream)
		throw new HttpRefusal("NOT_ACCEPTABLE", "accept: expected application/json and text/event-stream");
	return { json, stream };
}

/** Media ranges in lower case, and whether the client takes them: with the weight 0 it names what it does not take. */
function rangesOf(accept: string): ReadonlyMap<string, boolean> {
	return new Map(
		accept
			.toLowerCase()
			.split(",")
			.map((part) => {
				const [range = "", ...parameters] = part.split(";").map((text) => text.trim());
				return [range, !parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter))];
			}),
	);
}

/** The most specific range decides. */
function takes(ranges: ReadonlyMap<string, boolean>, type: string): boolean {
	const whole = `${type.split("/")[0]}/*`;
	return ranges.get(type) ?? ranges.get(whole) ?? ranges.get("*/*") ?? false;
}
