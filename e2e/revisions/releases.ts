export const REVISIONS = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28"] as const;
export type Revision = (typeof REVISIONS)[number];

export type Json = Record<string, unknown>;

type Release = { readonly name: string; readonly http: { readonly file: string; readonly name: string } };

const STREAMABLE = { file: "streamableHttp.js", name: "StreamableHTTPClientTransport" };

/** The release of the official SDK that spoke a revision when it was the newest, and how its client speaks HTTP. */
export const RELEASES: Readonly<Record<Exclude<Revision, "2026-07-28">, Release>> = {
	"2024-11-05": { name: "sdk-2024-11-05", http: { file: "sse.js", name: "SSEClientTransport" } },
	"2025-03-26": { name: "sdk-2025-03-26", http: STREAMABLE },
	"2025-06-18": { name: "sdk-2025-06-18", http: STREAMABLE },
	"2025-11-25": { name: "@modelcontextprotocol/sdk", http: STREAMABLE },
};
