import { type RequestEnvelope, scanEnvelope } from "libmcp/serve";
import { textModule } from "../text/textModule.ts";

/** A request and the frame its spans lie in. */
export type FramedRequest = { readonly request: RequestEnvelope; readonly frame: Buffer };

// To cut out fewer bytes saves nothing.
const LEAST_ARGUMENTS = 1024;

/**
 * The same call with empty arguments, for a session that would parse them and search them for repeated names, both slowly;
 * undefined where that is left to it. The caller reads the arguments of the original.
 */
export function leanCall({ request, frame }: FramedRequest): FramedRequest | undefined {
	const span = request.method === "tools/call" ? request.params?.arguments : undefined;
	if (span === undefined || span.end - span.start < LEAST_ARGUMENTS) return undefined;
	const module = textModule();
	if (module?.read(frame, span.start, span.end) !== true || !module.isPlain) return undefined;
	const lean = Buffer.concat([frame.subarray(0, span.start), Buffer.from("{}"), frame.subarray(span.end)]);
	const envelope = scanEnvelope(lean);
	return envelope.kind === "request" ? { request: envelope, frame: lean } : undefined;
}
