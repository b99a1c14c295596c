import { type Signal, signal } from "@preact/signals";
import { createParser } from "eventsource-parser";
import type { EventData } from "../../api/answers.ts";
import { locked, request } from "./api.ts";

/** The state of the page's connection to the server. */
export const connection = signal<"connecting" | "open" | "lost" | "locked">("connecting");
/** Incremented whenever loaded data may be out of date; nothing is loaded while it is 0. */
export const epoch = signal(0);
export const serversChanged = signal(0);
export const toolsChanged = signal(0);
export const callsChanged = signal(0);
export const entriesChanged = signal(0);
/** Set while the server runs another version than the one that this page was loaded from. */
export const upgrade = signal<{ readonly from: string; readonly to: string } | undefined>(undefined);
export const indexJob = signal<EventData["index"] | undefined>(undefined);

const entryListeners = new Set<(entry: EventData["entry"]) => void>();
const FIRST_WAIT_MS = 400;
const LAST_WAIT_MS = 5_000;
const CHANGES_PAUSE_MS = 300;
/** The server sends something every 15 seconds; after this silence it is gone, even if the connection is still open. */
const SILENCE_MS = 40_000;
/**
 * Data loaded before the stream opens may miss an event and must be loaded again, so the page waits for the stream. The
 * wait suits a distant or busy server, and ends because a proxy may hold the stream back.
 */
const EVENTS_MS = 1_000;
/** How often a page polls if it may not keep its stream open. */
const LOOK_MS = 3_000;

export function onEntry(listener: (entry: EventData["entry"]) => void): () => void {
	entryListeners.add(listener);
	return () => entryListeners.delete(listener);
}

/** Listens while the page is visible, and reconnects whenever the stream ends. */
export function startLive(): void {
	const load = (): void => {
		if (epoch.value === 0) epoch.value = 1;
	};
	setTimeout(load, EVENTS_MS);
	void (async () => {
		for (let wait = FIRST_WAIT_MS; ; wait = Math.min(LAST_WAIT_MS, wait * 1.6)) {
			const how = document.hidden ? "unheard" : await takeSeat(listen).catch(() => "unheard" as const);
			if (how !== "unheard") wait = FIRST_WAIT_MS;
			connection.value = stateAfter(how);
			load();
			await pause(waitAfter(how, wait));
		}
	})();
}

/** How listening ended: no stream opened, the stream broke off, or the page closed it after the first event. */
type Listened = "unheard" | "ended" | "looked";

function stateAfter(how: Listened): typeof connection.value {
	if (locked.value) return "locked";
	if (document.hidden) return "connecting";
	return how === "looked" ? "open" : "lost";
}

/** Retrying is pointless while the page is hidden; a server that asks for a token may stop doing so. */
function waitAfter(how: Listened, wait: number): number | undefined {
	if (document.hidden) return undefined;
	if (locked.value) return LAST_WAIT_MS;
	return how === "looked" ? LOOK_MS : wait;
}

async function listen(mayStay: boolean): Promise<Listened> {
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
		if (response.body === null) return "unheard";
		return await read(response.body, heard, mayStay).catch(() => "ended" as const);
	} finally {
		clearTimeout(silence);
		stop.abort();
		document.removeEventListener("visibilitychange", leave);
	}
}

async function read(
	body: NonNullable<Response["body"]>,
	heard: () => void,
	mayStay: boolean,
): Promise<Exclude<Listened, "unheard">> {
	let hasBegun = false;
	const parser = createParser({
		onEvent: ({ event, data }) => {
			take(event ?? "", data);
			hasBegun = true;
		},
	});
	const reader = body.pipeThrough(new TextDecoderStream()).getReader();
	while (mayStay || !hasBegun) {
		const { done, value } = await reader.read();
		if (done) return "ended";
		heard();
		parser.feed(value);
	}
	return "looked";
}

function take(event: string, data: string): void {
	switch (event) {
		case "hello":
			connection.value = "open";
			// A rebuild may have ended while the page was disconnected.
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
			const entry: EventData["entry"] = JSON.parse(data);
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

function compareVersions({ version: to }: EventData["hello"]): void {
	const from = ownVersion ?? to;
	ownVersion = from;
	upgrade.value = from === to ? undefined : { from, to };
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

/** Browsers open six connections per server. This many pages may keep one for events; the rest are for requests. */
const SEATS = 3;

/**
 * Tells `work` whether it may keep a connection open, which it may not once all seats are taken. Over plain HTTP from
 * another machine, browsers offer no locks, so every page may.
 */
async function takeSeat<Result>(work: (mayStay: boolean) => Promise<Result>): Promise<Result> {
	if (!window.isSecureContext) return work(true);
	for (let seat = 0; seat < SEATS; seat++) {
		const taken = await navigator.locks.request(
			`holdfast.events.${seat}`,
			{ ifAvailable: true },
			async (lock) => lock && { result: await work(true) },
		);
		if (taken !== null) return taken.result;
	}
	return work(false);
}
