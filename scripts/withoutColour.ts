// On a terminal Node tells the processes of test files to print colour, and what they start would too.
// `npm test` loads this into each of them; those that compare texts also import it, to run by themselves.
delete process.env.FORCE_COLOR;
