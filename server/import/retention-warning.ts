const DAY_MS = 86_400_000;

/**
 * A warning that rows are too old to be taken, or `null`.
 *
 * @param oldestMs epoch ms of the oldest event that was seen, `null` when none was
 */
export function describeOldRows(
  oldestMs: number | null,
  rawRetentionDays: number,
  nowMs: number,
): string | null {
  const cutOffMs = nowMs - rawRetentionDays * DAY_MS;
  if (oldestMs === null || oldestMs >= cutOffMs) return null;
  const [oldest, cutOff] = [oldestMs, cutOffMs].map((ms) => new Date(ms).toISOString().slice(0, 10));
  return (
    `Warning: there are rows from ${oldest}. Raw attempts are kept ${rawRetentionDays} days, so rows before ` +
    `${cutOff} will be rejected.\n  To take them, raise BUSYHOUR_RAW_RETENTION_DAYS on the server first.`
  );
}

/** Warns at the first old file, and only then. */
export function createOldRowsWarning(rawRetentionDays: number, nowMs: number, say: (line: string) => void) {
  let isSaid = false;
  return (oldestMs: number | null): void => {
    const warning = isSaid ? null : describeOldRows(oldestMs, rawRetentionDays, nowMs);
    if (warning === null) return;
    isSaid = true;
    say(warning);
  };
}
