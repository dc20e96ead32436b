/** What GET and HEAD have in common: all of an answer but the bytes. */
import { Injectable } from '@nestjs/common';
import { checksumHeaders } from '../content/checksums/checksum.js';
import { type CustomerKey, readKeyOf, requireKey } from '../content/encryption/encryption.js';
import type { ObjectCall } from '../operations/operation.js';
import { requireObject, type FoundObject } from './found-object.js';
import { objectHeaders, validators, type Headers } from './object-headers.js';
import { checkRead, readConditionsOf } from './read-conditions.js';
import { overridesOf } from './response-overrides.js';
import { Slices, type Slice } from './slice.js';

export interface ObjectAnswer {
  readonly object: FoundObject;
  readonly slice: Slice;
  readonly headers: Headers;
  /** What the client has encrypted the object with, if it has. */
  readonly key: CustomerKey | undefined;
}

@Injectable()
export class ObjectReader {
  constructor(private readonly slices: Slices) {}

  /**
   * @throws S3Error NoSuchKey, NoSuchVersion, MethodNotAllowed, NotModified, PreconditionFailed,
   * InvalidRange, InvalidPart, InvalidRequest, InvalidArgument
   */
  async answer(call: ObjectCall): Promise<ObjectAnswer> {
    const { bucket, request } = call;
    const object = requireObject(call);
    const overrides = overridesOf(call);
    const key = readKeyOf(request.headers);
    checkRead(object, readConditionsOf(request.headers), validators(object, bucket));
    const slice = await this.slices.of(call, object);
    requireKey(object.encryption, key);
    const isChecked =
      request.headers['x-amz-checksum-mode']?.toString().toUpperCase() === 'ENABLED';
    const headers = {
      ...objectHeaders(object, bucket),
      ...(isChecked ? checksumHeaders(slice.checksum) : {}),
      ...overrides,
      ...slice.headers,
    };
    return { object, slice, headers, key };
  }
}
