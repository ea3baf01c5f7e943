/** Limits error reports to one per minute, because every poll fails while the database is unavailable. */
export function oncePerMinute(report: (error: Error) => void): (error: Error) => void {
  let quietUntil = 0;
  return (error) => {
    if (Date.now() < quietUntil) return;
    quietUntil = Date.now() + 60_000;
    report(error);
  };
}
