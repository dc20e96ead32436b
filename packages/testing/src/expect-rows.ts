/** A table's rows tested as one, which fails with all that do not hold, not with the first alone. */
import { stripVTControlCharacters } from 'node:util';

/**
 * @param nameOf what a row is called where it does not hold: `POST /v3/users as reader`
 * @param judge fails as a test does
 * @throws Error naming each row that does not hold, with what was expected of it and received
 */
export async function expectRows<Row>(
  rows: readonly Row[],
  nameOf: (row: Row) => string,
  judge: (row: Row) => Promise<void> | void,
): Promise<void> {
  if (rows.length === 0) throw new Error('The table has no rows.');
  const holes: string[] = [];
  for (const row of rows) {
    try {
      await judge(row);
    } catch (error) {
      holes.push(`${nameOf(row)}: ${reasonOf(error)}`);
    }
  }
  if (holes.length > 0)
    throw new Error(`${holes.length} of ${rows.length} rows do not hold:\n\n${holes.join('\n')}`);
}

/** A failed matcher of two plain values in one line; anything else as it is. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { matcherResult: { expected, actual, pass } = {} } = error as {
    matcherResult?: { expected?: unknown; actual?: unknown; pass?: boolean };
  };
  const isPlain = pass === false && Object(expected) !== expected && Object(actual) !== actual;
  return isPlain
    ? `expected ${String(expected)}, received ${String(actual)}`
    : stripVTControlCharacters(error.message);
}
