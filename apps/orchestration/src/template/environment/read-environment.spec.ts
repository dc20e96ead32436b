import { describe, expect, it } from '@jest/globals';
import { ownOf, type Json, type JsonObject } from '../../json/json.js';
import type { ReadParameter } from '../read-template.js';
import { environmentJson, environmentOf, type Environment } from './environment.js';
import { patchedEnvironment } from './derived-environment.js';
import { readEnvironment, type EnvironmentSources } from './read-environment.js';

const TYPES: Readonly<Record<string, ReadParameter['type']>> = {
  text: 'String',
  number: 'Number',
  list: 'CommaDelimitedList',
  map: 'Json',
  flag: 'Boolean',
};

const parse = (text: string): Json => JSON.parse(text) as Json;

function read(sources: Partial<EnvironmentSources>): Environment {
  return readEnvironment({ files: {}, typeOf: (name) => ownOf(TYPES, name), parse, ...sources });
}

/** Merges environments in files `0`, `1`, … */
function merged(...environments: readonly JsonObject[]): Environment {
  const files = Object.fromEntries(
    environments.map((one, at) => [String(at), JSON.stringify(one)]),
  );
  return read({ files, environmentFiles: Object.keys(files) });
}

describe('environmentOf', () => {
  it.each<[Json, string]>([
    ['text', 'The environment is not a valid YAML mapping data type.'],
    [[], 'The environment is not a valid YAML mapping data type.'],
    [{ params: {} }, 'environment has wrong section "params"'],
    [{ parameters: null }, 'environment has empty section "parameters"'],
    [{ parameters: [] }, 'The section "parameters" of the environment is not a map.'],
    [
      { encrypted_param_names: {} },
      'The section "encrypted_param_names" of the environment is not a list of names.',
    ],
    [{ event_sinks: [{ type: 'zaqar-queue' }] }, 'event_sinks is not supported'],
    [
      { resource_registry: { A: 5 } },
      'resource_registry.A is not the name of a type or of a template.',
    ],
    [
      { resource_registry: { resources: { web: { hooks: 'pre-signal' } } } },
      'Invalid hook type "pre-signal" for resource breakpoint, acceptable hook types are: pre-create,',
    ],
    [
      { resource_registry: { resources: { web: { hooks: ['pre-create', 5] } } } },
      'Invalid hook type "["pre-create",5]" for resource breakpoint',
    ],
    [
      { resource_registry: { resources: { web: { restricted_actions: 'delete' } } } },
      'Invalid restricted_action type "delete" for resource, acceptable restricted_action types are: update, replace',
    ],
  ])('refuses %j', (given, message) => {
    expect(() => environmentOf(given)).toThrow(message);
  });

  it('is empty by default', () => {
    expect(environmentJson(environmentOf(null))).toEqual({
      parameters: {},
      parameter_defaults: {},
      resource_registry: { resources: {} },
      encrypted_param_names: [],
      event_sinks: [],
    });
  });

  it('reads what environmentJson writes', () => {
    const given = {
      parameters: { a: 1 },
      parameter_defaults: { b: [2] },
      resource_registry: { A: 'b.yaml', resources: { web: { hooks: 'pre-create' } } },
    };
    const shown = environmentJson(environmentOf(given));
    expect(shown).toMatchObject(given);
    expect(environmentJson(environmentOf(shown))).toEqual(shown);
  });
});

describe('readEnvironment', () => {
  it("prefers a request's own parameters to those of its environment", () => {
    const environment = {
      parameters: { text: 'env', number: 1 },
      parameter_defaults: { list: 'a' },
    };
    const parameters = { text: 'own' };
    expect(read({ environment, parameters })).toMatchObject({
      parameters: { text: 'own', number: 1 },
      parameterDefaults: { list: 'a' },
    });
    expect(read({ environment: JSON.stringify(environment), parameters }).parameters).toEqual({
      text: 'own',
      number: 1,
    });
  });

  it('prefers later files to earlier ones, and ignores the environment', () => {
    const files = {
      a: '{"parameters": {"text": "a", "number": 1}, "resource_registry": {"A": "x", "B": "x"}}',
      b: '{"parameters": {"text": "b"}, "resource_registry": {"A": "y"}}',
    };
    const environment = { parameters: { list: 'gone' } };
    expect(read({ files, environmentFiles: ['a', 'b'], environment })).toMatchObject({
      parameters: { text: 'b', number: 1 },
      registry: { A: 'y', B: 'x' },
    });
  });

  it("prefers files to a request's own parameters, and merges them", () => {
    const files = { a: '{"parameters": {"text": "file", "list": "b"}}' };
    const parameters = { text: 'own', number: 2 };
    expect(read({ files, environmentFiles: ['a'], parameters }).parameters).toEqual({
      text: 'file',
      number: 2,
      list: 'b',
    });
    const merging = JSON.stringify({
      parameters: { list: 'b' },
      parameter_merge_strategies: { list: 'merge' },
    });
    expect(
      read({ files: { a: merging }, environmentFiles: ['a'], parameters: { list: 'a' } })
        .parameters,
    ).toEqual({ list: 'a,b' });
  });

  it('names a file that was not sent', () => {
    expect(() => read({ environmentFiles: ['a.yaml'] })).toThrow(
      'The environment file a.yaml is not among the files of the request.',
    );
  });

  it.each<[string, Json, Json, Json]>([
    ['text', 'a', 'b', 'ab'],
    ['number', 1, 2, 3],
    ['number', '1', 2, 3],
    ['list', 'a,b', 'c', 'a,b,c'],
    ['list', ['a'], ['b'], ['a', 'b']],
    ['list', 'a', ['b'], ['a', 'b']],
    ['map', { a: 1, b: { c: 1 } }, { b: { d: 2 } }, { a: 1, b: { d: 2 } }],
    ['map', '{"a": 1}', '{"b": 2}', { a: 1, b: 2 }],
  ])('merges %s: %j and %j', (name, first, second, result) => {
    const parameter_merge_strategies = { [name]: 'merge' };
    const environments = [first, second].map((value) => ({
      parameters: { [name]: value },
      parameter_merge_strategies,
    }));
    expect(merged(...environments).parameters).toEqual({ [name]: result });
  });

  it('merges maps deeply', () => {
    const parameter_merge_strategies = { default: 'deep_merge' };
    const [first, second] = [
      { a: { b: 'x', c: [1] }, d: 1 },
      { a: { b: 'y', c: [2], e: null }, d: 2 },
    ].map((map) => ({ parameters: { map }, parameter_merge_strategies }));
    expect(merged(first as JsonObject, second as JsonObject).parameters).toEqual({
      map: { a: { b: 'xy', c: [1, 2] }, d: 2 },
    });
  });

  it('merges defaults as well', () => {
    const one = {
      parameter_defaults: { list: 'a' },
      parameter_merge_strategies: { list: 'merge' },
    };
    expect(merged(one, one).parameterDefaults).toEqual({ list: 'a,a' });
  });

  it.each<[readonly JsonObject[], string]>([
    [
      [
        { parameters: { list: 'a' }, parameter_merge_strategies: { list: 'merge' } },
        { parameters: { list: 'b' }, parameter_merge_strategies: { list: 'deep_merge' } },
      ],
      "Conflicting merge strategy 'deep_merge' for parameter 'list' in file '1'.",
    ],
    [
      [{ parameters: { list: 'a' }, parameter_merge_strategies: { list: 'mix' } }],
      "Invalid merge strategy 'mix' for parameter 'list'.",
    ],
    [
      [
        { parameters: { flag: true }, parameter_merge_strategies: { default: 'merge' } },
        { parameters: { flag: false } },
      ],
      "Invalid merge strategy 'merge' for parameter 'flag'.",
    ],
    [
      [
        { parameters: { map: {} }, parameter_merge_strategies: { default: 'merge' } },
        { parameters: { map: 'x' } },
      ],
      'Invalid parameter in environment: map is not JSON.',
    ],
  ])('refuses to merge %j', (environments, message) => {
    expect(() => merged(...environments)).toThrow(message);
  });
});

describe('patchedEnvironment', () => {
  const existing = environmentOf({
    parameters: { a: 1, b: 2, gone: 3 },
    parameter_defaults: { x: 1 },
    resource_registry: {
      A: 'x',
      'B::one': 'x',
      'B::two': 'y',
      resources: { web: { hooks: 'pre-create', A: 'y' } },
    },
  });
  const patch = (given: JsonObject, clear: readonly string[] = []): Environment =>
    patchedEnvironment({
      existing,
      given: environmentOf(given),
      clear,
      declared: new Set(['a', 'b', 'c']),
    });

  it('keeps parameters that are neither given nor cleared, if they are still declared', () => {
    expect(patch({ parameters: { c: 3 } }, ['b']).parameters).toEqual({ a: 1, c: 3 });
    expect(patch({ parameters: { b: 5 } }, ['b']).parameters).toEqual({ a: 1, b: 5 });
    expect(patch({ parameter_defaults: { y: 2 } }).parameterDefaults).toEqual({ x: 1, y: 2 });
  });

  it('merges the registry into the existing one', () => {
    const registry = { 'B::*': null, A: 'z', resources: { web: { hooks: 'pre-update' } } };
    expect(patch({ resource_registry: registry }).registry).toEqual({
      A: 'z',
      resources: { web: { hooks: 'pre-update', A: 'y' } },
    });
  });
});
