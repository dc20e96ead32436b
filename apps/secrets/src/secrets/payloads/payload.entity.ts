import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { Table } from '@cumulet/common/tables/table';
import { rowOf } from '@cumulet/common/tables/condition';
import { Secret, type SecretId } from '../secret.resource.js';
import { NoPayloadError, PayloadExistsError } from '../secret.errors.js';

/** A secret's payload, encrypted; only this table has it, so that no list reads it. */
@Entity('secret_payloads')
@Index('secret_payloads_key_id', ['keyId'])
export class SecretPayload {
  @PrimaryColumn('uuid', { name: 'secret_id', primaryKeyConstraintName: 'secret_payloads_pkey' })
  @ForeignKey(() => Secret, { name: 'secret_payloads_secret_id_fkey', onDelete: 'CASCADE' })
  secretId: SecretId;

  /** The key of `SealingKeys` under which it is encrypted. */
  @Column('text', { name: 'key_id' })
  keyId: string;

  @Column('bytea')
  sealed: Buffer;
}

export const secretPayloads = new Table(SecretPayload, {
  missing: (key) => new NoPayloadError(rowOf(key).secretId ?? ''),
  refusals: {
    secret_payloads_pkey: ({ secretId = '' }) => new PayloadExistsError(secretId),
  },
});
