import { isObject, type JsonObject } from "../contract/json.ts";
import type { Kind } from "./kinds.ts";
import { SETTINGS } from "./settings.ts";

const TEXTS = { type: "array", items: { type: "string" } };

const SERVER = {
	type: "object",
	properties: {
		command: { type: "string", description: "program to start; its standard streams carry MCP" },
		args: TEXTS,
		env: { type: "object", additionalProperties: { type: ["string", "number", "boolean"] } },
		cwd: { type: "string" },
		url: { type: "string", description: "http or https address of a server that runs already" },
		type: { enum: ["stdio", "http", "streamable", "streamable-http", "streamableHttp", "sse"] },
		headers: { type: "object", additionalProperties: { type: ["string", "number", "boolean"] } },
		oauth: {
			type: "object",
			description: "the client we are: one registered for us, or the https address of a document that describes us",
			properties: {
				client_id: { type: "string" },
				client_secret: { type: "string" },
				client_metadata_url: { type: "string" },
			},
			oneOf: [{ required: ["client_id"] }, { required: ["client_metadata_url"] }],
			additionalProperties: false,
		},
		description: { type: "string" },
		protocol: { enum: ["auto", "legacy", "modern"] },
		elicitation: { type: "boolean", description: "let it ask callers in the middle of a call" },
		execution_timeout: {
			// No pattern here: the reader's error names durations, and ${VAR} may stand for one.
			type: ["string", "number"],
			description:
				"how long one of its tools may run without reporting progress, such as 500ms, 30s or 10m; execution.timeout unless given",
		},
		execution_total_timeout: {
			type: ["string", "number"],
			description:
				"how long one of its tools may run in all while it reports progress; execution.total_timeout unless given",
		},
		include: TEXTS,
		exclude: TEXTS,
		disabled: { type: "boolean" },
		enabled: { type: "boolean" },
	},
};

const TOOLSET = {
	type: "object",
	properties: { description: { type: "string" }, tools: TEXTS, exclude: TEXTS },
	required: ["tools"],
	additionalProperties: false,
};

const STEP = {
	type: "object",
	properties: { id: { type: "string" }, tool_id: { type: "string" }, inputs: { type: "object" } },
	required: ["tool_id"],
	additionalProperties: false,
};

const SKILL = {
	type: "object",
	properties: {
		description: { type: "string" },
		toolset_id: { type: "string" },
		steps: { type: "array", minItems: 1, items: STEP },
	},
	required: ["steps"],
	additionalProperties: false,
};

/** Fields of a server that are read, some only as other clients write them. */
export const SERVER_FIELDS: readonly string[] = [
	...Object.keys(SERVER.properties),
	"serverUrl",
	"httpUrl",
	"transport",
];

/** Sections of the file that other modules parse themselves. */
export const OPEN_SECTIONS = ["auth", "policy", "quarantine"] as const;

/** The JSON Schema of a configuration file; settings come from their table. */
export function createFileSchema(): JsonObject {
	const properties: Record<string, unknown> = {
		$schema: { type: "string" },
		import: { ...TEXTS, description: "files of other clients whose mcpServers or servers block is taken as it is" },
		mcpServers: { type: "object", additionalProperties: SERVER },
		toolsets: { type: "object", additionalProperties: TOOLSET },
		skills: { type: "object", additionalProperties: SKILL },
		...Object.fromEntries(OPEN_SECTIONS.map((name) => [name, { type: "object" }])),
	};
	for (const { key, kind, says, default: standard } of Object.values(SETTINGS)) {
		place(properties, key.split("."), { ...kindSchema(kind), description: says, default: standard });
	}
	return {
		$schema: "https://json-schema.org/draft/2020-12/schema",
		title: "metatools configuration",
		type: "object",
		properties,
		additionalProperties: false,
	};
}

type Section = {
	readonly type: "object";
	readonly properties: Record<string, unknown>;
	readonly additionalProperties: false;
};

function place(properties: Record<string, unknown>, path: readonly string[], schema: JsonObject): void {
	const [head = "", ...rest] = path;
	if (rest.length === 0) {
		properties[head] = schema;
		return;
	}
	const known = properties[head];
	const section: Section = isSection(known) ? known : { type: "object", properties: {}, additionalProperties: false };
	properties[head] = section;
	place(section.properties, rest, schema);
}

function isSection(value: unknown): value is Section {
	return isObject(value) && isObject(value.properties);
}

/** Without nested repetition, which would not be checked; the rest is told when the setting is read. */
export const DURATION_PATTERN = "^\\d[\\d.hms]*[hms]$";

function kindSchema(kind: Kind): JsonObject {
	switch (kind.type) {
		case "text":
			return { type: "string" };
		case "boolean":
			return { type: ["boolean", "string"] };
		case "choice":
			return { enum: kind.choices };
		case "duration":
			return { type: ["string", "number"], pattern: DURATION_PATTERN };
		case "integer":
		case "number":
			// A number may be written as text, since ${VAR} yields text.
			return {
				type: [kind.type, "string"],
				...(kind.min !== undefined && { minimum: kind.min }),
				...(kind.max !== undefined && { maximum: kind.max }),
			};
	}
}
