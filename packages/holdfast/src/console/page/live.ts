import { type Signal, signal } from "@preact/signals";
import { createParser } from "eventsource-parser";
import { locked, request } from "./api.ts";
import type { Entry, IndexJob } from "./model.ts";

/** The state of the page's connection to the server. */
export const connection = signal<"connecting" | "open" | "lost" | "locked">("connecting");
/** Incremented whenever loaded data may be out of date; nothing is loaded while it is 0. */
export const epoch = signal(0);
export const serversChanged = signal(0);
export const toolsChanged = signal(0);
export const callsChanged = signal(0);
export const entriesChanged = signal(0);
/** What this page was loaded from, and what answers it now, where that is another version. */
export const upgrade = signal<{ readonly from: string; readonly to: string } | undefined>(undefined);
export const indexJob = signal<IndexJob | undefined>(undefined);

const entryListeners = new Set<(entry: Entry) => void>();
const FIRST_WAIT_MS = 400;
const LAST_WAIT_MS = 5_000;
const CHANGES_PAUSE_MS = 300;
/** The server says something every fifteen seconds; one that does not is away, even if its connection is not closed. */
const SILENCE_MS = 40_000;
/**
 * What is loaded before the stream begins must be loaded again, since it may lack an event. So the page waits for the
 * stream: long enough for a far or busy server, and not for ever where a proxy swallows it.
 */
const EVENTS_MS = 1_000;

export function onEntry(listener: (entry: Entry) => void): () => void {
	entryListeners.add(listener);
	return () => entryListeners.delete(listener);
}

/**
 * Listens for as long as the page is in sight, and connects again whenever the stream ends. Browsers open six connections
 * to a server: were those taken by pages that nobody looks at, the next would wait for ever.
 */
export function startLive(): void {
	const load = (): void => {
		if (epoch.value === 0) epoch.value = 1;
	};
	setTimeout(load, EVENTS_MS);
	void (async () => {
		for (let wait = FIRST_WAIT_MS; ; wait = Math.min(LAST_WAIT_MS, wait * 1.6)) {
			if (!document.hidden && (await listen().catch(() => false))) wait = FIRST_WAIT_MS;
			connection.value = locked.value ? "locked" : document.hidden ? "connecting" : "lost";
			load();
			// Without a token, or somebody who looks, there is nothing to try.
			await pause(locked.value || document.hidden ? undefined : wait);
		}
	})();
}

/** Resolves with whether anything came before the stream ended. */
async function listen(): Promise<boolean> {
	const stop = new AbortController();
	const leave = (): void => {
		if (document.hidden) stop.abort();
	};
	let silence: ReturnType<typeof setTimeout> | undefined;
	const heard = (): void => {
		clearTimeout(silence);
		silence = setTimeout(() => stop.abort(), SILENCE_MS);
	};
	document.addEventListener("visibilitychange", leave);
	heard();
	try {
		const response = await request("/api/events", { signal: stop.signal });
		if (response.body === null) return false;
		await read(response.body, heard).catch(() => {});
		return true;
	} finally {
		clearTimeout(silence);
		document.removeEventListener("visibilitychange", leave);
	}
}

async function read(body: NonNullable<Response["body"]>, heard: () => void): Promise<void> {
	const parser = createParser({ onEvent: ({ event, data }) => take(event ?? "", data) });
	const reader = body.pipeThrough(new TextDecoderStream()).getReader();
	for (;;) {
		const { done, value } = await reader.read();
		if (done) return;
		heard();
		parser.feed(value);
	}
}

function take(event: string, data: string): void {
	switch (event) {
		case "hello":
			connection.value = "open";
			// What was running may have ended unheard, or with the process that did it.
			indexJob.value = undefined;
			compareVersions(JSON.parse(data));
			epoch.value++;
			return;
		case "servers":
			serversChanged.value++;
			return;
		case "tools":
			toolsChanged.value++;
			return;
		case "entry": {
			const entry: Entry = JSON.parse(data);
			for (const listener of entryListeners) listener(entry);
			entryChanged();
			return;
		}
		case "call":
			callChanged();
			return;
		case "index":
			indexJob.value = JSON.parse(data);
	}
}

let ownVersion: string | undefined;

function compareVersions({ version: to }: { readonly version?: string }): void {
	const from = ownVersion ?? to;
	ownVersion = from;
	upgrade.value = from === undefined || to === undefined || from === to ? undefined : { from, to };
}

const callChanged = nowAndThen(callsChanged);
const entryChanged = nowAndThen(entriesChanged);

/** Limits how often views reload when many things change. */
function nowAndThen(changed: Signal<number>): () => void {
	let isWaiting = false;
	return () => {
		if (isWaiting) return;
		isWaiting = true;
		setTimeout(() => {
			isWaiting = false;
			changed.value++;
		}, CHANGES_PAUSE_MS);
	};
}

/** Waits for a new token, for the page to become visible again, or for `ms` if given. */
function pause(ms: number | undefined): Promise<void> {
	return new Promise((resolve) => {
		const end = (): void => {
			clearTimeout(timer);
			document.removeEventListener("visibilitychange", end);
			unsubscribe();
			resolve();
		};
		const timer = ms === undefined ? undefined : setTimeout(end, ms);
		document.addEventListener("visibilitychange", end);
		let first = true;
		const unsubscribe = locked.subscribe((now) => {
			if (!first && !now) queueMicrotask(end);
			first = false;
		});
	});
}
