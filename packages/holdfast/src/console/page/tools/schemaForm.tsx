import { useId } from "preact/hooks";
import { showHidden } from "../parts/text.ts";
import {
	type FieldKind,
	findKind,
	hasOthers,
	isRequired,
	listChoices,
	listProperties,
	type Property,
	type Schema,
} from "./argumentSchema.ts";
import { type Fields, OTHERS } from "./schemaFields.ts";

type SchemaFormProps = {
	readonly schema: Schema;
	readonly fields: Fields;
	readonly onChange: (fields: Fields) => void;
};

const ANY_OBJECT: Property = { types: ["object"], nullable: false };

/** A form for a tool's arguments; those without a field of their own are written as JSON. */
export function SchemaForm({ schema, fields, onChange }: SchemaFormProps) {
	const properties = Object.entries(listProperties(schema));
	const { [OTHERS]: written = "" } = fields;
	const others = hasOthers(schema) && (
		<Field
			name={properties.length === 0 ? "Arguments" : "Other arguments"}
			schema={ANY_OBJECT}
			required={false}
			value={written}
			onChange={(value) => onChange({ ...fields, [OTHERS]: value })}
		/>
	);
	if (properties.length === 0) return others || <p class="hint">It takes no arguments.</p>;
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
	if (optional.length <= 6)
		return (
			<>
				{[...required, ...optional].map(field)}
				{others}
			</>
		);
	return (
		<>
			{required.map(field)}
			<details>
				<summary>{optional.length} more, all optional</summary>
				<div class="stack">{optional.map(field)}</div>
			</details>
			{others}
		</>
	);
}

type FieldProps = {
	name: string;
	schema: Property;
	required: boolean;
	value: string;
	onChange: (value: string) => void;
};

const HINTS: Readonly<Record<FieldKind, string>> = {
	text: "",
	number: "number",
	boolean: "",
	choice: "",
	lines: "one per line, or a JSON list",
	json: "JSON",
	"text or json": "text, or JSON",
};

function Field({ name, schema, required, value, onChange }: FieldProps) {
	const kind = findKind(schema);
	const id = useId();
	const described = typeof schema.description === "string" ? { "aria-describedby": `${id}-says` } : {};
	return (
		<div class="field">
			<label htmlFor={id}>
				{showHidden(name)}
				{required && (
					<span class="required" aria-hidden="true">
						{" "}
						*
					</span>
				)}{" "}
				<span class="muted">{HINTS[kind]}</span>
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
					{showHidden(schema.description)}
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
			const choices = kind === "boolean" ? [true, false] : (listChoices(schema) ?? []);
			return (
				<select {...attributes} value={value} onChange={change}>
					<option value="">–</option>
					{choices.map((choice) => (
						<option key={JSON.stringify(choice)} value={JSON.stringify(choice)}>
							{showHidden(typeof choice === "string" && choice.trim() !== "" ? choice : JSON.stringify(choice))}
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
		case "text or json":
			// Not an input, because that removes line breaks from pasted text.
			return (
				<textarea
					{...attributes}
					class="text"
					rows={Math.min(MOST_ROWS, value.split("\n").length)}
					spellcheck={false}
					value={value}
					onInput={change}
				/>
			);
	}
}

const MOST_ROWS = 12;

/** Whether a key is Enter in a one-line text, where it submits as in an input; Shift+Enter starts a new line. */
export function isEndOfLine({ key, shiftKey, isComposing, target }: KeyboardEvent): boolean {
	if (key !== "Enter" || shiftKey || isComposing) return false;
	return target instanceof HTMLTextAreaElement && target.className === "text" && !target.value.includes("\n");
}
