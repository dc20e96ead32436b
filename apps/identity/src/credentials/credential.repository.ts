import { Injectable } from '@nestjs/common';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { Seal } from '@cumulet/common/crypto/seal';
import { selectRow, selectRows } from '@cumulet/common/database/rows';
import { inexactMatch, type InexactFilter } from '../http/inexact-filter.js';
import { orRefused } from '../http/or-refused.js';
import { byAge, pageOf, type PageQuery } from '../http/page.js';
import { ProjectNotFoundError } from '../projects/project.errors.js';
import { UserNotFoundError } from '../users/user.errors.js';
import { Credential } from './credential.entity.js';
import { CredentialExistsError, CredentialNotFoundError } from './credential.errors.js';

/** A credential with its secret in clear. Lives as long as a request, and stands in no log. */
export interface OpenCredential extends Omit<Credential, 'sealedBlob' | 'createdAt'> {
  readonly blob: string;
}

export interface CredentialFilter {
  readonly userId?: string | undefined;
  readonly type?: string | undefined;
  readonly inexact?: readonly InexactFilter[];
  /** Only what this user has: the caller may see no other's. */
  readonly ownerId?: string | undefined;
  /** Only what is of this project: the caller's token is delegated, and reaches no other. */
  readonly within?: string | undefined;
}

const COLUMNS = { user_id: 'user_id', type: 'type' };

/** Always holds: no blob is in a row but sealed. */
@Injectable()
export class CredentialRepository {
  constructor(private readonly seal: Seal) {}

  async find(ctx: RequestContext, id: string): Promise<OpenCredential | undefined> {
    const row = await selectRow(ctx.manager, Credential, 'WHERE id = $1', [id]);
    return row && this.#open(row);
  }

  /** Undefined too for a credential of another user, and for one of another type. */
  async findOf(
    ctx: RequestContext,
    userId: string,
    id: string,
    type: string,
  ): Promise<OpenCredential | undefined> {
    const credential = await this.find(ctx, id);
    return credential?.userId === userId && credential.type === type ? credential : undefined;
  }

  /** The secrets of one type that a user has. */
  async listBlobs(ctx: RequestContext, userId: string, type: string): Promise<string[]> {
    const where = 'WHERE user_id = $1 AND type = $2';
    const rows = await selectRows(ctx.manager, Credential, where, [userId, type]);
    return rows.map(({ sealedBlob }) => this.seal.open(sealedBlob));
  }

  /** @throws MarkerNotFoundError */
  async list(
    ctx: RequestContext,
    { userId, type, ownerId, within, ...filter }: CredentialFilter,
    query: PageQuery,
  ): Promise<OpenCredential[]> {
    const find = (id: string): Promise<Credential | undefined> =>
      selectRow(
        ctx.manager,
        Credential,
        `WHERE id = $1
           AND ($2::text IS NULL OR user_id = $2) AND ($3::text IS NULL OR project_id = $3)`,
        [id, ownerId, within],
      );
    const inexact = inexactMatch(filter.inexact, COLUMNS, 5);
    const page = await pageOf(query, byAge<Credential>('credentials'), find, inexact.next);
    const rows = await selectRows(
      ctx.manager,
      Credential,
      `WHERE ($1::text IS NULL OR user_id = $1) AND ($2::text IS NULL OR type = $2)
         AND ($3::text IS NULL OR user_id = $3) AND ($4::text IS NULL OR project_id = $4)
         AND ${inexact.condition} AND ${page.condition} ${page.order}`,
      [userId, type, ownerId, within, ...inexact.params, ...page.params],
    );
    return rows.map((row) => this.#open(row));
  }

  /**
   * @throws CredentialExistsError where another one has its id
   * @throws UserNotFoundError, ProjectNotFoundError for a user or a project that there is not
   */
  async insert(ctx: RequestContext, credential: OpenCredential): Promise<void> {
    await this.#write(
      ctx,
      `INSERT INTO credentials (id, user_id, project_id, type, sealed_blob, extra)
       VALUES ($1, $2, $3, $4, $5, $6)`,
      credential,
    );
  }

  /** @throws UserNotFoundError, ProjectNotFoundError for a user or a project that there is not */
  async update(ctx: RequestContext, credential: OpenCredential): Promise<void> {
    await this.#write(
      ctx,
      `UPDATE credentials SET user_id = $2, project_id = $3, type = $4, sealed_blob = $5,
              extra = $6
        WHERE id = $1`,
      credential,
    );
  }

  /** @throws CredentialNotFoundError where it is gone already */
  async delete(ctx: RequestContext, id: string): Promise<void> {
    const [, count]: [unknown, number] = await ctx.manager.query(
      'DELETE FROM credentials WHERE id = $1',
      [id],
    );
    if (count === 0) throw new CredentialNotFoundError(id);
  }

  async #write(ctx: RequestContext, sql: string, credential: OpenCredential): Promise<void> {
    const { id, userId, projectId, type, blob, extra } = credential;
    const columns = [id, userId, projectId, type, this.seal.seal(blob), extra];
    await orRefused(ctx.manager.query(sql, columns), {
      credentials_pkey: () => new CredentialExistsError(id),
      credentials_user_id_fkey: () => new UserNotFoundError(userId),
      credentials_project_id_fkey: () => new ProjectNotFoundError(projectId ?? ''),
    });
  }

  #open({ id, userId, projectId, type, sealedBlob, extra }: Credential): OpenCredential {
    return { id, userId, projectId, type, blob: this.seal.open(sealedBlob), extra };
  }
}
