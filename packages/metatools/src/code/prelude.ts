/** Sends a message (a kind and JSON text) from the guest to the host. Returns "", or the reason for a refusal as JSON. */
export type HostFunction = (kind: string, text: string) => string;

export type GuestControls = {
	start(main: (watched: <Value>(value: Value) => Value) => unknown): void;
	settle(id: number, ok: boolean, text: string): void;
};

/**
 * Builds `tools`, `console` and `progress` inside the guest. Its source text is what travels, so it may use nothing of
 * this module. It keeps its own references to what it needs, but isolation never rests on it: code that breaks it can
 * only send what the host checks anyway.
 */
export function prelude(host: HostFunction, seed: number | null): GuestControls {
	type Pending = { resolve(value: unknown): void; fail(failure: Failure): void };
	type Failure = { code?: string; message?: string; [key: string]: unknown };
	const { parse } = JSON;
	const stringify: (value: unknown, replace?: (key: string, value: unknown) => unknown) => string | undefined =
		JSON.stringify;
	const { defineProperty, assign, create, fromEntries } = Object;
	const { toPrimitive } = Symbol;
	const { from, isArray } = Array;
	const { apply } = Reflect;
	const { then } = Promise.prototype;
	const GuestPromise = Promise;
	const GuestError = Error;
	const GuestMap = Map;
	const GuestSet = Set;
	const GuestProxy = Proxy;
	const GuestRegExp = RegExp;
	const { isView } = ArrayBuffer;
	// Replaces the global `Iterator`, which not every engine has.
	const GuestIterator = assign(() => {}, { prototype: Object.getPrototypeOf(Object.getPrototypeOf([].values())) });
	const text = String;
	const pending: Record<number, Pending | undefined> = create(null);
	const MOST_BEHIND = 5;
	const MOST_LOST = 5;
	const MOST_FRAMES = 10;
	/** Turns of the job queue in which a promise may still fail after the code has ended. */
	const LAST_TURNS = 100;
	let lost = 0;
	let isEnding = false;
	let lastId = 0;

	/** Fills in an error that was created at the call, so that its stack has the line of the call. */
	const toolError = (error: Error, failure: Failure): Error => {
		assign(error, failure);
		defineProperty(error, "name", { value: "ToolError", configurable: true, writable: true });
		return error;
	};
	const UNAWAITED = "a promise that was not awaited";
	/** Converts values that JSON would silently turn into `{}`. */
	const plain = (value: unknown): unknown => {
		if (typeof value !== "object" || value === null) return value;
		if (value instanceof GuestMap) return fromEntries(value);
		if (value instanceof GuestSet) return from(value);
		if (value instanceof GuestError) return assign({ name: value.name, message: value.message }, value);
		if (value instanceof GuestRegExp) return text(value);
		return isView(value) && "length" in value ? from(value as unknown as ArrayLike<unknown>) : value;
	};
	const isIterator = (value: unknown): value is Iterable<unknown> => value instanceof GuestIterator;
	/** For printing: never throws, and does not consume an iterator. */
	const printable = (_key: string, value: unknown): unknown => {
		if (typeof value === "bigint") return text(value);
		if (isIterator(value)) return "[an iterator that was not spread]";
		return value instanceof GuestPromise ? `[${UNAWAITED}]` : plain(value);
	};
	const sendable = (_key: string, value: unknown): unknown => {
		if (value instanceof GuestPromise) throw new GuestError(UNAWAITED);
		return isIterator(value) ? from(value) : plain(value);
	};
	/** How many arguments a call was given from this one on; those that `map` adds do not count. */
	const countFrom = (first: number, given: readonly unknown[]): number => {
		const [item, index, list] = given;
		if (given.length === 3 && isArray(list) && list[index as number] === item) return 1;
		let end = given.length;
		while (end > first + 1 && given[end - 1] === undefined) end -= 1;
		return end - first;
	};
	const invoke = (op: string, target: unknown, args: unknown, count: number = 1): Promise<unknown> =>
		new GuestPromise((resolve, reject) => {
			// Code that has ended calls nothing any more.
			if (isEnding) return;
			lastId += 1;
			const id = lastId;
			const error = new GuestError("");
			const fail = (failure: Failure): void => reject(toolError(error, failure));
			// Serialising first: a getter or toJSON that calls a tool itself must not find a half-made entry.
			const payload = stringify({ id, op, target, args, ...(count > 1 && { count }) }, sendable) ?? "";
			pending[id] = { resolve, fail };
			// If the call is too long, send it again without its arguments, so that it is recorded.
			const refusal =
				host("call", payload) && host("call", stringify({ id, op, target, unsent: payload.length }, sendable) ?? "");
			if (refusal === "") return;
			delete pending[id];
			fail(parse(refusal));
		});
	// JavaScript itself reads these when it awaits, serialises or prints, so they are never tools.
	const isProtocol = (key: string | symbol): key is symbol | "then" | "toJSON" =>
		typeof key === "symbol" || key === "then" || key === "toJSON";
	const protocol = (key: string | symbol): unknown =>
		key === toPrimitive || key === "toJSON" ? () => "[tools]" : undefined;
	// An empty list would suggest that there are no tools.
	const ownKeys = (): never => {
		throw new GuestError("tools cannot be listed; await tools.search(query) finds them");
	};
	const pathProxy = (path: readonly string[]): object =>
		new GuestProxy(() => {}, {
			ownKeys,
			get: (_target, key) => (isProtocol(key) ? protocol(key) : pathProxy([...path, key])),
			apply: (_target, _self, given) => invoke("path", path, given[0] ?? {}, countFrom(0, given)),
		});
	const reserved: Record<string, unknown> = assign(create(null), {
		call: (...given: unknown[]) => invoke("call", given[0], given[1] ?? {}, countFrom(1, given)),
		search: (query: unknown, limit: unknown) => invoke("search", query, limit ?? null),
		describe: (id: unknown) => invoke("describe", id, null),
	});
	const tools = new GuestProxy(create(null), {
		get: (_target, key) => (isProtocol(key) ? protocol(key) : (reserved[key] ?? pathProxy([key]))),
		has: () => true,
		ownKeys,
	});

	/** An error with its way through the code: no frames of ours, and no columns, which count what was added to a line. */
	const traced = (error: Error): string => {
		let told = text(error);
		let frames = 0;
		for (const line of text(error.stack ?? "").split("\n")) {
			const [, place, end] = /^ +at (.*code\.js:\d+):\d+(\)?)$/.exec(line) ?? [];
			if (place !== undefined && frames++ < MOST_FRAMES) told += `\n    at ${place}${end}`;
		}
		return told;
	};
	const shown = (value: unknown): string => {
		if (typeof value === "string") return value;
		try {
			if (value instanceof GuestError) return traced(value);
			if (typeof value === "object" && value !== null) return stringify(value, printable) ?? text(value);
			return text(value);
		} catch {
			return "[a value that cannot be shown]";
		}
	};
	const printer =
		(stream: string) =>
		(...values: unknown[]): void => {
			let line = "";
			for (let at = 0; at < values.length; at += 1) line += `${at === 0 ? "" : " "}${shown(values[at])}`;
			// As JSON, because a plain string would end at its first zero character on the way out.
			host(stream, stringify(`${line}\n`) ?? "");
		};
	const out = printer("stdout");
	const err = printer("stderr");
	const silent = (): void => {};
	const assertion = (condition: unknown, ...values: unknown[]): void => {
		if (!condition) err("Assertion failed:", ...values);
	};
	const console = {
		...{ log: out, info: out, debug: out, dir: out, table: out, warn: err, error: err, trace: err, assert: assertion },
		...{ group: out, groupCollapsed: out, groupEnd: silent, count: silent, countReset: silent, clear: silent },
		...{ time: silent, timeEnd: silent, timeLog: silent },
	};
	const setTimeout = (run: (...args: unknown[]) => unknown, ms?: unknown, ...args: unknown[]): number => {
		lastId += 1;
		const id = lastId;
		const refusal = host("sleep", stringify({ id, ms }) ?? "");
		if (refusal !== "") throw toolError(new GuestError(""), parse(refusal));
		pending[id] = { resolve: () => run(...args), fail: silent };
		return id;
	};
	const clearTimeout = (id: number): void => {
		delete pending[id];
	};
	const progress = (value: unknown, total?: unknown, message?: unknown): void => {
		host("progress", stringify({ progress: value, total, message }) ?? "");
	};
	// A child process has timers of its own.
	const timers = typeof globalThis.setTimeout === "function" ? {} : { setTimeout, clearTimeout };
	const globals: Record<string, unknown> = { tools, console, progress, ...timers };
	for (const name in globals)
		defineProperty(globalThis, name, { value: globals[name], configurable: true, writable: true });

	if (seed !== null) {
		let state = seed >>> 0;
		Math.random = () => {
			state = (state + 0x6d2b79f5) >>> 0;
			let mixed = Math.imul(state ^ (state >>> 15), state | 1);
			mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
			return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
		};
	}

	/** The message of an error with those of its cause and inner errors, without which it may say nothing. */
	const words = (error: Error, depth: number): string => {
		const behind: unknown[] = "errors" in error && isArray(error.errors) ? from(error.errors) : [];
		if (error.cause !== undefined) behind.push(error.cause);
		let said = text(error.message);
		for (let at = 0; at < behind.length && at < MOST_BEHIND && depth < MOST_BEHIND; at += 1) {
			const inner = behind[at];
			const told = inner instanceof GuestError ? `${inner.name}: ${words(inner, depth + 1)}` : shown(inner);
			said += `${said === "" ? "" : "; "}because of ${told}`;
		}
		return said;
	};
	const failure = (thrown: unknown): string => {
		try {
			const isError = thrown instanceof GuestError;
			const parts = {
				name: isError ? text(thrown.name) : typeof thrown,
				message: isError ? words(thrown, 0) : shown(thrown),
				stack: isError ? text(thrown.stack) : "",
				...(isError && "tool_id" in thrown && { tool_id: text(thrown.tool_id) }),
			};
			return stringify(parts) ?? "";
		} catch {
			return '{"name":"Error","message":"the thrown value cannot be shown","stack":""}';
		}
	};

	/** Reports the failure of a promise that the code discards, or of those that a function returns to nobody. */
	const watched = (value: unknown): unknown => {
		if (typeof value === "function")
			return function (this: unknown, ...args: unknown[]): unknown {
				return watched(apply(value, this, args));
			};
		if (value instanceof GuestPromise)
			apply(then, value, [
				undefined,
				(thrown: unknown) => {
					lost += 1;
					if (lost <= MOST_LOST) host("lost", failure(thrown));
				},
			]);
		return value;
	};
	/** How the code ended, as a message. */
	const endingOf = async (main: Parameters<GuestControls["start"]>[0]): Promise<readonly [string, string]> => {
		let value: unknown;
		try {
			value = await main((given) => watched(given) as typeof given);
		} catch (thrown) {
			return ["fail", failure(thrown)];
		}
		try {
			if (typeof value === "function") throw new GuestError("a function that was not called");
			return ["done", stringify(value, sendable) ?? "null"];
		} catch (thrown) {
			return ["unsendable", failure(thrown)];
		}
	};

	return {
		start: async (main) => {
			const [kind, json] = await endingOf(main);
			isEnding = true;
			for (let turn = 0; turn < LAST_TURNS; turn += 1) await undefined;
			host(kind, json);
		},
		settle: (id, ok, reply) => {
			const waiting = pending[id];
			if (waiting === undefined) return;
			delete pending[id];
			if (ok) waiting.resolve(parse(reply));
			else waiting.fail(parse(reply));
		},
	};
}
