import type { GrammarSpec } from "../spec.ts";

export const POWERSHELL: GrammarSpec = {
	wholeNames: true,
	definitions: {
		function_statement: { kind: "function", name: "@function_name" },
		class_statement: { kind: "class", name: "@simple_name", container: true },
		class_method_definition: { kind: "method", name: "@simple_name", result: "@type_literal" },
		class_property_definition: { kind: "property", name: "@variable", small: true },
		enum_statement: { kind: "enum", name: "@simple_name" },
		enum_member: { kind: "property", name: "@simple_name", small: true },
	},
	comments: ["comment"],
	/** Class members have no node around them, so the body begins at the first member. */
	bodies: ["script_block", "class_property_definition", "class_method_definition", "enum_member"],
	parameters: ["function_parameter_declaration", "class_method_parameter_list"],
	/** `Base` of `class Animal : Base`, where the name is such a node too. */
	extends: ["simple_name"],
	identifiers: ["variable"],
	sigil: "$",
	calls: { command: ["command_name"] },
	returns: ["flow_control_statement:return"],
	breaks: ["flow_control_statement:break"],
	continues: ["flow_control_statement:continue"],
	throws: ["flow_control_statement:throw"],
	branches: ["if_statement", "elseif_clause", "switch_clause", "catch_clause"],
	loops: ["for_statement", "foreach_statement", "while_statement", "do_statement"],
	imports: { "command:Import-Module": "command_elements/@generic_token" },
};
