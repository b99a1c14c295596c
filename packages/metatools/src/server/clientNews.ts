import type { JsonObject } from "../contract/json.ts";

/** Is told a notification's method and parameters. */
export type NewsListener = (method: string, params?: JsonObject) => void;

type Kind = "tools" | "prompts" | "resources";

/** What clients are told outside of any request: changed lists, once for each burst of changes, and the rest at once. */
export class ClientNews {
	readonly #isWanted: () => boolean;
	readonly #listListeners = new Set<() => void>();
	readonly #newsListeners = new Set<NewsListener>();
	readonly #accessListeners = new Set<() => void>();
	readonly #lists: Readonly<Record<Kind, Debouncer>>;

	/** `isWanted`: whether the configuration says to tell of changed lists. */
	constructor(quietMs: number, isWanted: () => boolean) {
		this.#isWanted = isWanted;
		const changed = (kind: "prompts" | "resources") => () => this.tell(`notifications/${kind}/list_changed`);
		this.#lists = {
			tools: new Debouncer(quietMs, () => {
				for (const listener of this.#listListeners) listener();
			}),
			prompts: new Debouncer(quietMs, changed("prompts")),
			resources: new Debouncer(quietMs, changed("resources")),
		};
	}

	/** Each of these returns what ends the listening. */
	onList(listener: () => void): () => void {
		return listen(this.#listListeners, listener);
	}

	onAccess(listener: () => void): () => void {
		return listen(this.#accessListeners, listener);
	}

	onNews(listener: NewsListener): () => void {
		return listen(this.#newsListeners, listener);
	}

	announceList(kind: Kind): void {
		if (this.#isWanted()) this.#lists[kind].trigger();
	}

	/** Tells that rules or approvals have changed what clients may see. */
	announceAccess(): void {
		if (!this.#isWanted()) return;
		for (const list of Object.values(this.#lists)) list.trigger();
		for (const listener of this.#accessListeners) listener();
	}

	tell(method: string, params?: JsonObject): void {
		for (const listener of this.#newsListeners) listener(method, params);
	}

	stop(): void {
		for (const list of Object.values(this.#lists)) list.stop();
		for (const listeners of [this.#listListeners, this.#newsListeners, this.#accessListeners]) listeners.clear();
	}
}

function listen<Listener>(listeners: Set<Listener>, listener: Listener): () => void {
	listeners.add(listener);
	return () => listeners.delete(listener);
}

/** Under constant change, call anyway after this many quiet times. */
const MOST_DELAYS = 10;

/** Turns a burst of changes into one call, once it has been quiet for a while or has lasted too long. */
export class Debouncer {
	readonly #delayMs: number;
	readonly #notify: () => void;
	#timer: NodeJS.Timeout | undefined;
	#latest: number | undefined;

	constructor(delayMs: number, notify: () => void) {
		this.#delayMs = delayMs;
		this.#notify = notify;
	}

	trigger(): void {
		this.#latest ??= Date.now() + MOST_DELAYS * this.#delayMs;
		clearTimeout(this.#timer);
		this.#timer = setTimeout(
			() => {
				this.#latest = undefined;
				this.#notify();
			},
			Math.min(this.#delayMs, Math.max(0, this.#latest - Date.now())),
		).unref();
	}

	stop(): void {
		clearTimeout(this.#timer);
	}
}
