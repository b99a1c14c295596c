/** Thrown when the index changed or was replaced while a search was under way; the caller searches the new one. */
export class GenerationChanged extends Error {}
