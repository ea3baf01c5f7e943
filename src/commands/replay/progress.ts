const width = 30;

/** Tells how far it is: a bar that moves on a terminal, else a line at each tenth. */
export function progressOf(
  total: number,
  { isTTY, write }: { isTTY: boolean; write: (text: string) => unknown },
): (count: number) => void {
  let told = 0;
  return (count) => {
    if (isTTY) {
      const full = Math.round((count / total) * width);
      const end = count === total ? '\n' : '';
      write(`\r${'█'.repeat(full)}${'░'.repeat(width - full)} ${count}/${total}${end}`);
      return;
    }
    const tenth = Math.floor((count * 10) / total);
    if (tenth === told) return;
    told = tenth;
    write(`${count} of ${total} requests\n`);
  };
}
