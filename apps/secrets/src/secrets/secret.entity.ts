import { Check, Column, Entity, Index, PrimaryColumn, VirtualColumn } from 'typeorm';
import { isUuid, type Id } from '@cumulet/common/context/ids';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { rowOf, type Condition } from '@cumulet/common/tables/condition';
import { Table } from '@cumulet/common/tables/table';
import { OwnedColumns } from '../access/owned.columns.js';
import { requireAllowed, visible } from '../access/access.js';
import type { PolicyName } from '../access/policy.js';
import type { ContentType } from './payloads/content-types.js';
import { SecretNotFoundError } from './secret.errors.js';

export type SecretId = Id<'Secret'>;

export const SECRET_TYPES = [
  'symmetric',
  'public',
  'private',
  'passphrase',
  'certificate',
  'opaque',
] as const;
export type SecretType = (typeof SECRET_TYPES)[number];

/** What uses a secret; on the wire, its names are the same. */
export interface ShownConsumer {
  readonly service: string;
  readonly resource_type: string;
  readonly resource_id: string;
}

@Entity('secrets')
@Index('secrets_project_id_created_at', ['projectId', 'createdAt', 'id'])
@Index('secrets_expiration', ['expiration'], { where: 'expiration IS NOT NULL' })
@Index('secrets_acl_users', { synchronize: false })
@Check(
  'secrets_secret_type_check',
  `secret_type IN ('symmetric', 'public', 'private', 'passphrase', 'certificate', 'opaque')`,
)
export class Secret extends OwnedColumns {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'secrets_pkey' })
  id: SecretId;

  @Column('text', { name: 'secret_type' })
  secretType: SecretType;

  /** Of the payload; null as long as there is none. */
  @Column('text', { name: 'content_type', nullable: true })
  contentType: ContentType | null;

  /** What its client says of it, and nothing here depends on. */
  @Column('text', { nullable: true })
  algorithm: string | null;

  @Column('integer', { name: 'bit_length', nullable: true })
  bitLength: number | null;

  @Column('text', { nullable: true })
  mode: string | null;

  /** From then on, it does not exist. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  expiration: Date | null;

  /** Its client's own words, by their keys. */
  @Column('jsonb', { name: 'user_metadata', default: () => "'{}'" })
  userMetadata: Readonly<Record<string, string>>;

  @VirtualColumn('json', {
    query: (table) =>
      `SELECT COALESCE(json_agg(json_build_object('service', service,
                'resource_type', resource_type, 'resource_id', resource_id)
              ORDER BY secret_consumers.created_at, secret_consumers.id), '[]')
         FROM secret_consumers WHERE secret_id = ${table}.id`,
  })
  consumers: readonly ShownConsumer[];
}

/** Those that have not expired. */
export const isAlive: Condition = (_, column) =>
  `${column('expiration')} IS NULL OR ${column('expiration')} > now()`;

class Secrets extends Table<Secret> {
  /**
   * A secret that the caller may use so.
   * @throws SecretNotFoundError if it does not exist to the caller, ForbiddenError if it does
   */
  async permitted(ctx: RequestContext, id: SecretId, operation: PolicyName): Promise<Secret> {
    if (!isUuid(id)) throw new SecretNotFoundError(id);
    const secret = await this.get(ctx, id, [isAlive, ...visible(ctx)]);
    requireAllowed(ctx, secret, operation, `secret ${id}`);
    return secret;
  }

  /** The same, which nobody else changes or removes before the transaction ends. */
  async held(tx: RequestContext, id: SecretId, operation: PolicyName): Promise<Secret> {
    await this.permitted(tx, id, operation);
    return this.lock(tx, id);
  }
}

export const secrets = new Secrets(Secret, {
  missing: (key) => new SecretNotFoundError(rowOf(key).id ?? ''),
  touched: 'updatedAt',
});
