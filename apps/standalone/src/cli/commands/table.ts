/** Rows as a table for people, whose columns are as wide as their widest cell. Pure. */

type Row = readonly string[];

/**
 * @param rows the heading first; all of the same length
 * @param numbersFrom the first column of numbers, which stand to the right
 */
export function tableOf(rows: readonly Row[], { numbersFrom = Infinity } = {}): string {
  const [heading = []] = rows;
  const widths = heading.map((_, at) => Math.max(...rows.map((row) => row[at]?.length ?? 0)));
  return rows.map((row) => `${lineOf(row, widths, numbersFrom)}\n`).join('');
}

function lineOf(row: Row, widths: readonly number[], numbersFrom: number): string {
  const cells = row.map((cell, at) => {
    const width = widths[at] ?? 0;
    return at < numbersFrom ? cell.padEnd(width) : cell.padStart(width);
  });
  return cells.join('  ').trimEnd();
}
