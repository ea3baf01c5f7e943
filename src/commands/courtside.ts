import type { Program } from './program.js';

/** The executable `courtside`. Its commands need only the packages of a production install. */
export const courtside: Program = {
  name: 'courtside',
  description: 'Runs and operates the Courtside service. Environment variables configure it: see docs/configuration.md.',
  commands: {
    start: {
      summary: 'Start the service.',
      load: () => import('./start.js'),
    },
    migrate: { summary: 'Migrate the database, separately from the service.', load: () => import('./migrate.js') },
    doctor: {
      summary: 'Check the installation: settings, database, mail server, disk and memory.',
      load: () => import('./doctor.js'),
    },
    admin: { summary: 'Manage platforms, publishable keys, users and roles.', load: () => import('./admin.js') },
    jobs: { summary: 'List emails and text messages that failed, and send them again.', load: () => import('./jobs.js') },
    export: { summary: 'Write all data to a directory, with a data dictionary.', load: () => import('./export.js') },
    import: { summary: 'Import an export, or records of another system.', load: () => import('./import.js') },
    record: { summary: 'Record the traffic of a server in a HAR file.', load: () => import('./record.js') },
    replay: { summary: 'Replay a recording to two servers and compare their responses.', load: () => import('./replay.js') },
    sdk: { summary: 'Write the TypeScript SDK to a directory.', load: () => import('./sdk.js') },
  },
  footer: `Options:
  --help     Show this help, or the help of a command.
  --version  Print the version.

Examples:
  courtside start
  courtside admin user create ana@example.com --super-admin
  courtside jobs --help

Exit codes: 0 for success, 1 for an error, 2 for invalid arguments.`,
};
