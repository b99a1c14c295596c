/** All numbers that ranking depends on. Fitted on one half of the benchmark's repositories and checked on the other. */
export type Weights = typeof WEIGHTS;

export const WEIGHTS = {
	/** BM25 over chunks and over whole files. */
	chunkK1: 5,
	chunkB: 0.75,
	fileK1: 1.1,
	fileB: 0.5,
	/** Weight of a term in a field, relative to the body. */
	name: 2.5,
	doc: 0.5,
	stem: 1.2,
	folder: 1,
	/** Weight of the whole identifier, relative to its parts. */
	wholeWord: 0.6,
	/** Weight of another word of the same family. */
	related: 0.25,
	/** Share of the file's own score; the rest is its best chunk's. */
	fileShare: 0.5,
	/** Added for the share of the query's words in the path. */
	path: 0.75,
	pathFolder: 0.4,
	/** Added, times the above, for the share of the file name's words in the query. */
	pathCovered: 0.65,
	/** Paths count less for a long question and for a report. */
	longQueryWords: 14,
	reportPath: 0.6,
	/** Weight of a word in a report's title and in its pasted parts, relative to its prose. */
	titleWords: 4,
	shownWords: 0.35,
	/** Exponent for the words that a report repeats. */
	reportPower: 0.6,
	/** Added to a file that the query names, for example in a stack trace. */
	mention: 0.6,
	/** Added on top if the query names a line or a function of the file. */
	mentionedLine: 0.4,
	/** Instead of the above if the query asks for that line: one frame nearer outweighs words and paths together. */
	askedLine: 10,
	/** Added to the only file that the query can mean if it is just the name of one. */
	askedFile: 10,
	/** Added to a file that contains the query's text, times the share of the query that it has. */
	writtenOut: 1,
	/** Added to a file in a language that the query names. */
	language: 0.3,
	/** Added to a chunk that defines the symbol asked for. */
	definition: 3,
	definitionInQuestion: 0.6,
	definitionInReport: 0.2,
	/** Instead, if the words of the question make up the symbol's name. */
	definitionSpelled: 1.7,
	/** Share of all chunks that have a name at which its definition counts half in a question. */
	commonName: 0.005,
	/** A name in fewer chunks than this is not common, however small the repository. */
	commonNameLeast: 8,
	definitionStem: 0.5,
	/** Added per doubling of the file's length: small files reopen a class, a large one defines it. */
	definitionLength: 0.012,
	/** Factor for lines outside every declaration, and for an index.ts or __init__.py that declares nothing. */
	looseLines: 0.75,
	/** Factor for each further hit of the same file. */
	sameFile: 0.5,
	/**
	 * Factors for files that people rarely look for. A query of more than `askingWords` words asks for no kind of file.
	 */
	askingWords: 20,
	test: 0.4,
	vendored: 0.5,
	generated: 0.5,
	example: 0.6,
	declaration: 0.8,
	prose: 0.4,
	data: 0.5,
	/** Factor for a file with only parts of the query's identifier, if others have it whole. */
	partsOnly: 0.2,
	/** Weight of vector similarity, for questions, those that name a declaration, symbols and reports. */
	vector: 0.8,
	vectorNamed: 0.5,
	vectorSymbol: 0.1,
	vectorReport: 0.4,
};
