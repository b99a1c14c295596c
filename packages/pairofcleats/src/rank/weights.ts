/** Every number that ranking depends on. Fitted on one half of the benchmark's repositories and checked on the other. */
export type Weights = typeof WEIGHTS;

export const WEIGHTS = {
	/** BM25 over chunks and over whole files. */
	chunkK1: 5,
	chunkB: 0.75,
	fileK1: 1.1,
	fileB: 0.5,
	/** What a term in a field counts, against one in the body. */
	name: 2.5,
	doc: 0.5,
	stem: 1.2,
	folder: 1,
	/** What the whole identifier counts, against its parts. */
	wholeWord: 0.6,
	/** What another word of the same family counts. */
	related: 0.25,
	/** Share of the file's score, against its best chunk. */
	fileShare: 0.5,
	/** Added for the share of the query's words that the path has. */
	path: 0.75,
	pathFolder: 0.4,
	/** Added, times the above, for the share of the file name's words that the query has. */
	pathCovered: 0.65,
	/** Paths say less about a long question, and about the title of a report. */
	longQueryWords: 14,
	reportPath: 0.6,
	/** What a word counts in the title of a report and in what it shows, against one in what it says. */
	titleWords: 4,
	shownWords: 0.35,
	/** How much more a word counts that a report repeats. */
	reportPower: 0.6,
	/** Added to a file that the query names, as the frames of a stack trace do. */
	mention: 0.6,
	/** Added besides where it names a line of the file, or a function in it. */
	mentionedLine: 0.4,
	/** The same where that line is what is asked for: one frame less is more than words and paths together. */
	askedLine: 10,
	/** Added, times the share of the query that it has, to a file that says what the query says. */
	writtenOut: 1,
	/** Added to a file in a language that the query names. */
	language: 0.3,
	/** Added to a chunk that defines the symbol asked for. */
	definition: 3,
	definitionInQuestion: 0.1,
	definitionInReport: 0.2,
	definitionStem: 0.5,
	/** More for each doubling of the file's words: a class is opened again in small files, and written in a large one. */
	definitionLength: 0.012,
	/** What lines outside every declaration count, against a declaration; of an index.ts or __init__.py, all that it has. */
	looseLines: 0.75,
	/** What later hits of the same file keep. */
	sameFile: 0.5,
	/** What is kept of the score of files that people rarely look for; a text of more words asks for no kind of file. */
	askingWords: 20,
	test: 0.4,
	vendored: 0.5,
	generated: 0.5,
	example: 0.6,
	declaration: 0.8,
	prose: 0.4,
	data: 0.5,
	/** What is kept of a file with parts of the identifier asked for, where others have it whole. */
	partsOnly: 0.2,
	/** Weight of vector similarity, for questions, symbols and reports. */
	vector: 0.8,
	vectorSymbol: 0.1,
	vectorReport: 0.4,
};
