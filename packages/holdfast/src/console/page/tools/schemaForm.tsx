import { useId } from "preact/hooks";
import type { Schema } from "../model.ts";
import { type FieldKind, type Fields, isRequired, kindOf, type Property, propertiesOf } from "./schemaFields.ts";

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
