import { describe, expect, it } from '@jest/globals';
import { readFromAgent, readFromHost, type Board } from './messages.js';
import { buildIdOf } from './program.js';

const FILE = { path: 'lib/compute.js', bytes: 3, sha256: 'a'.repeat(64) };
const BOARD: Board = {
  type: 'board',
  protocol: 1,
  kind: 'compute',
  entry: FILE.path,
  environment: { COMPUTE_SECRET_KEY: 'most secret' },
  files: [FILE],
};
const encoded = (value: unknown): Buffer => Buffer.from(JSON.stringify(value));

describe('messages', () => {
  it('are read as they were sent', () => {
    expect(readFromAgent(encoded(BOARD))).toEqual(BOARD);
    const exited = { type: 'exited', code: 143 };
    expect(readFromHost(encoded(exited))).toEqual(exited);
  });

  it.each([
    ['another protocol', { protocol: 2 }, 'protocol must be 1'],
    ['an unknown kind', { kind: 'storage' }, 'kind must be one of'],
    ['an entry that is not among the files', { entry: 'other.js' }, 'entry must be one of'],
    ['a path that leads out', { files: [{ ...FILE, path: '../lib' }] }, 'within the program'],
    ['an absolute path', { files: [{ ...FILE, path: '/etc/passwd' }] }, 'within the program'],
    ['one path twice', { files: [FILE, FILE] }, 'no two files'],
    ['a negative length', { files: [{ ...FILE, bytes: -1 }] }, 'bytes at most'],
    ['a hash that is none', { files: [{ ...FILE, sha256: 'A'.repeat(64) }] }, 'hexadecimal'],
    ['a setting that is no text', { environment: { A: 1 } }, 'a value in the environment'],
    ['a name with an equals sign', { environment: { 'A=B': '' } }, 'a name in the environment'],
  ])('with %s are refused', (_, change, message) => {
    expect(() => readFromAgent(encoded({ ...BOARD, ...change }))).toThrow(message);
  });

  it('are not quoted where they are refused', () => {
    const cut = encoded(BOARD).subarray(0, -1);
    expect(() => readFromAgent(cut)).toThrow('a message is not valid: the body must be JSON');
  });
});

describe('a build', () => {
  it('is named by its files in any order', () => {
    const other = { ...FILE, path: 'other.js' };
    expect(buildIdOf([FILE, other])).toBe(buildIdOf([other, FILE]));
    expect(buildIdOf([FILE])).not.toBe(buildIdOf([{ ...FILE, path: 'b.js' }]));
  });
});
