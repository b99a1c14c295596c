/** Words of a question that say nothing about its subject. Ranking ignores them; the index has them. */
export const STOP_WORDS: ReadonlySet<string> = new Set(
	`a an and are as at be been but by can could do does done for from had has have how i if in into is it its
	me my of on or our should so such than that the their them then there these they this those to up us was we were
	what when where which while who why will with would you your about also any each etc here just like most
	not only other over same some such too very via find show code works work used uses using implementation implemented
	implement implements`
		.split(/\s+/)
		.filter((word) => word !== ""),
);
