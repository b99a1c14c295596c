import { signal } from "@preact/signals";
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
export const indexJob = signal<IndexJob | undefined>(undefined);

const entryListeners = new Set<(entry: Entry) => void>();
const FIRST_WAIT_MS = 400;
const LAST_WAIT_MS = 5_000;
const CALLS_PAUSE_MS = 300;
/**
 * What is loaded before the stream begins must be loaded again, since it may lack an event. So the page waits for the
 * stream: long enough for a far or busy server, and not for ever where a proxy swallows it.
 */
const EVENTS_MS = 1_000;

export function onEntry(listener: (entry: Entry) => void): () => void {
	entryListeners.add(listener);
	return () => entryListeners.delete(listener);
}

/** Listens for as long as the page is open, and connects again whenever the stream ends. */
export function startLive(): void {
	const load = (): void => {
		if (epoch.value === 0) epoch.value = 1;
	};
	setTimeout(load, EVENTS_MS);
	void (async () => {
		for (let wait = FIRST_WAIT_MS; ; wait = Math.min(LAST_WAIT_MS, wait * 1.6)) {
			if (await listen().catch(() => false)) wait = FIRST_WAIT_MS;
			connection.value = locked.value ? "locked" : "lost";
			load();
			// Without a token there is nothing to try.
			await pause(locked.value ? undefined : wait);
		}
	})();
}

/** Resolves with whether anything came before the stream ended. */
async function listen(): Promise<boolean> {
	const response = await request("/api/events", {});
	const parser = createParser({ onEvent: ({ event, data }) => take(event ?? "", data) });
	const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
	if (reader === undefined) return false;
	try {
		for (;;) {
			const { done, value } = await reader.read();
			if (done) return true;
			parser.feed(value);
		}
	} catch {
		return true;
	}
}

function take(event: string, data: string): void {
	switch (event) {
		case "hello":
			connection.value = "open";
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
			return;
		}
		case "call":
			callChanged();
			return;
		case "index":
			indexJob.value = JSON.parse(data);
	}
}

let isCallWaiting = false;

/** One began or ended; limits how often views reload when many do. */
function callChanged(): void {
	if (isCallWaiting) return;
	isCallWaiting = true;
	setTimeout(() => {
		isCallWaiting = false;
		callsChanged.value++;
	}, CALLS_PAUSE_MS);
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
