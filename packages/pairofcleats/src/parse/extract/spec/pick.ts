import type { FlatTree, Grammar } from "../../tree/flatTree.ts";

/** Finds one child of a node; -1 when there is none. */
export type Pick = (tree: FlatTree, node: number) => number;

/**
 * Compiles a selector of a language's spec: a field, `@type`, `@first`, `@last`, a neighbour of a token, steps joined
 * by `/`, or alternatives joined by `|`.
 */
export function compilePick(selector: string, grammar: Grammar, idsOf: (name: string) => readonly number[]): Pick {
	const isNamed = (tree: FlatTree, node: number): boolean => grammar.named[tree.type[node] ?? 0] ?? false;
	if (selector.includes("|")) {
		return selector
			.split("|")
			.map((one) => compilePick(one, grammar, idsOf))
			.reduce(pickFirst);
	}
	if (selector.includes("/")) {
		const steps = selector.split("/").map((step) => compilePick(step, grammar, idsOf));
		return (tree, node) => steps.reduce((at, step) => (at < 0 ? at : step(tree, at)), node);
	}
	if (selector.startsWith("@after ")) {
		const token = compilePick(`@${selector.slice("@after ".length)}`, grammar, idsOf);
		return (tree, node) => {
			const before = token(tree, node);
			return before < 0 ? before : findChild(tree, node, (child) => child > before && isNamed(tree, child));
		};
	}
	if (selector.startsWith("@before ")) {
		const token = compilePick(`@${selector.slice("@before ".length)}`, grammar, idsOf);
		return (tree, node) => {
			const after = token(tree, node);
			return after < 0 ? after : findLastChild(tree, node, (child) => child < after && isNamed(tree, child));
		};
	}
	if (selector === "@self") return (_tree, node) => node;
	if (selector === "@first") return (tree, node) => findChild(tree, node, (child) => isNamed(tree, child));
	if (selector === "@last") return (tree, node) => findLastChild(tree, node, (child) => isNamed(tree, child));
	if (selector.startsWith("@")) {
		const wanted = new Uint32Array(0x10000);
		for (const id of idsOf(selector.slice(1))) wanted[id] = 1;
		return pickByRole(wanted, 1);
	}
	const id = grammar.fields.indexOf(selector);
	return id < 0 ? pickNothing : ofField(id);
}

/** Written as a loop, like the next one, because a callback per child would take half of the time. */
function ofField(id: number): Pick {
	return ({ field, until }, node) => {
		const end = until[node] ?? 0;
		for (let child = node + 1; child < end; child = until[child] ?? end) if (field[child] === id) return child;
		return -1;
	};
}

export function pickByRole(roles: Uint32Array, role: number): Pick {
	return ({ type, until }, node) => {
		const end = until[node] ?? 0;
		for (let child = node + 1; child < end; child = until[child] ?? end)
			if (((roles[type[child] ?? 0] ?? 0) & role) !== 0) return child;
		return -1;
	};
}

export function findChild(tree: FlatTree, node: number, matches: (child: number) => boolean): number {
	const end = tree.until[node] ?? 0;
	for (let child = node + 1; child < end; child = tree.until[child] ?? end) if (matches(child)) return child;
	return -1;
}

function findLastChild(tree: FlatTree, node: number, matches: (child: number) => boolean): number {
	let found = -1;
	findChild(tree, node, (child) => {
		if (matches(child)) found = child;
		return false;
	});
	return found;
}

export function pickFirst(one: Pick, other: Pick): Pick {
	return (tree, node) => {
		const found = one(tree, node);
		return found >= 0 ? found : other(tree, node);
	};
}

export function pickNothing(): number {
	return -1;
}

/**
 * Compiles the test whether the name in a pattern is bound, not compared: `a` of Swift's `case .one(let a)` and of
 * `case let .one(a)`, but not of `case .one(a)`.
 */
export function compileBoundTest(
	binder: string,
	{ fields }: Grammar,
	idsOf: (name: string) => readonly number[],
	memberMark: string | undefined,
): (tree: FlatTree, pattern: number) => boolean {
	const binders = new Set(idsOf(binder));
	const cases = new Set(idsOf("'case'"));
	const hasBinder = (tree: FlatTree, node: number): boolean =>
		findChild(tree, node, (child) => binders.has(tree.type[child] ?? 0)) >= 0;
	return (tree, pattern) => {
		if (startsMember(tree, pattern, memberMark)) return false;
		let at = pattern;
		for (; tree.type[at] === tree.type[pattern]; at = tree.parent[at] ?? 0) {
			if (hasBinder(tree, at)) return true;
			// A condition has the parts of its pattern as its own: `if case let .one(a) = b`.
			if (fields[tree.field[at] ?? 0] === "condition") return lastOf(tree, at, binders) > lastOf(tree, at, cases);
		}
		return false;
	};
}

/** Whether a pattern has a case in place of a name: `.one(let a)`. */
function startsMember(tree: FlatTree, pattern: number, memberMark: string | undefined): boolean {
	const isMark = (child: number): boolean => tree.text.slice(tree.start[child], tree.end[child]) === memberMark;
	return memberMark !== undefined && findChild(tree, pattern, isMark) >= 0;
}

/** The last node of some types beside a node and before it; -1 if there is none. */
function lastOf(tree: FlatTree, node: number, types: ReadonlySet<number>): number {
	let last = -1;
	findChild(tree, tree.parent[node] ?? 0, (child) => {
		if (child < node && types.has(tree.type[child] ?? 0)) last = child;
		return child >= node;
	});
	return last;
}
