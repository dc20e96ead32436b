/** The requests of each operation in Amazon's model of S3, without its shapes. */
import { readFileSync } from 'node:fs';
import type { OperationDeclaration } from './operation-row.js';

export interface ModelledOperation extends Pick<
  OperationDeclaration,
  'name' | 'method' | 'on' | 'query'
> {
  readonly parameters: readonly string[];
  /** In lower case. */
  readonly headers: readonly string[];
  readonly deprecated: boolean;
}

interface Model {
  /** The version of botocore that it is from. */
  readonly botocore: string;
  readonly operations: readonly ModelledOperation[];
}

export function amazonModel(): Model {
  const path = new URL('amazon-model.fixture.json', import.meta.url);
  return JSON.parse(readFileSync(path, 'utf8')) as Model;
}
