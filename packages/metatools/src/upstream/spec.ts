import { isDeepStrictEqual } from "node:util";
import { LONGEST_CALL_MS } from "../run/patience.ts";

/** One configured server. */
export type UpstreamSpec = ReachableSpec | UnusableSpec;
/** How to reach it. */
export type ReachableSpec = StdioSpec | HttpSpec;
/** A server that has no namespace yet. */
export type Unplaced<Spec extends UpstreamSpec> = Spec extends unknown ? Omit<Spec, "namespace"> : never;

type CommonSpec = {
	/** The name its owner gave it. */
	readonly name: string;
	/** The first part of its tools' ids. */
	readonly namespace: string;
	readonly description?: string;
	/** `auto` asks the server which revisions it speaks; stdio servers are taken for legacy unless told. */
	readonly protocol: Protocol;
	/** Whether a server with a handshake may ask our callers in the middle of a call; it is told at the handshake. */
	readonly elicitation?: boolean;
	/** How long one of its tools may run without reporting progress; `execution.timeout` unless set. */
	readonly executionTimeoutMs?: number;
	/** How long in all while it reports progress; `execution.total_timeout` unless set. */
	readonly executionTotalTimeoutMs?: number;
	/** Tool names to take or leave; `*` stands for any run of characters. */
	readonly include?: readonly string[];
	readonly exclude?: readonly string[];
	/** The environment variables that its entry names, with their values: these are often secrets. */
	readonly variables?: Readonly<Record<string, string>>;
};

export type StdioSpec = CommonSpec & {
	readonly kind: "stdio";
	readonly command: string;
	readonly args: readonly string[];
	readonly env: Readonly<Record<string, string>>;
	readonly cwd?: string;
};

export type HttpSpec = CommonSpec & {
	readonly kind: "http" | "sse";
	readonly url: string;
	readonly headers: Readonly<Record<string, string>>;
	/** Our OAuth client at the authorization server. Without one, or if metadata documents are not supported, we register. */
	readonly oauthClient?: RegisteredClient | DescribedClient;
};

/** A server whose entry has a mistake; it is listed with the reason, and the others still work. */
type UnusableSpec = CommonSpec & { readonly kind: "unusable"; readonly reason: string };

/** A client that the user registered by hand. */
type RegisteredClient = { readonly id: string; readonly secret?: string };
/** A client id metadata document: its address is the client's id. */
type DescribedClient = { readonly metadataUrl: string };

export const PROTOCOLS = ["auto", "legacy", "modern"] as const;
export type Protocol = (typeof PROTOCOLS)[number];

/** Whether two entries of a server differ at most in what needs no other process or connection. */
export function isSameConnection(one: UpstreamSpec, other: UpstreamSpec): boolean {
	const connecting = (spec: UpstreamSpec) => {
		const { include: _, exclude: __, executionTimeoutMs: ___, executionTotalTimeoutMs: ____, ...rest } = spec;
		return { ...rest, deadlineMs: computeHostDeadlineMs(spec) };
	};
	return isDeepStrictEqual(connecting(one), connecting(other));
}

/** The time after which a host gives up on a call: no earlier than any caller may ask for, who has a clock of its own. */
export function computeHostDeadlineMs({ executionTimeoutMs = 0, executionTotalTimeoutMs = 0 }: UpstreamSpec): number {
	return Math.max(LONGEST_CALL_MS, executionTimeoutMs, executionTotalTimeoutMs);
}
