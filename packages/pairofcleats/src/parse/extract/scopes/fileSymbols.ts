import { type ChunkKind, type InnerSymbol, isFunctionLike } from "../../chunk.ts";
import type { LineIndex } from "../../chunkLines.ts";
import type { Visibility } from "../../specs/rules.ts";
import type { FlatTree } from "../../tree/flatTree.ts";
import { describeDefinition } from "../definitions/describeDefinition.ts";
import { listDefinedParts, listOtherNames } from "../definitions/recogniseDefinition.ts";
import { type Found, findWrapping, type Wrapping } from "../definitions/visibility.ts";
import type { CompiledSpec } from "../spec/compileSpec.ts";
import { listAssignedFields, listCalledSymbols, readCalledVisibility } from "./calledSymbols.ts";
import { findMemberKind } from "./definitionLines.ts";
import { listAssignedExports, readExportLists } from "./listedExports.ts";
import { isOpen, readSection, type Scope } from "./scope.ts";
import type { ScopeStack } from "./scopeStack.ts";

const MAX_SYMBOLS = 20_000;
const CALLABLE: ReadonlySet<ChunkKind> = new Set(["function", "method", "constructor"]);

/** Gathers the names that have no chunk of their own, as symbols of the chunk around them, and the file's exports. */
export class FileSymbols {
	readonly #tree: FlatTree;
	readonly #compiled: CompiledSpec;
	readonly #lines: LineIndex;
	readonly #scopes: ScopeStack;
	readonly #exports = new Set<string>();
	/** Names in a namespace that is exported only if the file says so elsewhere. */
	readonly #withheld: { readonly name: string; readonly namespace: string }[] = [];
	/** The qualified names of members that have been listed, where a field may be assigned without being declared. */
	readonly #members = new Set<string>();
	/** The names of declarations that the file exports elsewhere than where they are declared. */
	readonly exportedLater = new Set<string>();
	/** By the qualified names of declarations, the visibility that the file gives them elsewhere. */
	readonly visibleLater = new Map<string, Visibility>();
	/** By the qualified names of members whose definitions may be outside their type, the visibility of the members. */
	readonly declared = new Map<string, Visibility>();

	constructor(tree: FlatTree, compiled: CompiledSpec, lines: LineIndex, scopes: ScopeStack) {
		this.#tree = tree;
		this.#compiled = compiled;
		this.#lines = lines;
		this.#scopes = scopes;
	}

	/** The names that importers see. */
	exports(): string[] {
		for (const { name, namespace } of this.#withheld) if (this.exportedLater.has(namespace)) this.#exports.add(name);
		return [...this.#exports];
	}

	/** Adds a name that is exported from the scope it is declared in. */
	export(name: string, scope: Scope): void {
		const isMarked = typeof this.#compiled.spec.exported === "object";
		const [namespace, ...others] = isMarked ? this.#scopes.unexported(scope) : [];
		if (namespace === undefined) this.#exports.add(name);
		else if (others.length === 0) this.#withheld.push({ name, namespace });
	}

	/** Adds all names of a definition that has no chunk of its own. */
	add(found: Found, line: number, wrapping: Wrapping, hasBody = true): void {
		// A local variable is not a symbol for others.
		if (found.rule?.small && !found.rule.member && this.#scopes.isLocal(found.node) && !isFunctionLike(found.kind))
			return;
		const names = [found.name, ...listOtherNames(this.#tree, this.#compiled, found)];
		for (const name of names) this.#push(found, name, line, hasBody);
		const around = this.#scopes.around(found.node);
		const section = readSection(this.#tree, this.#compiled, around, found.node);
		if (this.#compiled.spec.visibility?.declared && section)
			this.#declare(`${around.qualifiedName}.${found.name}`, section);
		if (!isOpen(around)) return;
		const header = describeDefinition(this.#tree, this.#compiled, found, { wrapping, section, decorators: [] });
		if (header.exported) for (const name of names) this.export(name, around);
	}

	/** Adds the further names of a definition that has a chunk. */
	addOthers(found: Found, line: number): void {
		for (const name of listOtherNames(this.#tree, this.#compiled, found)) this.#push(found, name, line, true);
	}

	/** Adds the names of a destructuring definition. */
	addParts(node: number): void {
		for (const part of listDefinedParts(this.#tree, this.#compiled, node)) {
			const line = this.#lines.lineAt(this.#tree.start[part.nameNode] ?? 0);
			this.add(part, line, findWrapping(this.#tree, this.#compiled, part));
		}
	}

	addCalled(node: number): void {
		const { qualifiedName } = this.#scopes.current;
		const called = listCalledSymbols(this.#tree, this.#compiled, this.#lines, node);
		for (const { name } of called) if (this.#compiled.spec.assignedFields) this.#isTaken(qualifiedName, name);
		this.#pushAll(called);
		const given = readCalledVisibility(this.#tree, this.#compiled, node);
		for (const name of given?.names ?? [])
			if (given) this.visibleLater.set(qualifiedName === "" ? name : `${qualifiedName}.${name}`, given.visibility);
	}

	/** `module.exports = { a, b }` exports both; `exports.a = 1` also declares it. */
	addAssigned(node: number): void {
		const { names, declared } = listAssignedExports(this.#tree, this.#compiled, node);
		for (const { outside, inside } of names) {
			this.#exports.add(outside);
			this.exportedLater.add(inside);
		}
		if (declared) this.#pushAll([{ kind: "variable", name: declared.name, line: this.#lines.lineAt(declared.at) }]);
	}

	/** `self.name = name` in a constructor, unless the class has the name already. */
	addFields(node: number): void {
		const { qualifiedName } = this.#scopes.current;
		const owner = qualifiedName.slice(0, qualifiedName.lastIndexOf("."));
		for (const { name, at } of listAssignedFields(this.#tree, this.#compiled, node)) {
			if (this.#isTaken(owner, name)) continue;
			this.#pushAll([{ kind: "property", name, line: this.#lines.lineAt(at) }]);
		}
	}

	/** Whether a type has a member of that name already; from now on it has one. */
	#isTaken(owner: string, name: string): boolean {
		// Ruby's `attr_reader :name` is about `@name`.
		const key = `${owner}.${name.replace("@", "")}`;
		if (this.#members.has(key)) return true;
		this.#members.add(key);
		return false;
	}

	addExported(list: number): void {
		const { names, declared } = readExportLists(this.#tree, this.#compiled, list);
		for (const name of names) this.#exports.add(name);
		for (const name of declared) this.exportedLater.add(name);
	}

	/** Of several functions with the same name, any one that is public makes the name public. */
	#declare(qualifiedName: string, visibility: Visibility): void {
		if (this.declared.get(qualifiedName) !== "public") this.declared.set(qualifiedName, visibility);
	}

	#push(found: Found, name: string, line: number, hasBody: boolean): void {
		const { symbols } = this.#scopes.log.holderOf(line);
		const { current } = this.#scopes;
		const kind = found.rule?.member ? found.kind : findMemberKind(this.#tree, this.#compiled, current, found);
		if (symbols.length === MAX_SYMBOLS || isRepeated(symbols.at(-1), kind, name, line)) return;
		const isCallable = CALLABLE.has(kind) && !this.#scopes.isLocal(found.node);
		const { namespace } = this.#scopes;
		const around = this.#scopes.ownerIn(this.#scopes.around(found.node));
		const owner = [around, found.owner].filter((one) => one !== "").join(".");
		if (this.#compiled.spec.assignedFields) this.#isTaken(owner, name);
		const callable = { owner, hasBody, ...(namespace !== "" && { namespace }) };
		symbols.push({ kind, name, line, ...(isCallable && { callable }) });
	}

	#pushAll(found: readonly InnerSymbol[]): void {
		const { symbols } = this.#scopes.log.current;
		symbols.push(...found.slice(0, MAX_SYMBOLS - symbols.length));
	}
}

/** Whether a function has the name of the symbol whose value it is: `const a = function a() {}`. */
function isRepeated(last: InnerSymbol | undefined, kind: ChunkKind, name: string, line: number): boolean {
	return last?.name === name && last.line === line && CALLABLE.has(last.kind) && CALLABLE.has(kind);
}
