const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < 22 || (major === 22 && minor < 17)) {
  console.error(`Courtside needs Node 22.17 or newer, and this is ${process.version}: use npm start, which brings its own.`);
  process.exit(1);
}

// Imported only now: an older Node would stumble over what these files import before it could be told so.
const { default: closeWithGrace } = await import('close-with-grace');
const { loadConfig } = await import('./config.js');
const { Opened } = await import('./lifecycle/opened.js');
const { start } = await import('./lifecycle/start.js');
const { StartProblem } = await import('./start-problem.js');

const opened = new Opened();
let stopping = 0;
const grace = closeWithGrace({ delay: 25_000, logger: false, skip: ['SIGINT', 'SIGTERM', 'SIGHUP'] }, async ({ err }) => {
  if (err) console.error('Courtside stops because of an unexpected error.', err);
  await opened.close();
});

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => {
    if (!stopping) {
      stopping = Date.now();
      // Who presses Ctrl-C waits for the end; who sends SIGTERM has others to serve requests, who have to be told.
      if (signal === 'SIGTERM') void opened.drain().then(() => grace.close());
      else grace.close();
    } else if (Date.now() - stopping > 1000) {
      // Under npm one Ctrl-C arrives twice, from the terminal and from npm; only a later one means: at once.
      process.exit(1);
    }
  });
}
// A reader of the output that goes away, such as `head`, is no reason to stop.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);

try {
  await start(loadConfig(), opened);
} catch (error) {
  // What fails because a signal is just closing it is no news.
  if (!stopping) {
    console.error(error instanceof StartProblem ? error.message : error);
    await opened.close();
    process.exit(1);
  }
}

export {};
