import { expect, it } from '@jest/globals';
import { expectRows } from './expect-rows.js';

const judge = (row: number): void => expect(row % 3).toBe(0);

it('passes where all rows hold', async () => {
  await expectRows([3, 6], String, judge);
});

it('names every row that does not hold, with what was expected and received', async () => {
  const result = expectRows([3, 4, 6, 8], (row) => `row ${row}`, judge);
  await expect(result).rejects.toThrow(
    new Error(
      '2 of 4 rows do not hold:\n\nrow 4: expected 0, received 1\nrow 8: expected 0, received 2',
    ),
  );
});

it('shows the whole failure where values are not plain, or where a row throws', async () => {
  const result = expectRows([1, 2], String, (row) => {
    if (row === 2) throw new Error('no answer');
    expect([row]).toEqual([2]);
  });
  await expect(result).rejects.toThrow(/\n1: expect\(received\).*\+ {3}1,.*\n2: no answer$/s);
});

it('fails where there are no rows', async () => {
  await expect(expectRows([], String, judge)).rejects.toThrow('The table has no rows.');
});
