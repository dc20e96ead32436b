import { describe, expect, it } from '@jest/globals';
import { usageTable } from './bucket-usage.command.js';

describe('the table of bucket usage', () => {
  it('lists each project with its buckets', () => {
    const projects = [
      {
        project_id: 'one',
        objects: 3,
        bytes: 1_234_567,
        buckets: [
          { name: 'a-bucket', objects: 3, bytes: 1_234_567 },
          { name: 'empty', objects: 0, bytes: 0 },
        ],
      },
      { project_id: 'two', objects: 0, bytes: 0, buckets: [] },
    ];
    expect(usageTable(projects, new Map([['one', 'acme']]))).toBe(
      [
        'PROJECT  BUCKET    OBJECTS    BYTES',
        'acme     (all)           3  1234567',
        'acme     a-bucket        3  1234567',
        'acme     empty           0        0',
        'two      (all)           0        0',
        '',
      ].join('\n'),
    );
  });

  it('is only a heading if there are no buckets', () => {
    expect(usageTable([], new Map())).toBe('PROJECT  BUCKET  OBJECTS  BYTES\n');
  });
});
