/**
 * Who signed the policy of a form: with version 4 or 2. Public source: Amazon S3 API reference,
 * "Authenticating Requests in Browser-Based Uploads Using POST (AWS Signature Version 4)".
 */
import { Injectable } from '@nestjs/common';
import { S3Error } from '../../http/s3-error.js';
import { ANONYMOUS, callerOf, type Caller } from '../caller.js';
import { AccessKeys } from '../access-keys.js';
import { requireSame } from '../signatures/signature-check.js';
import { signV2 } from '../signatures/v2.js';
import { ALGORITHM, hmac, scopeOf, signingKey, timeOf } from '../signatures/v4.js';
import type { FormFields } from './post-policy.js';

@Injectable()
export class PostPolicies {
  constructor(private readonly keys: AccessKeys) {}

  /**
   * @returns the signer of the field `policy`; anonymous for a form without one
   * @throws S3Error InvalidArgument, InvalidAccessKeyId, SignatureDoesNotMatch
   */
  async authenticate(requestId: string, fields: FormFields): Promise<Caller> {
    const policy = fields.get('policy');
    const isSigned = ['signature', 'x-amz-signature'].some((name) => fields.has(name));
    if (policy === undefined) {
      if (isSigned || fields.has('awsaccesskeyid')) throw missing('policy');
      return ANONYMOUS;
    }
    return fields.has('x-amz-algorithm')
      ? this.#version4(requestId, fields, policy)
      : this.#version2(requestId, fields, policy);
  }

  async #version4(requestId: string, fields: FormFields, policy: string): Promise<Caller> {
    if (need(fields, 'x-amz-algorithm') !== ALGORITHM)
      throw invalid('x-amz-algorithm', `must be ${ALGORITHM}`);
    const scope = scopeOf(need(fields, 'x-amz-credential'));
    if (!scope) throw invalid('x-amz-credential', 'is malformed');
    const signedAt = timeOf(need(fields, 'x-amz-date'));
    if (signedAt === undefined) throw invalid('x-amz-date', 'is no time');
    const signature = need(fields, 'x-amz-signature');
    const key = await this.keys.get(requestId, scope.access);
    const own = hmac(signingKey(key.secret, scope), policy).toString('hex');
    requireSame(signature, own, { AWSAccessKeyId: scope.access, StringToSign: policy });
    return callerOf(key, 'AWS4-HMAC-SHA256', 'POST', signedAt);
  }

  async #version2(requestId: string, fields: FormFields, policy: string): Promise<Caller> {
    const access = need(fields, 'awsaccesskeyid');
    const signature = need(fields, 'signature');
    const key = await this.keys.get(requestId, access);
    requireSame(signature, signV2(key.secret, policy), {
      AWSAccessKeyId: access,
      StringToSign: policy,
    });
    return callerOf(key, 'AWS', 'POST', Date.now());
  }
}

function need(fields: FormFields, name: string): string {
  const value = fields.get(name);
  if (value === undefined || value === '') throw missing(name);
  return value;
}

function missing(name: string): S3Error {
  return new S3Error('InvalidArgument', {
    message: `Bucket POST must contain a field named '${name}'.  If it is specified, please check the order of the fields.`,
    details: { ArgumentName: name },
  });
}

function invalid(name: string, why: string): S3Error {
  return new S3Error('InvalidArgument', { message: `The field ${name} ${why}.` });
}
