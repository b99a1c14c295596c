/** Every revision of the protocol that is spoken here, oldest first. */
export const REVISIONS = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28"] as const;
export type Revision = (typeof REVISIONS)[number];

/** The newest revision with a handshake, for clients that ask for one that is not known here. */
export const LEGACY_REVISION = "2025-11-25" satisfies Revision;
/** The revision without a handshake. */
export const MODERN_REVISION = "2026-07-28" satisfies Revision;
/** What a client speaks over HTTP that names no revision in its header and keeps no session, as the protocol says. */
export const UNNAMED_REVISION = "2025-03-26" satisfies Revision;

type Life = { readonly from?: Revision; readonly to?: Revision };

/**
 * Which revisions have what, from the schema files of the specification: the first that has it, and the last if a later
 * one removed it. What all of them have is not listed.
 */
const FEATURES = {
	handshake: { to: "2025-11-25" },
	batches: { from: "2025-03-26", to: "2025-03-26" },
	/** Audio among the contents of results, prompts and sampling. */
	audio: { from: "2025-03-26" },
	completionsCapability: { from: "2025-03-26" },
	progressMessage: { from: "2025-03-26" },
	toolAnnotations: { from: "2025-03-26" },
	/** The header that names the revision in every request over HTTP. */
	versionHeader: { from: "2025-06-18" },
	/** `structuredContent` of results and `outputSchema` of tools, both objects. */
	structuredContent: { from: "2025-06-18" },
	/** `title` of servers, tools, prompts, their arguments, and resources. */
	titles: { from: "2025-06-18" },
	resourceLinks: { from: "2025-06-18" },
	elicitation: { from: "2025-06-18" },
	completionContext: { from: "2025-06-18" },
	lastModified: { from: "2025-06-18" },
	/** `icons` of servers, tools, prompts and resources. */
	icons: { from: "2025-11-25" },
	/** `description` and `websiteUrl` of servers. */
	serverPage: { from: "2025-11-25" },
	/** Pages that the user is asked to open, beside forms. */
	urlElicitation: { from: "2025-11-25" },
	/** Choices of several values, choices with titles, and defaults of texts and numbers in forms. */
	richForms: { from: "2025-11-25" },
	/** Tools in sampling, and several contents in one message. */
	samplingTools: { from: "2025-11-25" },
	/** Tasks of the core protocol; later they are an extension. */
	tasks: { from: "2025-11-25", to: "2025-11-25" },
	/** The event without data that begins a stream over HTTP, with an id to resume from. */
	primingEvent: { from: "2025-11-25" },
	/** Structured content, and output schemas, of any type. */
	anyStructuredContent: { from: "2026-07-28" },
} as const satisfies Record<string, Life>;

/** Something that not every revision has. */
export type Feature = keyof typeof FEATURES;

/** The revisions with a handshake, newest first. */
export const HANDSHAKE_REVISIONS: readonly Revision[] = REVISIONS.filter((revision) =>
	hasFeature(revision, "handshake"),
).reverse();

/** Whether the revision has it; one that is not known here has what the newest with a handshake has. */
export function hasFeature(revision: string, feature: Feature): boolean {
	const spoken = isRevision(revision) ? revision : LEGACY_REVISION;
	const { from, to }: Life = FEATURES[feature];
	// Revisions are dates, so their text sorts as they followed one another.
	return (from === undefined || spoken >= from) && (to === undefined || spoken <= to);
}

/** The revision that answers a handshake: the one that was asked for, or the newest if that is not known. */
export function revisionFor(asked: unknown): Revision {
	return HANDSHAKE_REVISIONS.find((revision) => revision === asked) ?? LEGACY_REVISION;
}

function isRevision(text: string): text is Revision {
	return REVISIONS.some((revision) => revision === text);
}
