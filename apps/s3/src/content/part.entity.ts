import type { DataId } from '@cumulet/storage/stores/byte-store';
import { Check, Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { invalidArgument } from '../http/s3-error.js';
import type { ContentId } from './received.js';
import type { StoredChecksum } from './checksums/checksum.js';
import type { Encryption } from './encryption/encryption.js';

/** A part of an upload, and then of its object: completion moves no bytes. */
@Entity('parts')
@Index('parts_data_id', ['dataId'], { unique: true })
@Check('parts_bytes_check', 'inline IS NULL OR data_id IS NULL')
export class Part {
  @PrimaryColumn('uuid', { name: 'content_id', primaryKeyConstraintName: 'parts_pkey' })
  contentId: ContentId;

  /** From 1 to 10,000. */
  @PrimaryColumn('integer', { primaryKeyConstraintName: 'parts_pkey' })
  number: number;

  @Column('bigint')
  size: string;

  /** Without quotes. */
  @Column('text')
  etag: string;

  @Column({ type: 'timestamptz', name: 'modified_at', precision: 3, default: () => 'now()' })
  modifiedAt: Date;

  @Column('jsonb', { nullable: true })
  checksum: StoredChecksum | null;

  /** CRC64NVME in base64; null where the upload was begun with an algorithm, which `checksum` is of. */
  @Column('text', { nullable: true })
  crc64: string | null;

  @Column('jsonb', { nullable: true })
  encryption: Encryption | null;

  @Column('uuid', { name: 'data_id', nullable: true })
  dataId: DataId | null;

  @Column('bytea', { nullable: true, select: false })
  inline: Buffer | null;
}

/** Numbers of parts. Public source: Amazon S3 user guide, "Amazon S3 multipart upload limits". */
export const MAX_PARTS = 10_000;

/** @param text undefined if the request has none. @throws S3Error InvalidArgument */
export function partNumberOf(text: string | undefined): number {
  const number = /^\d{1,5}$/.test(text ?? '') ? Number(text) : 0;
  if (number >= 1 && number <= MAX_PARTS) return number;
  throw invalidArgument(
    'partNumber',
    text ?? '',
    `Part number must be an integer between 1 and ${MAX_PARTS}, inclusive`,
  );
}
