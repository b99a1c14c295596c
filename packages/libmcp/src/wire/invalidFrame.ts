import { RPC_CODES } from "../fault/rpcCodes.ts";
import { MAX_DEPTH } from "./jsonSkip.ts";

/** Why a frame is not a JSON-RPC message, with the JSON-RPC code and text of its refusal. */
export const INVALID_FRAME = {
	not_utf8: { code: RPC_CODES.parseError, says: "the frame is not valid UTF-8" },
	not_json: { code: RPC_CODES.parseError, says: "the frame is not valid JSON" },
	too_deep: {
		code: RPC_CODES.invalidRequest,
		says: `the frame nests deeper than ${MAX_DEPTH} levels; send such data as text`,
	},
	batch: { code: RPC_CODES.invalidRequest, says: "the frame is a batch; send one message to a frame" },
	not_object: { code: RPC_CODES.invalidRequest, says: "the frame is not a JSON object" },
	duplicate_member: { code: RPC_CODES.invalidRequest, says: "a member appears twice in one object" },
	wrong_version: { code: RPC_CODES.invalidRequest, says: "jsonrpc must be the string 2.0" },
	bad_id: { code: RPC_CODES.invalidRequest, says: "id must be a number or a string of moderate length" },
	bad_method: { code: RPC_CODES.invalidRequest, says: "method must be a non-empty string" },
	bad_params: { code: RPC_CODES.invalidRequest, says: "params must be an object or an array" },
	bad_error: {
		code: RPC_CODES.invalidRequest,
		says: "error must be an object with an integer code and a string message",
	},
	not_a_message: {
		code: RPC_CODES.invalidRequest,
		says: "the frame must have a method, or an id with exactly one of result and error",
	},
} as const;

export type InvalidReason = keyof typeof INVALID_FRAME;
