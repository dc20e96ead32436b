import { describe, expect, it } from '@jest/globals';
import { CommandError } from '../command-error.js';
import { entriesOf } from './actor.js';

describe('a clouds.yaml', () => {
  it('keeps scalars as they are written', () => {
    const text = 'clouds:\n  012:\n    auth: {password: 0x10, username: yes, project_name:}\n';
    expect(entriesOf(text, 'clouds.yaml')).toEqual({
      '012': { auth: { password: '0x10', username: 'yes', project_name: '' } },
    });
  });

  it('may use YAML aliases for common values', () => {
    const text = 'x: &x {region_name: north}\nclouds: {a: {<<: *x, auth_type: token}}\n';
    expect(entriesOf(text, 'clouds.yaml')).toEqual({
      a: { region_name: 'north', auth_type: 'token' },
    });
  });

  it.each(['', 'clouds:', 'clouds: []', 'a text'])('may have no entries (%j)', (text) => {
    expect(entriesOf(text, 'clouds.yaml')).toEqual({});
  });

  it.each([
    ['password: "hunter2', 'clouds.yaml is not YAML: see line 4'],
    ['password: *hunter2', 'clouds.yaml is not YAML'],
  ])('that is malformed is refused without revealing its contents (%#)', (field, message) => {
    const text = `clouds:\n  a:\n    ${field}\n`;
    expect(() => entriesOf(text, 'clouds.yaml')).toThrow(new CommandError(message));
  });
});
