/** The context in which a request's operation runs: it acts as the one who sent it. */
import { asId } from '@cumulet/common/context/ids';
import { RequestContext } from '@cumulet/common/context/request-context';
import type { DataSource } from 'typeorm';
import type { Caller } from '../auth/caller.js';
import type { S3Request } from '../http/s3-request.js';

export function contextOf(
  request: Pick<S3Request, 'id' | 'clientAddress'>,
  caller: Caller,
  dataSource: DataSource,
): RequestContext {
  const isSigned = caller.kind === 'signed';
  return new RequestContext({
    requestId: asId(request.id),
    userId: asId(isSigned ? caller.userId : 'anonymous'),
    projectId: isSigned ? asId(caller.projectId) : undefined,
    roles: isSigned ? caller.roles : [],
    manager: dataSource.manager,
    clientAddress: request.clientAddress,
  });
}
