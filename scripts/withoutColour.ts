// Loaded into the process of every test file: on a terminal Node tells these to print colour, and what they start would too.
delete process.env.FORCE_COLOR;
