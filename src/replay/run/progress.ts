const width = 30;

/** Reports progress: a progress bar on a terminal, or else a line for each tenth. */
export function progressOf(
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
