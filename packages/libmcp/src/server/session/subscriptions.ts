import { type RequestId, toJsonId } from "../../wire/requestId.ts";
import { notificationText, type Outlet, resultAnswer } from "../protocol/outlet.ts";
import { isRecord, META } from "../protocol/protocol.ts";
import { protocolError } from "../protocol/rpcErrors.ts";
import type { ServerDescription, ServerInfo } from "../protocol/serverDescription.ts";

type Filter = {
	toolsListChanged?: true;
	promptsListChanged?: true;
	resourcesListChanged?: true;
	resourceSubscriptions?: readonly string[];
};

type Subscription = {
	readonly id: RequestId;
	readonly filter: Filter;
	readonly outlet: Outlet;
	readonly info: ServerInfo;
};

const MOST_SUBSCRIPTIONS = 1_024;
const MOST_URIS = 1_000;
const MOST_URI_LENGTH = 8_192;
/** Limit on the URIs of all open subscriptions together, since clients may keep them open forever. */
const MOST_KEPT_LENGTH = 16 * 1024 * 1024;

/** The open `subscriptions/listen` requests of clients without a handshake. */
export class Subscriptions {
	readonly #open = new Set<Subscription>();
	#keptLength = 0;
	readonly #onWatch: (uris: ReadonlySet<string>) => void;

	/** `onWatch` gets the set of watched resources whenever that set changes. */
	constructor(onWatch: (uris: ReadonlySet<string>) => void = () => {}) {
		this.#onWatch = onWatch;
	}

	/** Acknowledges the part of the request that the server can deliver. The result ends it without an answer. */
	listen(id: RequestId, params: unknown, description: ServerDescription, outlet: Outlet): () => void {
		if (this.#open.size >= MOST_SUBSCRIPTIONS) {
			throw protocolError("SUBSCRIPTION_LIMIT", `at most ${MOST_SUBSCRIPTIONS} subscriptions may be open`);
		}
		const filter = deliverableFilter(params, description.capabilities);
		if (this.#keptLength + lengthOf(filter) > MOST_KEPT_LENGTH) {
			throw protocolError(
				"SUBSCRIPTION_LIMIT",
				`all subscribed URIs together may have at most ${MOST_KEPT_LENGTH} characters`,
			);
		}
		const subscription = { id, filter, outlet, info: description.info };
		outlet.emit(notificationFor(subscription, "notifications/subscriptions/acknowledged", { notifications: filter }));
		// Nothing could ever be delivered, so the request is complete.
		if (Object.keys(filter).length === 0) this.#complete(subscription);
		else {
			this.#open.add(subscription);
			this.#keptLength += lengthOf(filter);
			this.#watched(subscription);
		}
		return () => {
			if (!this.#open.delete(subscription)) return;
			this.#keptLength -= lengthOf(filter);
			outlet.finish(undefined);
			this.#watched(subscription);
		};
	}

	publish(method: string, params?: Record<string, unknown>): void {
		for (const subscription of this.#open) {
			if (accepts(subscription.filter, method, params))
				subscription.outlet.emit(notificationFor(subscription, method, params));
		}
	}

	/** The server is stopping: every subscription gets its result. */
	end(): void {
		for (const subscription of this.#open) this.#complete(subscription);
		this.#open.clear();
		this.#keptLength = 0;
	}

	#watched({ filter }: Subscription): void {
		if (filter.resourceSubscriptions === undefined) return;
		this.#onWatch(new Set([...this.#open].flatMap((open) => open.filter.resourceSubscriptions ?? [])));
	}

	#complete({ id, info, outlet }: Subscription): void {
		const meta = { [META.subscriptionId]: toJsonId(id), [META.serverInfo]: info };
		outlet.finish(resultAnswer(id, { resultType: "complete", _meta: meta }));
	}
}

const CHANGES = {
	"notifications/tools/list_changed": ["toolsListChanged", "tools"],
	"notifications/prompts/list_changed": ["promptsListChanged", "prompts"],
	"notifications/resources/list_changed": ["resourcesListChanged", "resources"],
} as const;

function isChange(method: string): method is keyof typeof CHANGES {
	return Object.hasOwn(CHANGES, method);
}

function deliverableFilter(params: unknown, capabilities: Readonly<Record<string, unknown>>): Filter {
	const asked = isRecord(params) ? params.notifications : undefined;
	if (!isRecord(asked)) {
		throw protocolError("INVALID_PARAMS", `params.notifications: expected an object, got ${typeof asked}`);
	}
	const filter: Filter = {};
	for (const [key, capability] of Object.values(CHANGES)) {
		const wanted = asked[key];
		if (wanted !== undefined && typeof wanted !== "boolean") {
			throw protocolError("INVALID_PARAMS", `params.notifications.${key}: expected a boolean, got ${typeof wanted}`);
		}
		const offered = capabilities[capability];
		if (wanted === true && isRecord(offered) && offered.listChanged === true) filter[key] = true;
	}
	const uris = asked.resourceSubscriptions;
	if (uris === undefined) return filter;
	if (!Array.isArray(uris) || uris.length > MOST_URIS || !uris.every(isUri)) {
		throw protocolError(
			"INVALID_PARAMS",
			`params.notifications.resourceSubscriptions: expected at most ${MOST_URIS} strings of at most ${MOST_URI_LENGTH} characters`,
		);
	}
	const resources = capabilities.resources;
	if (uris.length > 0 && isRecord(resources) && resources.subscribe === true) filter.resourceSubscriptions = uris;
	return filter;
}

function isUri(uri: unknown): uri is string {
	return typeof uri === "string" && uri.length <= MOST_URI_LENGTH;
}

function lengthOf({ resourceSubscriptions = [] }: Filter): number {
	return resourceSubscriptions.reduce((length, uri) => length + uri.length, 0);
}

function accepts(filter: Filter, method: string, params: Record<string, unknown> | undefined): boolean {
	if (isChange(method)) return filter[CHANGES[method][0]] === true;
	if (method !== "notifications/resources/updated") return false;
	const uri = params?.uri;
	return typeof uri === "string" && filter.resourceSubscriptions?.includes(uri) === true;
}

function notificationFor(subscription: Subscription, method: string, params: Record<string, unknown> = {}): string {
	const meta = params._meta;
	const id = toJsonId(subscription.id);
	return notificationText(method, {
		...params,
		_meta: { ...(isRecord(meta) ? meta : {}), [META.subscriptionId]: id },
	});
}
