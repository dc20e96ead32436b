import { createHash } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { isWholeLog } from './database-files.js';

const record = (text: string): string =>
  `OVSDB JSON ${text.length} ${createHash('sha1').update(text).digest('hex')}\n${text}`;
const WHOLE = record('{"name":"OVN_Northbound"}\n') + record('{"_date":1}\n');

describe('the file of a database', () => {
  it.each([
    ['is whole as it was written', WHOLE, true],
    ['is damaged if it is empty', '', false],
    ['is damaged without the end of its last record', WHOLE.slice(0, -3), false],
    ['is damaged without the end of a header', WHOLE.slice(0, 20), false],
    ['is damaged if a byte is another', WHOLE.replace('_date', '_data'), false],
    ['is damaged if something stands behind', `${WHOLE}\0`, false],
    ['is damaged if it is something else', 'hello\n', false],
  ])('%s', (_, text, isWhole) => {
    expect(isWholeLog(Buffer.from(text))).toBe(isWhole);
  });
});
