import { describe, expect, it } from '@jest/globals';
import { readArguments } from './arguments.js';
import type { Command } from './command.js';
import { UsageError } from './command-error.js';

const create: Command = {
  words: ['thing', 'create'],
  operands: ['NAME'],
  options: {
    colour: { type: 'string', value: 'COLOUR', about: 'of the thing' },
    part: { type: 'string', multiple: true, value: 'PART', about: 'that it has' },
    quick: { type: 'boolean', about: 'do not wait' },
  },
  summary: 'create a thing',
  details: [],
  prepare: () => () => Promise.resolve(),
};

describe('the arguments of a command', () => {
  it('are its operands and options', () => {
    const argv = ['thing', 'create', '--colour', 'red', 'a', '--part', 'x', '--part=y', '--quick'];
    expect(readArguments(argv, [create])).toEqual({
      kind: 'run',
      command: create,
      args: { operands: ['a'], options: { colour: 'red', part: ['x', 'y'], quick: true } },
      cloud: undefined,
    });
  });

  it('accept the name of a cloud for every command', () => {
    const argv = ['thing', 'create', 'a', '--cloud', 'mine'];
    expect(readArguments(argv, [create])).toMatchObject({ cloud: 'mine', args: { options: {} } });
  });

  it.each([
    ['nothing', [], 'A command is missing'],
    ['an unknown command', ['thing', 'paint', '--quick'], "Unknown command 'thing paint'"],
    ['an incomplete command', ['thing'], "Unknown command 'thing'"],
    ['an unknown option', ['thing', 'create', 'a', '--size', '3'], "Unknown option '--size'"],
    [
      'an option without a value',
      ['thing', 'create', 'a', '--colour'],
      "Option '--colour <value>' argument missing",
    ],
    [
      'an option in place of a value',
      ['thing', 'create', 'a', '--colour', '--quick'],
      "Option '--colour' argument is ambiguous",
    ],
    ['no operand', ['thing', 'create'], 'NAME is missing'],
    ['too many operands', ['thing', 'create', 'a', 'b'], "Unexpected argument 'b'"],
  ])('with %s are refused in one line', (_, argv, message) => {
    expect(() => readArguments(argv, [create])).toThrow(new UsageError(message));
  });

  it('with --help request help, whatever else they contain', () => {
    expect(readArguments(['--help'], [create])).toEqual({ kind: 'help', command: undefined });
    expect(readArguments(['thing', 'create', '--size', '-h'], [create])).toEqual({
      kind: 'help',
      command: create,
    });
  });
});
