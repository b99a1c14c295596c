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
