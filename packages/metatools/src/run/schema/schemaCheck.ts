import { createContext, Script } from "node:vm";
import { Ajv, type ErrorObject as AjvError, type Options } from "ajv";
import { Ajv2019 } from "ajv/dist/2019.js";
import { Ajv2020 } from "ajv/dist/2020.js";
import { hasLongInteger, roundNumbers } from "../../contract/exactJson.ts";
import { isObject, type JsonObject, listNeededNames } from "../../contract/json.ts";
import { describeFirst, findProblems, keepDistinctProblems } from "./findProblems.ts";
import type { Problem } from "./problem.ts";

/** Returns the problems of a value; empty if it fits. */
export type Check = (value: unknown) => readonly Problem[];

const ACCEPT_ALL: Check = () => [];
const options: Options = {
	strict: false,
	allErrors: false,
	verbose: true,
	validateSchema: false,
	validateFormats: false,
	// Otherwise a missing field called `constructor` would count as present, as every object inherits one.
	ownProperties: true,
	logger: false,
	// Inlining a definition wherever it is referred to could take quadratic time.
	inlineRefs: false,
	code: {
		// Optimising costs more than it saves over the lifetime of one check.
		optimize: false,
	},
};
const COMPILE_CPU_MS = 1_000;
const CHECK_CPU_MS = 250;
/** To find the first error by a short schema without these keywords takes time proportional to the value. */
const MAY_TAKE_LONG = /"(?:\$ref|\$dynamicRef|\$recursiveRef|pattern|patternProperties|uniqueItems)":/;
const LONG_SCHEMA_CHARS = 20_000;
type Compiled = WeakMap<JsonObject, Check>;
const compiled: Compiled = new WeakMap();
const compiledForArguments: Compiled = new WeakMap();

/** Compiles a schema. One that cannot be used (cyclic, remote, broken, too much work) checks nothing. */
export function compileCheck(schema: unknown): Check {
	return compiledOnce(schema, compiled, (declared, text) => (hasLongInteger(text) ? JSON.parse(text) : declared));
}

/** Like `checkOf`, for arguments: fields with a default may be left out. */
export function compileArgumentsCheck(schema: unknown): Check {
	const relaxed = compiledOnce(schema, compiledForArguments, (_, text) => JSON.parse(text, withoutDefaulted));
	return (value) => {
		const problems = relaxed(value);
		if (problems.some((problem) => problem === UNJUDGED)) return problems;
		// Where fewer demands let more alternatives fit, as under `oneOf`, a value may fit only the schema as declared.
		return problems.length === 0 || compileCheck(schema)(value).length === 0 ? [] : problems;
	};
}

function withoutDefaulted(_: string, value: unknown): unknown {
	const isSchema = isObject(value) && Array.isArray(value.required) && isObject(value.properties);
	return isSchema ? { ...value, required: listNeededNames(value) } : value;
}

type ReadSchema = (declared: JsonObject, text: string) => JsonObject;

function compiledOnce(schema: unknown, known: Compiled, read: ReadSchema): Check {
	if (!isObject(schema)) return ACCEPT_ALL;
	const before = known.get(schema);
	if (before !== undefined) return before;
	const check = compile(schema, read);
	known.set(schema, check);
	return check;
}

function compile(declared: JsonObject, read: ReadSchema): Check {
	let schema: JsonObject;
	let within: Within;
	let firstErrors: Errors;
	try {
		const text = JSON.stringify(declared);
		schema = read(declared, text);
		within = text.length > LONG_SCHEMA_CHARS || MAY_TAKE_LONG.test(text) ? runWithinCpuMs : (_, work) => work();
		firstErrors = validator(schema, within, options);
	} catch {
		return ACCEPT_ALL;
	}
	let everyError: Errors | undefined;
	const errorsOf: Errors = (value) => {
		try {
			everyError ??= validator(schema, runWithinCpuMs, { ...options, allErrors: true });
			return everyError(value);
		} catch {
			everyError = () => [];
			return [];
		}
	};
	let explain: Explain = (first, value) => {
		const all = isSmall(value) ? errorsOf(value) : [];
		// The first problem is known; if the others take too long to find, it alone is told.
		return runWithinCpuMs(CHECK_CPU_MS, () => keepDistinctProblems(findProblems(all.length > 0 ? all : first, schema)));
	};
	return (value) => {
		let plain = value;
		let errors: readonly AjvError[];
		try {
			errors = firstErrors(value);
			// Ajv takes a number that is kept exact for an object.
			if (errors.length > 0) plain = roundNumbers(value);
			if (plain !== value) errors = firstErrors(plain);
		} catch (thrown) {
			if (isTimeout(thrown)) return [UNJUDGED];
			// Without end in a value of few levels is the schema, which is then as unusable as one that refers to itself.
			return isDeep(value) ? [TOO_DEEP] : [];
		}
		try {
			return errors.length === 0 ? [] : explain(errors, plain);
		} catch (thrown) {
			if (isTimeout(thrown)) explain = describeFirst;
			return describeFirst(errors);
		}
	};
}

/** What no check could decide is refused, since it may be what the schema forbids; the next value is judged anew. */
const UNJUDGED: Problem = {
	kind: "other",
	at: [],
	says: `expected a value that can be checked against its schema, which took more than ${CHECK_CPU_MS} ms of CPU time`,
};
const MOST_LEVELS = 200;
const TOO_DEEP: Problem = {
	kind: "other",
	at: [],
	says: `expected at most ${MOST_LEVELS} levels, since no more could be checked against its schema; got more`,
};

function isDeep(value: unknown): boolean {
	let level = [value];
	for (let depth = 0; level.length > 0; depth++) {
		if (depth > MOST_LEVELS) return true;
		level = level.flatMap((part) => (typeof part === "object" && part !== null ? Object.values(part) : []));
	}
	return false;
}

/** In a larger value, only the first problem is looked for: each element of a list may have several. */
const MOST_PARTS = 5_000;

function isSmall(value: unknown): boolean {
	const left = [value];
	for (let seen = 0; left.length > 0; seen++) {
		const part = left.pop();
		const inner = typeof part === "object" && part !== null ? Object.values(part) : [];
		if (seen + left.length + inner.length >= MOST_PARTS) return false;
		left.push(...inner);
	}
	return true;
}

/** Ajv's errors of a value; none when it fits. */
type Errors = (value: unknown) => readonly AjvError[];

/** The problems of a value that has these errors first. */
type Explain = (errors: readonly AjvError[], value: unknown) => readonly Problem[];

type Within = <T>(limit: number, work: () => T) => T;

function validator(schema: JsonObject, within: Within, how: Options): Errors {
	const validate = within(COMPILE_CPU_MS, () => engineFor(schema, how).compile(schema));
	return (value) => (within(CHECK_CPU_MS, () => validate(value)) === true ? [] : (validate.errors ?? []));
}

/** One Ajv per schema: a shared one would keep every schema it ever saw, and mix up the `$id`s of different servers. */
function engineFor(schema: JsonObject, how: Options): Ajv {
	const dialect = typeof schema.$schema === "string" ? schema.$schema : "";
	if (dialect.includes("draft-07") || dialect.includes("draft-06")) return new Ajv(how);
	return dialect.includes("2019-09") ? new Ajv2019(how) : new Ajv2020(how);
}

/** A starved process may wait this many times longer than the work takes. */
const MOST_WAITING = 8;

/**
 * Runs synchronous work with a limit on its CPU time; throws when it uses more. Node can interrupt work only by the wall
 * clock, so work that was interrupted because the machine was busy is begun anew with more time. The work must be safe to
 * interrupt anywhere, and to repeat.
 */
export function runWithinCpuMs<T>(limit: number, work: () => T): T {
	for (let timeout = limit; ; timeout *= 2) {
		const began = usedCpuMs();
		try {
			return withinMs(timeout, work);
		} catch (thrown) {
			if (!isTimeout(thrown) || usedCpuMs() - began >= limit / 2 || timeout >= MOST_WAITING * limit) throw thrown;
		}
	}
}

export function isTimeout(thrown: unknown): boolean {
	// The error belongs to the other context, so `instanceof Error` is false here.
	return isObject(thrown) && thrown.code === "ERR_SCRIPT_EXECUTION_TIMEOUT";
}

// `vm` timeouts are the only way in Node to interrupt synchronous work, regular expressions included. Costs some 100 µs.
const script = new Script("run()");
let task: () => unknown = () => undefined;
let context: ReturnType<typeof createContext> | undefined;

function withinMs<T>(timeout: number, work: () => T): T {
	let result: { readonly value: T } | undefined;
	task = () => {
		result = { value: work() };
	};
	context ??= createContext({ run: () => task() });
	script.runInContext(context, { timeout });
	if (result === undefined) throw new Error("the work did not run");
	return result.value;
}

/** CPU time of this thread if Node can measure it (since 23.9), else of all threads. */
function usedCpuMs(): number {
	const { user, system } = (process.threadCpuUsage ?? process.cpuUsage)();
	return (user + system) / 1_000;
}
