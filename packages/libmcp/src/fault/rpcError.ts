/** A failure that crosses the wire as a JSON-RPC error. */
export class RpcError extends Error {
	override readonly name = "RpcError";
	readonly code: number;
	readonly data: unknown;

	constructor(code: number, message: string, data?: unknown) {
		super(message);
		this.code = code;
		this.data = data;
	}
}

/** Also true for an RpcError of another copy of this library in the same process. */
export function isRpcError(value: unknown): value is RpcError {
	return (
		value instanceof RpcError ||
		(value instanceof Error && value.name === "RpcError" && "code" in value && Number.isInteger(value.code))
	);
}

/** The JSON-RPC error codes by name: those of JSON-RPC itself, then the two that servers agreed on, then those of MCP. */
export const RPC_CODES = {
	parseError: -32700,
	invalidRequest: -32600,
	methodNotFound: -32601,
	invalidParams: -32602,
	internalError: -32603,
	overloaded: -32001,
	resourceNotFound: -32002,
	headerMismatch: -32020,
	missingCapability: -32021,
	unsupportedVersion: -32022,
} as const;
