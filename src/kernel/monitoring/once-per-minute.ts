/** Limits error reports to one per minute. While the database is unavailable, every poll fails. */
export function oncePerMinute(report: (error: Error) => void): (error: Error) => void {
  let quietUntil = 0;
  return (error) => {
    if (Date.now() < quietUntil) return;
    quietUntil = Date.now() + 60_000;
    report(error);
  };
}
