/** What one attempt must come to: a value it returns, or the reason its run failed for. */
export type EscapeAttempt = {
	readonly tries: string;
	readonly code: string;
	readonly value?: unknown;
	/** Several where machines differ in which wall is met first. */
	readonly reason?: readonly string[];
};

const BOMB = ["memory", "deadline", "exception", "stack"] as const;
const names = (list: string): string => `[${list}].filter((name) => name !== "undefined")`;

const ambient: readonly EscapeAttempt[] = [
	{
		tries: "to find a host global",
		code: names(
			"typeof process, typeof require, typeof module, typeof fetch, typeof WebAssembly, typeof Deno, typeof Bun, typeof Buffer, typeof global, typeof window, typeof self",
		),
		value: [],
	},
	{
		tries: "to find a host global by way of the global object",
		code: "['process', 'require', 'std', 'os', 'scriptArgs', 'print', 'load', 'navigator', 'performance', 'host'].filter((n) => n in globalThis)",
		value: [],
	},
	{ tries: "timers of the host", code: names("typeof setInterval, typeof setImmediate"), value: [] },
	{
		tries: "the host by way of a timer",
		code: "typeof setTimeout(() => {}, 1) + setTimeout.constructor('return typeof process')()",
		value: "numberundefined",
	},
	{
		tries: "shared memory and threads",
		code: names("typeof SharedArrayBuffer, typeof Atomics, typeof Worker"),
		value: [],
	},
	{
		tries: "shared memory through a subclass of ArrayBuffer",
		code: "Object.getOwnPropertyNames(globalThis).filter((n) => /Shared|Atomic/.test(n))",
		value: [],
	},
	{
		tries: "dynamic import of a built-in",
		code: "await import('node:fs').then(() => 'loaded', () => 'refused')",
		value: "refused",
	},
	{
		tries: "dynamic import of std",
		code: "await import('std').then(() => 'loaded', () => 'refused')",
		value: "refused",
	},
	{
		tries: "dynamic import of a file",
		code: "await import('file:///etc/passwd').then(() => 'loaded', () => 'refused')",
		value: "refused",
	},
	{
		tries: "dynamic import of a data URL",
		code: "await import('data:text/javascript,export default 1').then(() => 'loaded', () => 'refused')",
		value: "refused",
	},
	{ tries: "a static import", code: "import fs from 'node:fs';\nfs", reason: ["syntax"] },
	{ tries: "import.meta", code: "import.meta.url", reason: ["syntax"] },
	{
		tries: "a clock finer than a millisecond",
		code: "const s = new Set(); for (let i = 0; i < 2000; i++) s.add(Date.now() % 1); [...s]",
		value: [0],
	},
	{ tries: "the caller's arguments", code: "typeof arguments", value: "undefined" },
	{ tries: "a wrapper's own this", code: "this === globalThis || this === undefined", value: true },
];

const chains: readonly EscapeAttempt[] = [
	{ tries: "the function constructor", code: "Function('return typeof process')()", value: "undefined" },
	{
		tries: "the constructor chain of a tool",
		code: "tools.call.constructor('return typeof process')()",
		value: "undefined",
	},
	{
		tries: "the constructor chain of console",
		code: "console.log.constructor('return typeof require')()",
		value: "undefined",
	},
	{
		tries: "the constructor chain of progress",
		code: "progress.constructor.constructor('return typeof process')()",
		value: "undefined",
	},
	{
		tries: "the constructor chain of a result",
		code: "(await tools.ping()).constructor.constructor('return typeof process')()",
		value: "undefined",
	},
	{
		tries: "the constructor chain of a tool's error",
		code: "await tools.test.fail().catch((e) => e.constructor.constructor('return typeof process')())",
		value: "undefined",
	},
	{
		tries: "the constructor chain of a tool's promise",
		code: "tools.ping().constructor.constructor('return typeof process')()",
		value: "undefined",
	},
	{
		tries: "the async function constructor",
		code: "await (async () => {}).constructor('return typeof process')()",
		value: "undefined",
	},
	{
		tries: "the generator constructor",
		code: "(function* () {}).constructor('yield typeof process')().next().value",
		value: "undefined",
	},
	{ tries: "indirect eval", code: "(0, eval)('typeof process')", value: "undefined" },
	{
		tries: "an error's stack frames",
		code: "Error.prepareStackTrace = (e, frames) => frames; const s = new Error('x').stack; typeof s === 'string' && !/node:|worker|file:/.test(s)",
		value: true,
	},
	{
		tries: "the callers of a function",
		code: "function f() { try { return typeof f.caller } catch { return 'refused' } } ['undefined', 'object', 'refused'].includes(f())",
		value: true,
	},
	{
		tries: "the stack of a tool's error",
		code: "await tools.test.crash().catch((e) => /secret|node_modules|packages/.test(e.stack + e.message))",
		value: false,
	},
	{
		tries: "the source of a bridge function",
		code: "/native|=>|function/.test(Function.prototype.toString.call(tools.call))",
		value: true,
	},
];

const pollution: readonly EscapeAttempt[] = [
	{ tries: "to pollute Object.prototype", code: "Object.prototype.polluted = 1; 1", value: 1 },
	{
		tries: "to pollute by a tool's arguments",
		code: `(await tools.test.echo(JSON.parse('{"__proto__":{"polluted":1}}'))).args.polluted === undefined`,
		value: true,
	},
	{
		tries: "to be polluted by a tool's result",
		code: "await tools.test.hostile(); ({}).polluted === undefined",
		value: true,
	},
	{
		tries: "to pollute by the value",
		code: `JSON.parse('{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}')`,
		value: JSON.parse('{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}'),
	},
	{
		tries: "to catch the bridge by its JSON",
		code: "let seen = ''; JSON.stringify = (x) => { seen += typeof x; return '{}' }; JSON.parse = () => ({ forged: 1 }); [(await tools.ping()).id, seen]",
		value: ["ping", ""],
	},
	{
		tries: "to catch the bridge by Promise",
		code: "const P = Promise; globalThis.Promise = function () { throw 1 }; (await tools.ping()).id",
		value: "ping",
	},
	{
		tries: "to catch a result by Object.prototype.then",
		code: "Object.prototype.then = function (r) { delete Object.prototype.then; r('caught') }; await tools.ping()",
		value: "caught",
	},
	{
		tries: "to catch the bridge by Array.prototype",
		code: "for (const k of ['push', 'map', 'join', 'slice', 'concat']) Array.prototype[k] = () => { throw 'caught' }; (await tools.math.add({ a: 1, b: 1 })).sum",
		value: 2,
	},
	{
		tries: "to catch the bridge by a setter on Object.prototype",
		code: "let caught = 0; for (const k of ['resolve', 'reject', 'id', 'op', 'target', 'args']) Object.defineProperty(Object.prototype, k, { set() { caught++ }, get() { return undefined }, configurable: true }); await tools.ping(); caught",
		value: 0,
	},
	{
		tries: "to change a reserved tool",
		code: "try { tools.call = () => 'forged' } catch {} (await tools.call('ping')).id",
		value: "ping",
	},
	{
		tries: "to change what the next call of the same path means",
		code: "try { tools.math.add = () => 'forged' } catch {} (await tools.math.add({ a: 1, b: 1 })).sum",
		value: 2,
	},
	{ tries: "to replace console", code: "console.log = null; globalThis.console = 1; 'ok'", value: "ok" },
	{
		tries: "a tool named like a prototype member",
		code: "await tools.constructor.prototype({}).catch((e) => e.code)",
		value: "tool_not_found",
	},
	{
		tries: "a tool path of __proto__",
		code: "await tools.__proto__.__proto__({}).catch((e) => e.code)",
		value: "tool_not_found",
	},
	{
		tries: "an id with line breaks and signs",
		code: 'await tools.call(\'a\\n{"kind":"done"}:b\', {}).catch((e) => e.code)',
		value: "tool_not_found",
	},
];

const hostileValues: readonly EscapeAttempt[] = [
	{ tries: "a value with a getter that spins", code: "({ get a() { for (;;); } })", reason: ["deadline"] },
	{
		tries: "a value with a getter that throws",
		code: "({ get a() { throw new Error('got') } })",
		reason: ["value"],
	},
	{ tries: "a toJSON that spins", code: "({ toJSON() { for (;;); } })", reason: ["deadline"] },
	{ tries: "a toJSON that grows for ever", code: "function f() { return { toJSON: f } } f()", value: {} },
	{
		tries: "a toJSON for every object",
		code: "Object.prototype.toJSON = () => 1; await tools.call('math:add', { a: 1 })",
		reason: ["value"],
	},
	{
		tries: "a proxy as the value",
		code: "new Proxy({}, { ownKeys() { throw new Error('trapped') } })",
		reason: ["value"],
	},
	{
		tries: "an endless proxy as the value",
		code: "const p = new Proxy({}, { ownKeys: () => ['a'], getOwnPropertyDescriptor: () => ({ value: 1, enumerable: true, configurable: true }), get: (t, k) => (k === 'toJSON' ? undefined : p) }); p",
		reason: ["value", "stack", "exception", "memory", "deadline"],
	},
	{
		tries: "a thenable that never settles as the value",
		code: "({ then() {} })",
		reason: ["stalled"],
	},
	{ tries: "a thenable that spins", code: "({ then() { for (;;); } })", reason: ["deadline"] },
	{
		tries: "to throw an error with a hostile toString",
		code: "const e = new Error('x'); Object.defineProperty(e, 'message', { get() { throw e } }); throw e",
		reason: ["exception"],
	},
	{
		tries: "to throw an object whose toString spins",
		code: "throw { toString() { for (;;); }, toJSON() { for (;;); } }",
		reason: ["deadline"],
	},
	{ tries: "to throw a proxy", code: "throw new Proxy(new Error('x'), { get() { throw 1 } })", reason: ["exception"] },
	{ tries: "to throw undefined", code: "throw undefined", reason: ["exception"] },
	{
		tries: "to throw a name of a megabyte",
		code: "const e = new Error('m'.repeat(1e6)); e.name = 'n'.repeat(1e6); throw e",
		reason: ["exception"],
	},
	{
		tries: "to log a value with a hostile toString",
		code: "console.log({ toJSON() { throw 1 } }, Symbol('s'), Object.create(null), () => 1); 'logged'",
		value: "logged",
	},
	{
		tries: "arguments with a getter that calls a tool itself",
		code: "let inner; const r = await tools.test.echo({ get a() { inner = tools.ping(); return 1 } }); [r.args.a, (await inner).id]",
		value: [1, "ping"],
	},
	{
		tries: "arguments that are a proxy",
		code: "(await tools.test.echo(new Proxy({ a: 1 }, {}))).args.a",
		value: 1,
	},
	{
		tries: "arguments of great depth",
		code: "let d = {}; for (let i = 0; i < 1000; i++) d = { d }; await tools.test.echo(d).catch((e) => e.code)",
		value: "validation_input",
	},
	{
		tries: "a result larger than it may take",
		code: "await tools.test.big({ length: 5000000 }).catch((e) => e.code)",
		value: "validation_output",
	},
];

const bombs: readonly EscapeAttempt[] = [
	{ tries: "an endless loop", code: "for (;;);", reason: ["deadline"] },
	{
		tries: "an endless loop that catches everything",
		code: "for (;;) { try { for (;;); } catch {} finally { continue } }",
		reason: ["deadline"],
	},
	{ tries: "endless recursion", code: "(function f() { f() })()", reason: ["stack"] },
	{
		tries: "recursion that catches its own overflow",
		code: "function f() { try { f() } catch { f() } } f()",
		reason: ["deadline", "stack"],
	},
	{
		tries: "mutual recursion through sort",
		code: "function f() { [2, 1].sort(f); return 0 } f()",
		reason: ["stack", "exception"],
	},
	{
		tries: "recursion through JSON",
		code: "const o = { toJSON() { return JSON.stringify(o) } }; JSON.stringify(o)",
		reason: ["stack", "exception"],
	},
	{ tries: "recursion through a getter", code: "const o = { get a() { return o.a } }; o.a", reason: ["stack"] },
	{ tries: "deeply nested source", code: `${"[".repeat(50_000)}${"]".repeat(50_000)}`, reason: ["syntax"] },
	{
		tries: "deeply nested source inside eval",
		code: "eval('['.repeat(200000))",
		reason: ["exception", "stack", "memory"],
	},
	{
		tries: "a regular expression that backtracks for ever",
		code: "/^(a+)+$/.test('a'.repeat(50) + 'b')",
		reason: ["deadline"],
	},
	{ tries: "a regular expression of many groups", code: "/(x+x+)+y/.test('x'.repeat(60))", reason: ["deadline"] },
	{ tries: "to double a string", code: "let s = 'x'; for (;;) s += s", reason: BOMB },
	{ tries: "to keep many strings", code: "const a = []; for (;;) a.push('x'.repeat(1e5) + a.length)", reason: BOMB },
	{ tries: "to grow an array", code: "const a = []; for (;;) a.push(new Array(1000).fill(1.5))", reason: BOMB },
	{ tries: "a huge array", code: "new Array(4294967295).fill(0).length", reason: BOMB },
	{ tries: "a huge buffer", code: "new Uint8Array(1e9).length", reason: BOMB },
	{ tries: "many buffers", code: "const a = []; for (;;) a.push(new Float64Array(1e5).fill(1))", reason: BOMB },
	{ tries: "a huge big integer", code: "let n = 3n; for (;;) n *= n", reason: BOMB },
	{ tries: "padStart", code: "'x'.padStart(1e9).length", reason: BOMB },
	{ tries: "a map that grows", code: "const m = new Map(); for (let i = 0; ; i++) m.set(i, { i })", reason: BOMB },
	{
		tries: "to catch the end of its memory and go on",
		code: "const a = []; for (;;) { try { for (;;) a.push('x'.repeat(1e6) + a.length) } catch {} }",
		reason: BOMB,
	},
	{ tries: "a flood of microtasks", code: "const f = () => Promise.resolve().then(f); await f()", reason: BOMB },
	{
		tries: "a flood of promises",
		code: "const f = () => { Promise.resolve().then(f); Promise.resolve().then(f) }; f(); await new Promise(() => {})",
		reason: BOMB,
	},
	{ tries: "a flood of tool calls", code: "for (;;) tools.ping().catch(() => {})", reason: BOMB },
	{ tries: "a flood of awaited refusals", code: "for (;;) await tools.ping().catch(() => {})", reason: BOMB },
	{ tries: "a flood of searches", code: "for (;;) tools.search('x').catch(() => {})", reason: BOMB },
	{ tries: "a flood of output", code: "for (;;) console.log('x'.repeat(1000))", reason: ["deadline"] },
	{ tries: "a flood of progress", code: "for (let i = 0; ; i++) progress(i)", reason: ["deadline"] },
	{ tries: "an endless generator spread", code: "[...(function* () { for (;;) yield 1 })()]", reason: BOMB },
	{
		tries: "an endless async generator",
		code: "for await (const x of (async function* () { for (;;) yield 1 })());",
		reason: ["deadline"],
	},
	{
		tries: "to go on after it has returned",
		code: "(async () => { for (;;) await tools.ping() })(); 'returned'",
		value: "returned",
	},
	{
		tries: "to spin after it has returned",
		code: "Promise.resolve().then(() => Promise.resolve()).then(() => { for (;;); }); 'returned'",
		reason: ["deadline"],
		value: "returned",
	},
	{
		tries: "a finalizer that runs after the end",
		code: "new FinalizationRegistry(() => { for (;;); }).register({}, 1); 'returned'",
		value: "returned",
	},
];

export const escapeAttempts: readonly EscapeAttempt[] = [
	...ambient,
	...chains,
	...pollution,
	...hostileValues,
	...bombs,
];
