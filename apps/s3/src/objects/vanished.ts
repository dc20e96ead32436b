/** Bytes that are overwritten between the reading of their row and their own: there are others then. */
import { DataMissingError } from '@cumulet/storage/stores/store.errors';
import { S3Error } from '../http/s3-error.js';

const MAX_ATTEMPTS = 3;

/** @param work looks again for what there is, unless it is the first attempt: they count from 1 */
export async function unlessVanished<T>(work: (attempt: number) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work(attempt);
    } catch (error) {
      if (attempt === MAX_ATTEMPTS || !hasVanished(error)) throw error;
    }
  }
}

function hasVanished(error: unknown): boolean {
  if (error instanceof DataMissingError) return true;
  return error instanceof S3Error && error.code === 'NoSuchKey';
}
