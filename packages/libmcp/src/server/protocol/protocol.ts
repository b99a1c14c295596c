/** The protocol's own members of `_meta`. */
export const META = {
	protocolVersion: "io.modelcontextprotocol/protocolVersion",
	clientInfo: "io.modelcontextprotocol/clientInfo",
	clientCapabilities: "io.modelcontextprotocol/clientCapabilities",
	logLevel: "io.modelcontextprotocol/logLevel",
	serverInfo: "io.modelcontextprotocol/serverInfo",
	subscriptionId: "io.modelcontextprotocol/subscriptionId",
	relatedTask: "io.modelcontextprotocol/related-task",
} as const;

/** Methods of the handshake era that the modern era removed. */
export const REMOVED_METHODS: ReadonlySet<string> = new Set([
	"initialize",
	"ping",
	"logging/setLevel",
	"resources/subscribe",
	"resources/unsubscribe",
]);

/** Least to most severe, as in RFC 5424. */
export const LOG_LEVELS = ["debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

export function isLogLevel(value: unknown): value is LogLevel {
	return rankSeverity(value) >= 0;
}

/** The rank of a level; -1 when it is unknown. */
export function rankSeverity(level: unknown): number {
	return (LOG_LEVELS as readonly unknown[]).indexOf(level);
}

export function isRecord(value: unknown): value is Record<string, unknown> {
	return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The kind of a JSON value, for an error message. */
export function describeKind(value: unknown): string {
	if (value === undefined) return "nothing";
	if (value === null) return "null";
	return Array.isArray(value) ? "an array" : typeof value;
}
