/** A text as its UTF-16 units: reading those costs a fraction of asking a string for each. */
export class CodeUnits {
	#bytes: Buffer<ArrayBuffer> = Buffer.allocUnsafeSlow(1 << 17);
	units: Uint16Array = new Uint16Array(this.#bytes.buffer);
	length = 0;

	/** Takes another text; the one before is gone. */
	load(text: string): this {
		if (text.length > this.units.length) {
			this.#bytes = Buffer.allocUnsafeSlow(text.length * 4);
			this.units = new Uint16Array(this.#bytes.buffer);
		}
		this.#bytes.write(text, 0, "utf16le");
		this.length = text.length;
		return this;
	}
}
