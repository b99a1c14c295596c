/** For a longer namespace, its first names are enough. */
const LONGEST = 16_000;
/** Deeper forms are read as part of their parent. Nobody nests imports that deep. */
const DEEPEST = 32;

type Form = string | readonly Form[];

/**
 * The names that a nested form imports: `(:require [a.b :as c] d)` names `a.b` and `d`, `(:import (a B C))` names `a.B`
 * and `a.C`.
 */
export function importedForms(text: string): string[] {
	const [form = []] = formsOf(text.slice(0, LONGEST).replace(/;.*/g, ""));
	return typeof form === "string" ? [] : form.slice(1).flatMap(namesOf);
}

function namesOf(form: Form): readonly string[] {
	if (typeof form === "string") return /^[a-z_*]/i.test(form) ? [form] : [];
	const [head, ...rest] = form;
	// The head is no namespace, but for example the platform of the forms after it.
	if (typeof head !== "string" || !/^[a-z_*]/i.test(head)) return form.flatMap(namesOf);
	const options = rest.findIndex((one) => typeof one === "string" && one.startsWith(":"));
	const members = (options < 0 ? rest : rest.slice(0, options)).flatMap(namesOf);
	return members.length === 0 ? [head] : members.map((member) => `${head}.${member}`);
}

function formsOf(text: string): readonly Form[] {
	const top: Form[] = [];
	const open = [top];
	for (const [token] of text.matchAll(/[()[\]{}]|"[^"]*"|[^\s()[\]{}"',]+/g)) {
		if (/^[([{]/.test(token)) {
			const around = open.at(-1) ?? top;
			const inner: Form[] = open.length < DEEPEST ? [] : around;
			if (inner !== around) around.push(inner);
			open.push(inner);
		} else if (!/^[)\]}]/.test(token)) open.at(-1)?.push(token);
		else if (open.length > 1) open.pop();
	}
	return top;
}
