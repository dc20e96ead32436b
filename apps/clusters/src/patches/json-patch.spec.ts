import { describe, expect, it } from '@jest/globals';
import { changedIn, changesOf, InvalidPatchError, patched, type PatchRules } from './json-patch.js';

const DOCUMENT = {
  name: 'one',
  note: null,
  labels: { a: '1', 'x/y': '2' },
  taints: null,
  count: 3,
  state: 'ready',
};
const RULES: PatchRules = {
  internal: ['state'],
  mandatory: ['name'],
  structured: ['labels', 'taints'],
  defaults: { count: 1, labels: {} },
};

const after = (...changes: unknown[]): object => patched(DOCUMENT, changesOf(changes), RULES);
const set = (path: string, value: unknown, op = 'replace'): object => ({ op, path, value });

it('accepts a change outside a list', () => {
  expect(patched(DOCUMENT, changesOf(set('/name', 'two')), RULES)).toEqual({
    ...DOCUMENT,
    name: 'two',
  });
});

it('applies changes in order, without modifying its input', () => {
  expect(after(set('/labels/b', '3', 'add'), { op: 'remove', path: '/labels/a' })).toEqual({
    ...DOCUMENT,
    labels: { 'x/y': '2', b: '3' },
  });
  expect(DOCUMENT.labels).toEqual({ a: '1', 'x/y': '2' });
});

it.each<[string, object, object]>([
  ['adds to an empty attribute', set('/note', 'n', 'add'), { note: 'n' }],
  ['replaces within a map', set('/labels/a', '9'), { labels: { a: '9', 'x/y': '2' } }],
  ['reads the escapes of a pointer', set('/labels/x~1y', '9'), { labels: { a: '1', 'x/y': '9' } }],
  ['reads a map as Python writes it', set('/labels', "{'k': 'v'}"), { labels: { k: 'v' } }],
  ['leaves nothing of what is removed', { op: 'remove', path: '/note' }, { note: null }],
  ['leaves the default of what is removed', { op: 'remove', path: '/count' }, { count: 1 }],
  ['takes a value of false', set('/note', false), { note: false }],
])('%s', (_, change, expected) => {
  expect(after(change)).toEqual({ ...DOCUMENT, ...expected });
});

describe('refuses', () => {
  it.each<[string, unknown, string]>([
    ['a list without a change', [], 'A patch has 1 to 1000 changes, not 0.'],
    ['a list that is too long', Array(1_001).fill(set('/name', 'x')), 'not 1001'],
    ['what is no object', [null], 'Change 1 of the patch must be an object'],
    ['another operation', [{ op: 'move', path: '/name', from: '/note' }], "has 'from'"],
    ['an operation that is none', [set('/name', 'x', 'test')], 'add, replace, remove'],
    ['a path that is none', [set('name', 'x')], 'must have a path'],
    ['a path to nothing', [set('/', 'x')], 'must have a path'],
    ['a change without its value', [{ op: 'replace', path: '/name' }], 'needs a value'],
    ['the second change', [set('/name', 'x'), 3], 'Change 2 of the patch'],
    ['an id', [set('/uuid', 'x')], "'/uuid' is an internal attribute"],
    ['a part of what is internal', [set('/links/0', 'x', 'add')], "'/links/0' is an internal"],
    ['what the resource calls internal', [set('/state', 'x')], "'/state' is an internal"],
    ['to remove what must be', [{ op: 'remove', path: '/name' }], 'is a mandatory attribute'],
    ['an attribute that there is not', [set('/other', 'x', 'add')], "no attribute '/other'"],
    ['one that every object has', [set('/constructor', 'x')], "no attribute '/constructor'"],
    ['to add what is there', [set('/count', 4, 'add')], "please use 'replace' instead"],
    ['to replace what is not', [set('/labels/zzz', 'x')], "nothing at '/labels/zzz' to replace"],
    ['to remove what is not', [{ op: 'remove', path: '/labels/zzz' }], 'to remove'],
    ['to look into a text', [set('/name/first', 'x')], "nothing at '/name/first'"],
    ['to look too deep', [set('/labels/a/b', 'x', 'add')], "nothing at '/labels/a/b'"],
    ['what is no literal', [set('/taints', '{oops')], 'neither JSON nor a Python literal'],
  ])('%s', (_, body, words) => {
    const change = (): object => patched(DOCUMENT, changesOf(body), RULES);
    expect(change).toThrow(InvalidPatchError);
    expect(change).toThrow(words);
  });
});

it('finds attributes that differ, ignoring the order of keys', () => {
  const other = { ...DOCUMENT, labels: { 'x/y': '2', a: '1' }, count: 4 };
  expect(changedIn(DOCUMENT, other)).toEqual(['count']);
});
