/** Width of the progress bar, in characters. */
const width = 30;

/** Returns a function that reports progress: as a progress bar on a terminal, or else as a line after each tenth of the requests. */
export function createProgressReporter(
  total: number,
  { isTTY, write }: { isTTY: boolean; write: (text: string) => unknown },
): (count: number) => void {
  let reportedTenth = 0;
  return (count) => {
    if (isTTY) {
      const filledWidth = Math.round((count / total) * width);
      const end = count === total ? '\n' : '';
      write(`\r${'█'.repeat(filledWidth)}${'░'.repeat(width - filledWidth)} ${count}/${total}${end}`);
      return;
    }
    const tenth = Math.floor((count * 10) / total);
    if (tenth === reportedTenth) return;
    reportedTenth = tenth;
    write(`${count} of ${total} requests\n`);
  };
}
