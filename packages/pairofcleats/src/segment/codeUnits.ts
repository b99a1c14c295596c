/** Units; what a larger text took is let go with it. */
const MOST_KEPT = 1 << 20;

/** A text as its UTF-16 units: reading those costs a fraction of asking a string for each. */
export class CodeUnits {
	#bytes: Buffer<ArrayBuffer> = Buffer.allocUnsafeSlow(1 << 17);
	units: Uint16Array = new Uint16Array(this.#bytes.buffer);
	length = 0;

	/** Takes another text; the one before is gone. */
	load(text: string): this {
		if (text.length > this.units.length || this.units.length > MOST_KEPT) {
			this.#bytes = Buffer.allocUnsafeSlow(2 * Math.max(text.length, Math.min(text.length * 2, MOST_KEPT)));
			this.units = new Uint16Array(this.#bytes.buffer);
		}
		this.#bytes.write(text, 0, "utf16le");
		this.length = text.length;
		return this;
	}
}
