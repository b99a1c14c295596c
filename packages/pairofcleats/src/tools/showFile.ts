import { inRepository } from "../query/inRepository.ts";
import type { FileText } from "../repo/repository.ts";
import type { ToolCall, ToolHandler } from "../workspace/toolCall.ts";

/** Limited, because clients keep the text in their context. The next lines are one more call. */
const MOST_LETTERS = 80_000;

export const handler: ToolHandler<"show_file"> = async ({ path, startLine, endLine }, call) => {
	const { label, root, engine } = await call.repository();
	const whole = startLine === undefined && endLine === undefined;
	const range = { start: startLine ?? 1, end: endLine ?? Number.MAX_SAFE_INTEGER };
	const file = await engine.show(inRepository(root, path), whole ? undefined : range);
	return { repo: label, file: file.text.length > MOST_LETTERS ? cut(file, call) : file };
};

/** As many whole lines as fit, or the beginning of a longer line. */
function cut(file: FileText, { warn }: Pick<ToolCall, "warn">): FileText {
	const fits = file.text.slice(0, MOST_LETTERS);
	const end = file.text[MOST_LETTERS] === "\n" ? MOST_LETTERS : fits.lastIndexOf("\n");
	const text = end < 0 ? fits : fits.slice(0, end);
	const endLine = file.startLine + text.split("\n").length - 1;
	const message =
		end < 0
			? `line ${endLine} has more than ${MOST_LETTERS} letters; its beginning is shown`
			: `lines ${endLine + 1} to ${file.endLine} are left out; startLine ${endLine + 1} goes on with them`;
	warn({ code: "text_cut", field: "endLine", message });
	return { ...file, text, endLine };
}
