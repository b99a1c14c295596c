import { useId } from "preact/hooks";
import type { Schema } from "../model.ts";

/** What is in the form, as text, by property. */
export type Fields = Readonly<Record<string, string>>;
export type Arguments = { readonly args: Readonly<Record<string, unknown>> } | { readonly problem: string };

type FieldKind = "text" | "number" | "boolean" | "choice" | "lines" | "json";

type SchemaFormProps = {
	readonly schema: Schema;
	readonly fields: Fields;
	readonly onChange: (fields: Fields) => void;
};

/** A form for whatever a tool says it takes; what has no field of its own is written as JSON. */
export function SchemaForm({ schema, fields, onChange }: SchemaFormProps) {
	const properties = Object.entries(propertiesOf(schema));
	if (properties.length === 0) return <p class="hint">It takes no arguments.</p>;
	const mustBeFilled = ([name, property]: [string, Property]): boolean =>
		isRequired(schema, name) && !property.nullable;
	const required = properties.filter(mustBeFilled);
	const optional = properties.filter((property) => !mustBeFilled(property));
	const field = ([name, property]: [string, Property]) => (
		<Field
			key={name}
			name={name}
			schema={property}
			required={mustBeFilled([name, property])}
			value={fields[name] ?? ""}
			onChange={(value) => onChange({ ...fields, [name]: value })}
		/>
	);
	if (optional.length <= 6) return <>{[...required, ...optional].map(field)}</>;
	return (
		<>
			{required.map(field)}
			<details>
				<summary>{optional.length} more, all optional</summary>
				<div class="stack">{optional.map(field)}</div>
			</details>
		</>
	);
}

type FieldProps = { name: string; schema: Schema; required: boolean; value: string; onChange: (value: string) => void };

function Field({ name, schema, required, value, onChange }: FieldProps) {
	const kind = kindOf(schema);
	const id = useId();
	const described = typeof schema.description === "string" ? { "aria-describedby": `${id}-says` } : {};
	const hint = { text: "", number: "number", boolean: "", choice: "", lines: "one per line", json: "JSON" }[kind];
	return (
		<div class="field">
			<label htmlFor={id}>
				{name}
				{required && (
					<span class="required" aria-hidden="true">
						{" "}
						*
					</span>
				)}{" "}
				<span class="muted">{hint}</span>
			</label>
			<Control
				attributes={{ id, required, ...described }}
				kind={kind}
				schema={schema}
				value={value}
				onChange={onChange}
			/>
			{typeof schema.description === "string" && (
				<span id={`${id}-says`} class="hint wrap">
					{schema.description}
				</span>
			)}
		</div>
	);
}

type ControlProps = Omit<FieldProps, "name" | "required"> & {
	kind: FieldKind;
	attributes: { id: string; required: boolean; "aria-describedby"?: string };
};

function Control({ attributes, kind, schema, value, onChange }: ControlProps) {
	const change = (event: { currentTarget: { value: string } }): void => onChange(event.currentTarget.value);
	switch (kind) {
		case "choice":
		case "boolean": {
			const choices = kind === "boolean" ? [true, false] : (schema.enum ?? []);
			return (
				<select {...attributes} value={value} onChange={change}>
					<option value="">–</option>
					{choices.map((choice) => (
						<option key={String(choice)} value={JSON.stringify(choice)}>
							{String(choice)}
						</option>
					))}
				</select>
			);
		}
		case "number":
			return <input {...attributes} inputMode="decimal" value={value} onInput={change} />;
		case "lines":
		case "json":
			return (
				<textarea {...attributes} rows={kind === "json" ? 3 : 2} spellcheck={false} value={value} onInput={change} />
			);
		case "text":
			return <input {...attributes} spellcheck={false} value={value} onInput={change} />;
	}
}

/** Defaults, or the given arguments, as the form shows them. */
export function initialFields(schema: Schema, args?: Readonly<Record<string, unknown>>): Fields {
	const fields: Record<string, string> = {};
	for (const [name, property] of Object.entries(propertiesOf(schema))) {
		const value = args === undefined ? property.default : args[name];
		if (value === undefined || (value === null && property.nullable)) continue;
		const kind = kindOf(property);
		if (kind === "text" && typeof value === "string") fields[name] = value;
		else if (kind === "lines" && Array.isArray(value)) fields[name] = value.join("\n");
		else fields[name] = JSON.stringify(value);
	}
	return fields;
}

/** Empty fields are left out, so that the tool's own defaults hold; where one must be there and may be null, it is that. */
export function readFields(schema: Schema, fields: Fields): Arguments {
	const args: Record<string, unknown> = {};
	for (const [name, property] of Object.entries(propertiesOf(schema))) {
		const text = fields[name] ?? "";
		const kind = kindOf(property);
		if (text === "" || (kind !== "text" && text.trim() === "")) {
			if (property.nullable && isRequired(schema, name)) args[name] = null;
			continue;
		}
		if (kind === "text") args[name] = text;
		else if (kind === "lines") args[name] = text.split("\n").filter((line) => line !== "");
		else if (kind === "number") {
			if (!Number.isFinite(Number(text))) return { problem: `${name}: expected a number, got ${JSON.stringify(text)}` };
			args[name] = Number(text);
		} else {
			try {
				args[name] = JSON.parse(text);
			} catch {
				return { problem: `${name}: expected JSON, got ${JSON.stringify(text.slice(0, 60))}` };
			}
		}
	}
	return { args };
}

function kindOf({ type, enum: choices, items }: Schema): FieldKind {
	if (Array.isArray(choices)) return "choice";
	switch (type) {
		case "string":
			return "text";
		case "integer":
		case "number":
			return "number";
		case "boolean":
			return "boolean";
		case "array":
			return items?.type === "string" && items.enum === undefined ? "lines" : "json";
		default:
			return "json";
	}
}

type Property = Schema & { readonly nullable: boolean };

// A server may declare anything; what is no object schema has no fields.
function propertiesOf({ properties }: Schema): Readonly<Record<string, Property>> {
	if (typeof properties !== "object" || properties === null) return {};
	return Object.fromEntries(
		Object.entries(properties).map(([name, schema]) => [
			name,
			besidesNull(typeof schema === "object" && schema !== null ? schema : {}),
		]),
	);
}

/** What may be left out is often declared as something or null: the field is for the something. */
function besidesNull(schema: Schema): Property {
	const { type } = schema;
	const [own, ...others] = Array.isArray(type) ? type.filter((one) => one !== "null") : [];
	if (own !== undefined && others.length === 0) return { ...schema, type: own, nullable: true };
	const variants = schema.anyOf ?? schema.oneOf;
	const [only, ...more] = Array.isArray(variants) ? variants.filter((one) => one?.type !== "null") : [];
	const isNullable = Array.isArray(variants) && variants.length === 2 && more.length === 0;
	return isNullable && typeof only === "object"
		? { ...only, ...schema, nullable: true }
		: { ...schema, nullable: false };
}

/** Generators list what has a default among the required; calls may leave it out. */
export function isRequired({ required, properties }: Schema, name: string): boolean {
	return Array.isArray(required) && required.includes(name) && properties?.[name]?.default === undefined;
}
