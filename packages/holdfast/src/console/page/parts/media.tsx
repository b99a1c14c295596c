type Content = { readonly type?: unknown; readonly data?: unknown; readonly mimeType?: unknown };

/** Shows the images and plays the audio in a tool's answer; the rest is shown as text elsewhere. */
export function Media({ content }: { content: readonly Content[] }) {
	const pictures = content.flatMap((part) => addressOf(part, "image"));
	const sounds = content.flatMap((part) => addressOf(part, "audio"));
	return (
		<>
			{pictures.map((address, place) => (
				<img key={place} class="picture" src={address} alt={`Number ${place + 1} in the answer`} />
			))}
			{sounds.map((address, place) => (
				// biome-ignore lint/a11y/useMediaCaption: servers send no captions
				<audio key={place} controls src={address} aria-label={`Sound ${place + 1} of the answer`} />
			))}
		</>
	);
}

/** Checks the media type and the data strictly, because untrusted text becomes a data URL. */
function addressOf({ type, data, mimeType }: Content, kind: "image" | "audio"): string[] {
	if (type !== kind || typeof data !== "string" || typeof mimeType !== "string") return [];
	const isKnown = mimeType.startsWith(`${kind}/`) && /^\w+\/[\w.+-]+$/.test(mimeType);
	return isKnown && /^[A-Za-z0-9+/]+={0,2}$/.test(data) ? [`data:${mimeType};base64,${data}`] : [];
}
