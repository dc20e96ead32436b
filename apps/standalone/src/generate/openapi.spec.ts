import 'reflect-metadata';
import { beforeAll, describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import type { OpenAPIObject } from '@nestjs/swagger';
import { Validator } from '@seriousme/openapi-schema-validator';
import { SERVICES } from '../services.js';
import { describeService } from './services.js';

const warnings = jest.spyOn(Logger, 'warn').mockReturnValue();
let documents: Map<string, OpenAPIObject>;

beforeAll(async () => {
  documents = new Map(
    (await Promise.all(SERVICES.map(describeService))).map(({ name, openApi }) => [name, openApi]),
  );
});

describe.each(SERVICES.map(({ name }) => name))('the OpenAPI document of %s', (name) => {
  const documentOf = (): OpenAPIObject => {
    const document = documents.get(name);
    if (!document) throw new Error(`no service is called ${name}`);
    return document;
  };

  it('is valid OpenAPI 3.1', async () => {
    const { valid, errors } = await new Validator().validate({ ...structuredClone(documentOf()) });
    expect([valid, errors]).toEqual([true, undefined]);
  });

  it('describes the contents of every object in responses', () => {
    expect(bareObjects(documentOf().components ?? {}, '#/components')).toEqual([]);
  });
});

it('no document has two classes with the same name', () => {
  expect(warnings.mock.calls.flat()).toEqual([]);
});

/** The paths of schemas that are only `object`. */
function bareObjects(node: unknown, path: string): string[] {
  if (typeof node !== 'object' || node === null) return [];
  const isBare = 'type' in node && node.type === 'object' && Object.keys(node).every(isNoShape);
  return [
    ...(isBare ? [path] : []),
    ...Object.entries(node).flatMap(([key, one]) => bareObjects(one, `${path}/${key}`)),
  ];
}

function isNoShape(keyword: string): boolean {
  return ['type', 'description', 'x-openstack'].includes(keyword);
}
