/** Finds the operation that a request asks for. Pure. */
import { S3Error } from '../http/s3-error.js';
import type { S3Request } from '../http/s3-request.js';
import type { OperationDeclaration } from './operation-row.js';
import { OPERATIONS } from './operations.js';

type Asked = Pick<S3Request, 'method' | 'query' | 'headers' | 'address'>;

const ALL: readonly OperationDeclaration[] = OPERATIONS;

/** @throws S3Error MethodNotAllowed, naming the methods that there are */
export function operationOf(request: Asked): OperationDeclaration {
  const on = placeOf(request);
  const there = ALL.filter((one) => one.on === on && isNamedBy(one, request));
  const found = there.find(({ method }) => method === request.method);
  if (found) return found;
  const allow = [...new Set(there.map(({ method }) => method))].sort();
  throw new S3Error('MethodNotAllowed', {
    allow,
    details: { Method: request.method, ResourceType: on.toUpperCase() },
  });
}

function placeOf({ address }: Asked): OperationDeclaration['on'] {
  if (address.bucket === undefined) return 'service';
  return address.key === undefined ? 'bucket' : 'object';
}

function isNamedBy({ query, header }: OperationDeclaration, request: Asked): boolean {
  const names = query === '' ? [] : query.split('&');
  return (
    (header === undefined || request.headers[header] !== undefined) &&
    names.every((name) => {
      const [parameter = '', value] = name.split('=');
      const given = request.query.get(parameter);
      return value === undefined ? given !== undefined : given === value;
    })
  );
}
