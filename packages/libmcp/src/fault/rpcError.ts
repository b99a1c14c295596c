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
