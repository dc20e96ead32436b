/** Writes down what is done to a server while the request waits, with how it ended. */
import type { RequestContext } from '@cumulet/common/context/request-context';
import { DomainError } from '@cumulet/common/errors/domain-error';
import type { Server } from '../server.entity.js';
import { INSTANCE_ACTIONS, type InstanceActionName } from './instance-action-names.js';

/**
 * Where another process passes the request on to the server's host, what it has begun is ended there:
 * one request is one action. Work that is cut off by a crash ends when the server next settles.
 * @throws what the work throws
 */
export async function recordAtOnce(
  ctx: RequestContext,
  { id, host }: Pick<Server, 'id' | 'host'>,
  action: InstanceActionName,
  work: () => Promise<void>,
): Promise<void> {
  const { requestId, fields, manager } = ctx;
  await manager.query(
    `INSERT INTO instance_actions (server_id, request_id, action, user_id, project_id, event)
     SELECT $1, $2, $3, $4, $5, $6
      WHERE NOT EXISTS (SELECT FROM instance_actions
                         WHERE server_id = $1 AND action = $3 AND finished_at IS NULL)
     ON CONFLICT DO NOTHING`,
    [id, requestId, action, fields.userId, fields.projectId ?? null, INSTANCE_ACTIONS[action]],
  );
  const end = (result: 'Success' | 'Error', message: string | null): Promise<unknown> =>
    manager.query(
      `UPDATE instance_actions
          SET finished_at = clock_timestamp(), updated_at = clock_timestamp(),
              host = $3, result = $4, message = $5
        WHERE server_id = $1 AND action = $2 AND finished_at IS NULL`,
      [id, action, host, result, message],
    );
  try {
    await work();
  } catch (error) {
    await end('Error', error instanceof DomainError ? error.message : 'It failed.');
    throw error;
  }
  await end('Success', null);
}
