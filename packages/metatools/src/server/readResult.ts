import { pageOf } from "../run/resultStore.ts";
import { MOST_CHARS } from "./answer.ts";
import type { GatewayParts } from "./gatewayParts.ts";
import type { Metatool } from "./metatool.ts";
import { input, output, TEXT } from "./schemas.ts";

/** Room for the numbers around a page. */
const NUMBERS_CHARS = 100;

export function readResultMetatool(gateway: Pick<GatewayParts, "isTextOnly" | "results" | "settings">): Metatool {
	return {
		name: "read_result",
		title: "Read more of a result",
		description: "Read on in a cut answer: handle and offset as its notice says.",
		inputSchema: input({ handle: TEXT, offset: { type: "integer", minimum: 0 } }, ["handle"]),
		outputSchema: output(
			{ text: TEXT, offset: { type: "integer" }, totalChars: { type: "integer" }, nextOffset: { type: "integer" } },
			["text", "offset", "totalChars"],
		),
		recovery: "replay_safe",
		async handle(args, { viewer, signal }) {
			const offset = typeof args.offset === "number" ? args.offset : 0;
			const maxChars = Math.min(
				typeof args.max_chars === "number" ? args.max_chars : gateway.settings.maxChars,
				MOST_CHARS,
			);
			// If the page is also sent as JSON, each quote and line break takes two characters there.
			const isPlain = gateway.isTextOnly && args.render !== "json";
			const most = Math.max(100, Math.floor(isPlain ? maxChars : maxChars / 2) - NUMBERS_CHARS);
			const { text, media = [] } = await gateway.results.open(String(args.handle), viewer, signal);
			const page = pageOf(text, offset, most);
			const more =
				page.nextOffset === undefined
					? ""
					: `\n… ${page.totalChars - page.nextOffset} more characters from offset ${page.nextOffset}`;
			return { data: page, text: `${page.text}${more}`, ...(offset === 0 && media.length > 0 && { media }) };
		},
	};
}
