import type { Command } from '../process/command.js';
import { importDatabase } from '../transfer/import-database.js';
import { runTransfer } from '../transfer/run-transfer.js';

const usage = `Usage: courtside import <directory> [options]

Reads a directory that "export" has written into an empty database, and creates its tables if necessary. Imports all rows or none. The release must
be the one that wrote the directory.

The database is DATABASE_URL, or else the embedded database, which must not be running.

Options:
  --database-url <url>  Database to fill. Default: DATABASE_URL, or else the embedded database in DATA_DIR.
  --help                Show this help.

Examples:
  courtside import courtside-export --database-url postgresql://courtside:letters@db.example.com/courtside
  DATA_DIR=.restored courtside import courtside-export

Exit codes: 0 for success, 1 for an error, 2 for invalid arguments.`;

async function run(args: string[]): Promise<number> {
  const { directory, rows, seconds } = await runTransfer('import', args, importDatabase);
  console.log(`Imported ${rows} rows from ${directory} in ${seconds.toFixed(1)} s.`);
  return 0;
}

export const command: Command = { usage, run };
