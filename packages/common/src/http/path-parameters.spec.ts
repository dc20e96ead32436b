import { expect, it } from '@jest/globals';
import { withPathParameters } from './path-parameters.js';

const parameter = (name: string, place = 'path'): object => ({
  name,
  in: place,
  required: true,
  schema: { type: 'string' },
});

function parametersOf(path: string, operation: object): unknown {
  const document = { openapi: '3.0.0', info: { title: 't', version: '1' }, paths: {} };
  const paths = { [path]: { get: { responses: {}, ...operation } } };
  return withPathParameters({ ...document, paths }).paths[path]?.get?.parameters;
}

it('declares what nobody has declared, before the rest', () => {
  const parameters = [parameter('b'), parameter('a', 'query')];
  expect(parametersOf('/x/{a}/y/{b}', { parameters })).toEqual([
    parameter('a'),
    parameter('b'),
    parameter('a', 'query'),
  ]);
});

it('leaves alone what is complete', () => {
  const parameters = [parameter('b'), parameter('a')];
  expect(parametersOf('/x/{a}/y/{b}', { parameters })).toEqual(parameters);
  expect(parametersOf('/x', {})).toBeUndefined();
});
