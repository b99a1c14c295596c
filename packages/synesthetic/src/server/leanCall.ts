import { type RequestEnvelope, scanEnvelope } from "libmcp/serve";
import { textModule } from "../text/textModule.ts";

/** A request and the frame that its spans point into. */
export type FramedRequest = { readonly request: RequestEnvelope; readonly frame: Buffer };

// Cutting out fewer bytes than this saves no time.
const LEAST_ARGUMENTS = 1024;

/**
 * A tools/call with its arguments replaced by `{}`, because `RpcSession` is slow to parse arguments and to check them
 * for repeated names. The caller reads the arguments from the original frame. Undefined if the session should get the
 * call unchanged: its arguments are short, or have repeated or escaped names.
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
