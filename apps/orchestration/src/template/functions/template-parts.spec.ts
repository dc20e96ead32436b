import { describe, expect, it } from '@jest/globals';
import { ALL_ATTRIBUTES, type References } from '../expression.js';
import { evaluate } from '../evaluate.js';
import type { Json } from '../../json/json.js';
import { readTest } from '../read.fixture.js';
import { readSnippet, resultOf } from './functions.fixture.js';

describe('get_param', () => {
  it.each<[Json, Json]>([
    ['text', 'some'],
    ['number', 7],
    ['flag', true],
    [['list', 1], 'b'],
    [['list', '-1'], 'c'],
    [['json', 'a', 0, 'b'], 'c'],
    [['json', 1], 'one'],
    [['json', 'x', 'y'], ''],
    [['json', 'constructor'], ''],
    [['list', 'x'], ''],
    [['text', 0], 's'],
    ['OS::stack_name', 'stack-name'],
    ['OS::project_id', 'project-id'],
  ])('of %j gives %j', (argument, result) => {
    expect(resultOf({ get_param: argument })).toEqual(result);
  });

  it('accepts a path from a resource', () => {
    const snippet = { get_param: ['json', 'a', { get_attr: ['r', 'value0'] }, 'b'] };

    expect(resultOf(snippet, undefined, {}, [0])).toBe('c');
  });

  it("does not evaluate calls in a parameter's value", () => {
    const template = {
      heat_template_version: 'rocky',
      parameters: { p: { type: 'json' } },
      outputs: { o: { value: { get_param: 'p' } } },
    };

    const parameters = { p: { get_resource: 'x' } };
    expect(readTest(template, { parameters }).outputs['o']?.value).toEqual({
      kind: 'value',
      value: parameters.p,
    });
  });

  it.each<[Json, string]>([
    ['foo', 'The Parameter (foo) was not provided'],
    [[], 'must have arguments'],
    [['json', 1, 2, { get_resource: 'none' }], 'The specified reference "none"'],
    [[1], 'Parameter name in "get_param" must be string'],
    [{ get_attr: ['r', 'x'] }, 'must have arguments that are known'],
  ])('refuses %j', (argument, message) => {
    expect(() => resultOf({ get_param: argument })).toThrow(message);
  });
});

describe('references', () => {
  const references: References = {
    referenceOf: (name) => `id-of-${name}`,
    attributeOf: (...asked) => asked,
  };

  it.each<[Json, Json, string?]>([
    [{ get_resource: 'r' }, 'id-of-r'],
    [{ Ref: 'r' }, 'id-of-r', '2013-05-23'],
    [{ Ref: 'text' }, 'some', '2013-05-23'],
    [{ get_attr: ['r', 'a'] }, ['r', 'a', []]],
    [{ get_attr: ['r', 'a', 0, 'b'] }, ['r', 'a', [0, 'b']]],
    [{ get_attr: ['r'] }, ['r', ALL_ATTRIBUTES, []]],
    [{ get_attr: ['r', 'a', { get_resource: 'r' }] }, ['r', 'a', ['id-of-r']]],
    [{ get_attr: ['r', 'a', 'b'] }, ['r', 'a', ['b']], '2013-05-23'],
    [{ get_attr: ['r', 'resource.0'] }, ['r', 'resource.0', []]],
    [{ get_attr: ['r', 'resource.0', 'a', 'b'] }, ['r', 'resource.0.a', ['b']]],
    [{ get_attr: ['r', 'resource.0.a', 'b'] }, ['r', 'resource.0.a', ['b']]],
  ])('%j', (...[snippet, result, version]) => {
    expect(evaluate(readSnippet(snippet, version), references)).toEqual(result);
  });

  it.each<[Json, string, string?]>([
    [{ get_resource: ['r'] }, 'The name of the resource in "get_resource" must be a string'],
    [{ get_resource: { get_resource: 'r' } }, 'must be a string'],
    [{ get_attr: 'r' }, 'Arguments to "get_attr" must be of the form [resource_name] or'],
    [
      { get_attr: ['r'] },
      'must be of the form [resource_name, attribute, (path), ...]',
      '2014-10-16',
    ],
    [{ get_attr: ['r', 1] }, 'The name of the attribute'],
    [{ Ref: 'none' }, 'The specified reference "none" (in outputs.o.value)', '2013-05-23'],
  ])('refuses %j', (...[snippet, message, version]) => {
    expect(() => readSnippet(snippet, version)).toThrow(message);
  });
});

describe('if', () => {
  it.each<[Json, Json]>([
    [{ if: ['yes', 1, 2] }, 1],
    [{ if: ['no', { get_param: 'none' }, 2] }, 2],
    [{ if: [{ equals: [{ get_param: 'number' }, 7] }, 1, 2] }, 1],
    [{ if: [{ and: ['yes', { or: ['no', true] }] }, 1, 2] }, 1],
    [{ if: [{ not: { contains: ['x', { get_param: 'list' }] } }, 1, 2] }, 1],
    [
      [1, { if: ['no', 2] }, 3],
      [1, 3],
    ],
    [{ a: { if: ['no', 2] }, b: 3 }, { b: 3 }],
    [{ a: { if: ['yes', { if: ['no', 2] }] }, b: 3 }, { b: 3 }],
    [{ if: ['no', 2] }, null],
    [{ list_join: [',', ['a', { if: ['no', 'b'] }, 'c']] }, 'a,c'],
    [{ list_join: [',', { if: ['no', ['b']] }, ['c']] }, 'c'],
  ])('%j gives %j', (snippet, result) => {
    expect(resultOf(snippet)).toEqual(result);
  });

  it.each<[Json, string, string?]>([
    [{ if: ['yes', 1] }, 'Arguments to "if" must be of the form', 'rocky'],
    [{ if: ['yes'] }, 'must be of the form'],
    [{ if: ['maybe', 1, 2] }, 'outputs.o.value.if[0]: : Invalid condition "maybe"'],
    [{ if: [['yes'], 1, 2] }, 'Invalid condition'],
    [{ if: [{ and: ['yes'] }, 1, 2] }, 'The minimum number of condition arguments to "and" is 2.'],
    [{ if: [{ or: 'yes' }, 1, 2] }, 'Arguments to "or" must be a list of conditions'],
    [{ if: [{ not: null }, 1, 2] }, 'Argument to "not" must be a condition'],
    [{ if: [{ equals: [1] }, 1, 2] }, 'must be of the form: [value_1, value_2]'],
    [{ if: [{ if: ['yes', true, false] }, 1, 2] }, 'The function "if" is invalid in this context'],
    [{ if: [{ contains: ['a', ['a']] }, 1, 2] }, 'Invalid condition', 'ocata'],
    [{ if: [{ filter: ['a', ['a']] }, 1, 2] }, 'The function "filter" is invalid', 'ocata'],
  ])('refuses %j', (...[snippet, message, version]) => {
    expect(() => resultOf(snippet, version)).toThrow(message);
  });

  it('is not available in versions without conditions', () => {
    expect(resultOf({ if: ['yes', 1, 2] }, '2016-04-08')).toEqual({ if: ['yes', 1, 2] });
  });
});

describe('get_file', () => {
  it('returns files of the request', () => {
    const files = { 'a.sh': '#!/bin/sh' };

    expect(resultOf({ get_file: 'a.sh' }, undefined, { files })).toBe('#!/bin/sh');
  });

  it.each<[Json, string]>([
    ['/etc/passwd', 'No content found in the "files" section for get_file path: /etc/passwd'],
    ['constructor', 'No content found'],
    [['a'], 'Argument to "get_file" must be a string'],
  ])('refuses %j', (argument, message) => {
    expect(() => resultOf({ get_file: argument })).toThrow(message);
  });
});

describe('resource_facade', () => {
  const facade = {
    metadata: { a: 1 },
    deletionPolicy: 'Retain',
    updatePolicy: { b: 2 },
  } as const;

  it('returns data of the resource above', () => {
    const all = ['metadata', 'deletion_policy', 'update_policy'];
    const snippet = all.map((part) => ({ resource_facade: part }));

    expect(resultOf(snippet, undefined, { facade })).toEqual([{ a: 1 }, 'Retain', { b: 2 }]);
    expect(resultOf({ 'Fn::ResourceFacade': 'Metadata' }, '2013-05-23', { facade })).toEqual({
      a: 1,
    });
  });

  it('is refused in a root stack', () => {
    expect(() => resultOf({ resource_facade: 'metadata' })).toThrow('make up a resource');
    expect(() => resultOf({ resource_facade: 'x' })).toThrow(
      'should be one of: metadata, deletion_policy, update_policy',
    );
  });
});

describe('functions of AWS CloudFormation', () => {
  const outputs = (value: Json, zones?: readonly string[]): Json => {
    const template = {
      AWSTemplateFormatVersion: '2010-09-09',
      Parameters: { P: { Type: 'String', Default: 'k' } },
      Mappings: { M: { k: { l: 'm' } } },
      Conditions: { Yes: { 'Fn::Not': [{ 'Fn::Equals': [{ Ref: 'P' }, 'x'] }] } },
      Resources: { R: { Type: 'OS::Heat::None' } },
      Outputs: { O: { Value: value } },
    };
    const read = readTest(template, { zones }).outputs['O']?.value;
    const references: References = { referenceOf: () => 'id', attributeOf: () => 'l' };
    return read ? evaluate(read, references) : null;
  };

  it.each<[Json, Json]>([
    [{ 'Fn::FindInMap': ['M', { Ref: 'P' }, 'l'] }, 'm'],
    [{ 'Fn::FindInMap': ['M', 'k', { 'Fn::GetAtt': ['R', 'x'] }] }, 'm'],
    [{ 'Fn::If': ['Yes', 1, 2] }, 1],
    [{ 'Fn::GetAZs': '' }, ['nova']],
    [{ Ref: 'R' }, 'id'],
  ])('%j gives %j', (snippet, result) => {
    expect(outputs(snippet)).toEqual(result);
  });

  it('returns the zones of the cloud', () => {
    expect(outputs({ 'Fn::GetAZs': { Ref: 'AWS::Region' } }, ['a', 'b'])).toEqual(['a', 'b']);
  });

  it.each<[Json, string]>([
    [{ 'Fn::FindInMap': ['N', 'k', 'l'] }, 'The template has no mapping "N"'],
    [{ 'Fn::FindInMap': ['M', 'k', 'n'] }, 'The mapping has no key "n"'],
    [{ 'Fn::FindInMap': ['M'] }, 'Incorrect arguments'],
    [{ 'Fn::GetAtt': ['R', 'x', 'y'] }, 'must be of the form [resource_name, attribute]'],
    [{ 'Fn::If': ['No', 1, 2] }, 'Invalid condition "No"'],
    [{ 'Fn::If': [{ 'Fn::GetAtt': ['R', 'x'] }, 1, 2] }, 'is invalid in this context'],
    [{ Ref: 'None' }, 'The specified reference "None" (in Outputs.O.Value)'],
  ])('refuses %j', (snippet, message) => {
    expect(() => outputs(snippet)).toThrow(message);
  });
});
