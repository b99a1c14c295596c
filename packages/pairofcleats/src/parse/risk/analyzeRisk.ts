import type { RiskFacts } from "../chunk.ts";
import { listDecoratorNames, readCallee, readNodeName } from "../extract/facts/names.ts";
import { type CompiledSpec, isAssigning, isUpdating, listTargets, readRoles } from "../extract/spec/compileSpec.ts";
import { ROLE } from "../extract/spec/roles.ts";
import type { FlatTree } from "../tree/flatTree.ts";
import { describePlace, findLastName, normaliseChain, readNodeText, stripQuotes } from "../tree/nodeText.ts";
import {
	findAfterCallee,
	findArgumentAt,
	findArgumentList,
	findPlaceOfInterest,
	isList,
	isNamedArgument,
	isWritingInto,
	lacksArgument,
} from "./callArguments.ts";
import { readOptionalArm, readQueryText } from "./expressionParts.ts";
import { findCallAround, findContainer, findReceiver, LONGEST_CHAIN, listGivenNames } from "./givenFunction.ts";
import { dropReceiver, isPlainCast, listDecoratedNames, nameCallee, readName } from "./riskNames.ts";
import type { RiskTables } from "./rules/riskMatcher.ts";
import { type RiskSink, type RiskSource, SEVERITIES, type Severity } from "./rules/rules.ts";
import { listTargetNames, listUnpacked, TaintedNames } from "./taintedNames.ts";
import { findRule, type Meanings } from "./worthALook.ts";

type NodeRange = { readonly fromNode: number; readonly toNode: number };

/** Nodes visited per chunk in total; a step count gives the same result on every machine, unlike a time limit. */
const MAX_STEPS = 400_000;
const SANITIZED = Symbol("sanitized");

/**
 * Follows values from sources to sinks through the assignments of one chunk. It does not enter calls or read other
 * files, so every reported flow is visible in the chunk itself.
 */
export function analyzeRisk(
	tree: FlatTree,
	compiled: CompiledSpec,
	ranges: readonly NodeRange[],
	tables: RiskTables,
	meanings: Meanings,
): RiskFacts | undefined {
	return new TaintWalk(tree, compiled, tables, meanings).run(ranges);
}

class TaintWalk {
	readonly #tree: FlatTree;
	readonly #compiled: CompiledSpec;
	readonly #tables: RiskTables;
	readonly #meanings: Meanings;
	readonly #tainted = new TaintedNames();
	readonly #seen: Seen = { sources: new Map(), sinks: new Map(), flows: new Map() };
	/** Where a grammar has a block beside the arguments: Ruby's `each { … }`. */
	readonly #blockField: number;
	readonly #keyed: readonly number[];
	#steps = 0;
	/** The left side of the last plain assignment: it is overwritten, so it is not a read. */
	#replaced = -1;

	constructor(tree: FlatTree, compiled: CompiledSpec, tables: RiskTables, meanings: Meanings) {
		this.#tree = tree;
		this.#compiled = compiled;
		this.#tables = tables;
		this.#meanings = meanings;
		this.#blockField = compiled.grammar.fields.indexOf("block");
		this.#keyed = (compiled.spec.keyed ?? []).map((type) => compiled.grammar.types.indexOf(type));
	}

	run(ranges: readonly NodeRange[]): RiskFacts | undefined {
		// A loop can carry a value back to earlier lines, so a second pass is needed to see it there.
		if (this.#round(ranges)) this.#round(ranges);
		return summarizeRisk(this.#seen);
	}

	/** Returns true if there was a loop. */
	#round(ranges: readonly NodeRange[]): boolean {
		let roles = 0;
		for (const { fromNode, toNode } of ranges) {
			for (let node = fromNode; node < toNode && this.#steps < MAX_STEPS; node += 1) {
				this.#tainted.reach(node);
				roles |= this.#visit(node);
			}
		}
		this.#tainted.reach(this.#tree.count);
		return (roles & ROLE.loop) !== 0;
	}

	#visit(node: number): number {
		this.#steps += 1;
		const role = readRoles(this.#tree, this.#compiled, node);
		if (role & ROLE.assignment) this.#assign(node);
		if (role & (ROLE.call | ROLE.construct)) this.#call(node);
		if (role & ROLE.decorator) this.#decorator(node);
		if (this.#keyed.includes(this.#tree.type[node] ?? 0)) this.#give(node);
		if (role & ROLE.lambda || (this.#tree.field[node] ?? 0) === this.#blockField) this.#enter(node);
		if (role & (ROLE.member | ROLE.identifier | ROLE.index | ROLE.typeIdentifier) && node !== this.#replaced)
			this.#sourceAt(node, role);
		return role;
	}

	#assign(node: number): void {
		const rule = this.#compiled.assignments.get(this.#tree.type[node] ?? 0);
		const left = rule?.pickLeft(this.#tree, node) ?? -1;
		const right = rule?.pickRight(this.#tree, node) ?? -1;
		if (!rule || left < 0 || (rule.declares && right < 0) || !isAssigning(this.#tree, rule, node)) return;
		const replaces = !rule.changes && !isUpdating(this.#tree, rule, node);
		if (replaces) this.#replaced = left;
		const source =
			right >= 0
				? this.#taintOf(right)
				: rule.byCall
					? this.#taintOf(this.#tree.parent[this.#tree.parent[node] ?? 0] ?? 0)
					: this.#loopTaint(node, left);
		const place = describePlace(readNodeText(this.#tree, left));
		const sink = this.#tables.sinks.match(place === "" ? this.#unnamedMember(left) : place, "assign");
		if (sink) this.#report(sink, source);
		const targets = listTargets(this.#tree, rule, left).flatMap((one) =>
			listTargetNames(this.#tree, this.#compiled, one, one === left ? place : ""),
		);
		for (const name of targets) {
			if (source !== undefined) this.#tainted.add(name, source, node);
			else if (replaces) this.#tainted.clear(name, () => readOptionalArm(this.#tree, this.#compiled, node));
		}
		if (source === undefined && right >= 0) this.#unpack(left, right);
	}

	/** `{ __html: text }` and `<p innerHTML={text}>` give a value to a key. */
	#give(node: number): void {
		const key = node + 1;
		const sink = this.#tables.sinks.match(stripQuotes(readNodeText(this.#tree, key)), "assign");
		if (sink) this.#report(sink, this.#taintBetween(this.#tree.until[key] ?? 0, this.#tree.until[node] ?? 0));
	}

	/** `?.innerHTML` for `find("x").innerHTML`, whose receiver has no name. */
	#unnamedMember(node: number): string {
		const role = readRoles(this.#tree, this.#compiled, node);
		return role & ROLE.member ? dropReceiver(readNodeText(this.#tree, node)) : "";
	}

	/** `tainted.forEach((one) => …)`: inside, `one` is tainted. */
	#enter(given: number): void {
		const call = findCallAround(this.#tree, this.#compiled, given);
		const source = call < 0 ? undefined : this.#receiverTaint(findReceiver(this.#tree, this.#compiled, call));
		if (source === undefined) return;
		const until = this.#tree.until[given] ?? 0;
		for (const name of listGivenNames(this.#tree, this.#compiled, given)) {
			this.#tainted.lend(name, source, given, until);
		}
	}

	/** The taint of what a chain of calls begins with: of `a` in `a.trim().split(b)`. */
	#receiverTaint(receiver: number): string | undefined {
		let at = receiver;
		for (let steps = 0; at >= 0 && steps < LONGEST_CHAIN; steps += 1) {
			const role = readRoles(this.#tree, this.#compiled, at);
			if ((role & (ROLE.call | ROLE.construct)) === 0) return this.#taintOf(at);
			const found = this.#calledRule(at);
			if (found !== undefined) return found === SANITIZED ? undefined : found.name;
			at = findReceiver(this.#tree, this.#compiled, at);
		}
		return undefined;
	}

	#unpack(left: number, right: number): void {
		const from = normaliseChain(readNodeText(this.#tree, right));
		for (const { chain, target } of from === undefined ? [] : listUnpacked(this.#tree, this.#compiled, left, from)) {
			const source = findRule(this.#tables.sources, chain, "value", this.#meanings);
			if (!source) continue;
			this.#seen.sources.set(source.name, source);
			for (const name of listTargetNames(this.#tree, this.#compiled, target, ""))
				this.#tainted.add(name, source.name, left);
		}
	}

	/** Loop variables take the taint of what is iterated: `for (x of tainted)`, `foreach (tainted as x)`. */
	#loopTaint(node: number, left: number): string | undefined {
		const body = this.#compiled.pickBody(this.#tree, node);
		const end = body >= 0 ? body : (this.#tree.until[node] ?? 0);
		return this.#taintBetween(node + 1, left) ?? this.#taintBetween(this.#tree.until[left] ?? 0, end);
	}

	#call(node: number): void {
		const callee = readCallee(this.#tree, this.#compiled, node);
		const name = nameCallee(callee);
		const source = findRule(this.#tables.sources, name, "call", this.#meanings);
		if (source) this.#seen.sources.set(source.name, source);
		if (source?.fills) this.#fill(node, source.name);
		const { copiers, mutators } = this.#compiled.spec;
		if (copiers?.includes(findLastName(name)) || copiers?.includes(name)) this.#copy(node);
		// A call that is known to read input is not also what `*.query()` means.
		const sink = source
			? this.#tables.sinks.matchImported(name, "call")
			: findRule(this.#tables.sinks, name, "call", this.#meanings);
		if (!sink && mutators?.includes(findLastName(name))) this.#keep(node);
		if (!sink) return;
		const argument = findPlaceOfInterest(this.#tree, this.#compiled, this.#argumentList(node), sink);
		if (
			lacksArgument(this.#tree, this.#compiled, node, argument) ||
			!isWritingInto(this.#tree, this.#compiled, node, sink)
		)
			return;
		const taint = sink.receiver
			? this.#receiverTaint(findReceiver(this.#tree, this.#compiled, node))
			: this.#argumentTaint(node, argument, sink.category === "sql");
		this.#report(sink, taint);
	}

	#report(sink: RiskSink, taint: string | undefined): void {
		if (!sink.quiet || taint !== undefined) this.#seen.sinks.set(sink.name, sink);
		if (taint !== undefined) this.#seen.flows.set(`${taint}->${sink.name}`, sink);
	}

	/** `list.push(tainted)` taints the list. */
	#keep(call: number): void {
		const place = findContainer(this.#tree, this.#compiled, call);
		const source = place === "" ? undefined : this.#argumentTaint(call);
		if (source !== undefined) this.#tainted.add(place, source, call);
	}

	/** `@RequestParam String query`: a parameter bound by the framework is input. */
	#decorator(node: number): void {
		for (const decorator of listDecoratorNames(readNodeText(this.#tree, node))) {
			const source = this.#tables.sources.match(decorator, "decorator");
			if (!source) continue;
			for (const name of listDecoratedNames(this.#tree, this.#compiled, node)) {
				this.#seen.sources.set(source.name, source);
				this.#tainted.add(readNodeName(this.#tree, this.#compiled, name), source.name, node);
			}
		}
	}

	/** `fgets(line, …)` writes input into its arguments, so they become tainted. */
	#fill(call: number, source: string): void {
		const list = this.#argumentList(call);
		for (let at = list; list >= 0 && at < (this.#tree.until[list] ?? 0); at += 1) {
			const role = readRoles(this.#tree, this.#compiled, at);
			if (role & ROLE.identifier) this.#tainted.add(readNodeName(this.#tree, this.#compiled, at), source, call);
		}
	}

	/** `strcpy(line, input)` taints `line`. */
	#copy(call: number): void {
		const list = this.#argumentList(call);
		const to = list < 0 ? -1 : findArgumentAt(this.#tree, this.#compiled, list, 0);
		if (to < 0) return;
		const source = this.#taintBetween(this.#tree.until[to] ?? 0, this.#tree.until[list] ?? 0);
		if (source === undefined) return;
		for (const name of listTargetNames(this.#tree, this.#compiled, to, describePlace(readNodeText(this.#tree, to))))
			this.#tainted.add(name, source, call);
	}

	#argumentList(call: number): number {
		return findArgumentList(this.#tree, this.#compiled, call);
	}

	/**
	 * The taint of any argument, or only of the one that matters, and of that only the text if it is a query. A named
	 * argument binds a value and so is never the query text.
	 */
	#argumentTaint(call: number, only?: number, isQuery = false): string | undefined {
		const list = this.#argumentList(call);
		if (isList(this.#tree, this.#compiled, list)) {
			if (only === undefined) return this.#taintOf(list);
			const wanted = findArgumentAt(this.#tree, this.#compiled, list, only);
			if (wanted < 0 || isNamedArgument(this.#tree, this.#compiled, wanted)) return undefined;
			const text = isQuery ? readQueryText(this.#tree, this.#compiled, wanted) : wanted;
			return text < 0 ? undefined : this.#taintOf(text);
		}
		return this.#taintBetween(findAfterCallee(this.#tree, this.#compiled, call), this.#tree.until[call] ?? 0);
	}

	#taintOf(node: number): string | undefined {
		return this.#taintBetween(node, this.#tree.until[node] ?? 0);
	}

	/** The first source or tainted name in a range of nodes; arguments of a sanitizer and what is cast to a number do not count. */
	#taintBetween(from: number, to: number): string | undefined {
		for (let at = from; at < to && this.#steps < MAX_STEPS; ) {
			this.#steps += 1;
			const role = readRoles(this.#tree, this.#compiled, at);
			const found = role & (ROLE.call | ROLE.construct) ? this.#calledRule(at) : undefined;
			if (found === SANITIZED || isPlainCast(this.#tree, this.#compiled, at)) {
				at = this.#tree.until[at] ?? to;
				continue;
			}
			if (found) return found.name;
			const direct =
				role & (ROLE.member | ROLE.identifier | ROLE.index | ROLE.typeIdentifier)
					? this.#sourceAt(at, role)
					: undefined;
			if (direct !== undefined) return direct;
			at += 1;
		}
		return undefined;
	}

	/** The source that a call reads, or that it cleans its arguments. */
	#calledRule(call: number): { readonly name: string } | typeof SANITIZED | undefined {
		const name = nameCallee(readCallee(this.#tree, this.#compiled, call));
		if (findRule(this.#tables.sanitizers, name, "call", this.#meanings)) return SANITIZED;
		return findRule(this.#tables.sources, name, "call", this.#meanings);
	}

	#sourceAt(node: number, role: number): string | undefined {
		const read = readName(this.#tree, this.#compiled, node, role);
		const known = read && this.#tainted.sourceOf(read.name);
		if (!read || known !== undefined) return known;
		const source = read.chain === "" ? undefined : findRule(this.#tables.sources, read.chain, "value", this.#meanings);
		if (source) this.#seen.sources.set(source.name, source);
		return source?.name;
	}
}

/** The sources, sinks and flows found while walking one chunk. */
type Seen = {
	readonly sources: Map<string, RiskSource>;
	readonly sinks: Map<string, RiskSink>;
	/** `source->sink` → the sink. */
	readonly flows: Map<string, RiskSink>;
};

/**
 * A flow is as severe as its sink; a sink that nothing tainted reaches counts as medium at most; a source alone is low.
 */
function summarizeRisk({ sources, sinks, flows }: Seen): RiskFacts | undefined {
	if (sources.size === 0 && sinks.size === 0) return undefined;
	const reached = [...flows.values()].map((sink) => sink.severity);
	const present = [...sinks.values()].map((sink): Severity => (sink.severity === "low" ? "low" : "medium"));
	return {
		tags: sorted([...sources.values(), ...sinks.values()].flatMap((rule) => rule.tags)),
		categories: sorted([...sinks.values()].map((sink) => sink.category)),
		sources: sorted(sources.keys()),
		sinks: sorted(sinks.keys()),
		flows: sorted(flows.keys()),
		severity: worst(reached.length > 0 ? reached : present),
	};
}

function worst(severities: readonly Severity[]): Severity {
	const rank = Math.max(0, ...severities.map((severity) => SEVERITIES.indexOf(severity)));
	return SEVERITIES[rank] ?? "low";
}

function sorted(names: Iterable<string>): string[] {
	return [...new Set(names)].sort();
}
