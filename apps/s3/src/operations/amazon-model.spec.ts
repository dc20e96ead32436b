/** The table of operations beside Amazon's own model of S3 (`scripts/s3-model.mjs`). */
import { describe, expect, it } from '@jest/globals';
import { expectRows } from '@cumulet/testing/expect-rows';
import { amazonModel, type ModelledOperation } from './amazon-model.fixture.js';
import {
  COMMON,
  HARMLESS,
  isRefusedHeader,
  isRead,
  type OperationDeclaration,
} from './operation-row.js';
import { OPERATIONS } from './operations.js';

const ROWS: readonly OperationDeclaration[] = OPERATIONS;
const { operations } = amazonModel();
/** Deprecated operations have the requests of present ones in the table. */
const present = operations.filter(({ deprecated }) => !deprecated);

const nameOf = ({ name }: ModelledOperation): string => name;

const rowOf = ({ name }: ModelledOperation): OperationDeclaration | undefined =>
  ROWS.find((row) => row.name === name);

const parametersOf = ({ query, parameters = [] }: OperationDeclaration): string[] => [
  ...query.split('&').map((one) => one.split('=')[0] ?? ''),
  ...parameters,
];

it('every operation of the model has a row with its method, resource and parameters', () =>
  expectRows(present, nameOf, (operation) => {
    const row = rowOf(operation);
    expect(row).toMatchObject({ method: operation.method, on: operation.on });
    const named = operation.query.split(/[&=]/).filter((one) => one !== '' && one !== '2');
    expect(row && parametersOf(row)).toEqual(expect.arrayContaining(named));
  }));

it('deprecated operations share a row with their successor', () => {
  const former = operations.filter(({ deprecated }) => deprecated);
  expect(former.map(({ name }) => name)).toEqual([
    'GetBucketLifecycle',
    'GetBucketNotification',
    'PutBucketLifecycle',
    'PutBucketNotification',
  ]);
  for (const { method, on, query } of former)
    expect(ROWS.filter((row) => row.query === query && row.on === on)).toContainEqual(
      expect.objectContaining({ method }),
    );
});

it('every row is an operation of the model, except known ones', () => {
  const names = new Set(operations.map(({ name }) => name));
  expect(ROWS.map(({ name }) => name).filter((name) => !names.has(name))).toEqual(['PostObject']);
});

describe('the model of an operation', () => {
  it('has parameters that are all in its row', () =>
    expectRows(present, nameOf, (operation) => {
      const row = rowOf(operation);
      expect(row && parametersOf(row)).toEqual(expect.arrayContaining([...operation.parameters]));
    }));

  it('has headers that are supported, harmless or refused by name', () => {
    const refused = present
      .filter((operation) => !isRead(operation))
      .map(({ name, headers }): [string, string[]] => {
        const taken = new Set(ROWS.find((row) => row.name === name)?.headers);
        return [name, headers.filter((header) => isRefusedHeader(header, taken))];
      })
      .filter(([, headers]) => headers.length > 0);
    const eventHold = ['', '-duration-days', '-duration-years'].map(
      (more) => `x-amz-object-lock-event-hold${more}`,
    );
    expect(Object.fromEntries(refused)).toEqual({
      AbortMultipartUpload: ['x-amz-if-match-initiated-time'],
      CopyObject: eventHold,
      CreateBucket: ['x-amz-bucket-namespace'],
      CreateMultipartUpload: eventHold,
      PutObject: [...eventHold, 'x-amz-write-offset-bytes'],
      WriteGetObjectResponse: expect.arrayContaining(['x-amz-fwd-status']),
    });
  });

  it('has headers for reads that are all known, except those listed', () => {
    const unknown = present.filter(isRead).flatMap(({ name, headers }) => {
      const { headers: taken = [] } = ROWS.find((row) => row.name === name) ?? {};
      return headers
        .filter((one) => !taken.includes(one) && !COMMON.has(one) && !Object.hasOwn(HARMLESS, one))
        .map((header) => `${name}: ${header}`);
    });
    expect(unknown).toEqual(
      ['', '-aws-kms-key-id', '-bucket-key-enabled', '-context']
        .map((more) => `CreateSession: x-amz-server-side-encryption${more}`)
        .concat('CreateSession: x-amz-create-session-mode')
        .concat('GetObjectAnnotation: x-amz-checksum-mode')
        .sort(),
    );
  });
});
