export type FillRule =
	/** The words are arithmetic, which may assign: `let n=1`. */
	| { readonly kind: "arithmetic" }
	| {
			readonly kind: "words";
			/** The letters of the options that a value follows. */
			readonly valued: string;
			/** The names of variables among the other words. */
			readonly from?: number;
			readonly to?: number;
	  }
	/** The name of a variable follows an option: `printf -v name`. */
	| { readonly kind: "option"; readonly option: string };
