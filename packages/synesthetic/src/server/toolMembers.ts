/**
 * The members of a tools/call result. Built as text, because the result is text already and is sent twice: as a value
 * and as a string.
 */
export function toolMembers(result: string, isError: boolean): string {
	const content = `"content":[{"type":"text","text":${JSON.stringify(result)}}],"structuredContent":${result}`;
	return isError ? `${content},"isError":true` : content;
}
