/** The type at the end of what is written, or in its brackets: `final Long`, `int?`, `List<UUID>`, `java.time.LocalDate`. */
const PLAIN =
	/(?:^|(?<!,)[\s<[.])(?:u?int(?:eger|\d+)?|u?long|u?short|s?byte|float|double|decimal|bool(?:ean)?|big(?:integer|decimal)|uuid|guid|date(?:time(?:offset)?|only)?|timeonly|local(?:date|time|datetime)|instant)[>\][?]*$/i;

/** Whether values of a type are numbers, truth values, dates or the like, which cannot carry code. */
export function isPlainType(written: string): boolean {
	return PLAIN.test(written.trim());
}
