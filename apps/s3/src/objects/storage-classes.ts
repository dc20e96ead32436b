/**
 * The storage classes that clients know. They are a name here: whatever its class, an object is
 * stored alike and read at once. Public source: Amazon S3 user guide, "Storage classes".
 */
import type { IncomingHttpHeaders } from 'node:http';
import { S3Error } from '../http/s3-error.js';

const STANDARD = 'STANDARD';
const ARCHIVES = ['GLACIER', 'DEEP_ARCHIVE'];
const CLASSES = [
  STANDARD,
  'REDUCED_REDUNDANCY',
  'STANDARD_IA',
  'ONEZONE_IA',
  'INTELLIGENT_TIERING',
  'GLACIER_IR',
  ...ARCHIVES,
];

/** @throws S3Error InvalidStorageClass */
export function storageClassOf(headers: IncomingHttpHeaders): string {
  const name = headers['x-amz-storage-class'] ?? STANDARD;
  if (typeof name === 'string' && CLASSES.includes(name)) return name;
  throw new S3Error('InvalidStorageClass', { details: { StorageClassRequested: String(name) } });
}

/** Whether Amazon restores objects of this class before they are read. */
export function isArchive(storageClass: string): boolean {
  return ARCHIVES.includes(storageClass);
}

/** Answers name a class only if it is not the usual one. */
export function shownStorageClass(storageClass: string): string | undefined {
  return storageClass === STANDARD ? undefined : storageClass;
}
