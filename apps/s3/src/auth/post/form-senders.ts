/**
 * Determines the sender and the target of a form from its fields. It is then handled like any other
 * request, with the file as its body.
 */
import type { IncomingHttpHeaders } from 'node:http';
import { CONFIG } from '@cumulet/common/service/tokens';
import { Inject, Injectable } from '@nestjs/common';
import type { S3Config } from '../../config.js';
import {
  requireKey,
  asHeaderValue,
  headerOf,
  requireHeader,
  type S3Request,
} from '../../http/s3-request.js';
import { S3Error } from '../../http/s3-error.js';
import { readXml } from '../../http/xml.js';
import { MAX_OBJECT_TAGS, xmlTagsOf } from '../../buckets/tags.js';
import { whole } from '../bodies/request-body.js';
import { type Caller, AccessKeys, ANONYMOUS, callerOf, requireSame } from '../caller.js';
import { FormFile, readForm } from './form-reader.js';
import { checkPolicy, type FormFields, type SizeLimits } from './post-policy.js';
import { signV2 } from '../signatures/v2.js';
import { ALGORITHM, hmac, scopeOf, signingKey, timeOf } from '../signatures/v4.js';

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
    if (signedAt === undefined) throw invalid('x-amz-date', 'is not a valid time');
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

export interface SentForm {
  readonly request: S3Request;
  readonly caller: Caller;
  readonly body: FormFile;
}

const ANY_SIZE: SizeLimits = { min: 0, max: Number.MAX_SAFE_INTEGER };

@Injectable()
export class FormSenders {
  readonly #stallMs: number;

  constructor(
    private readonly policies: PostPolicies,
    @Inject(CONFIG) { stallSeconds }: S3Config,
  ) {
    this.#stallMs = stallSeconds * 1_000;
  }

  /**
   * Reads up to the file.
   * @throws S3Error for what is no form, has no key, or is not signed as its policy wants it
   */
  async receive(request: S3Request): Promise<SentForm> {
    const sent = whole(request.raw, this.#stallMs);
    const form = await readForm(headerOf(request, 'content-type'), sent);
    try {
      const fields = meantFields(form.fields, form.filename, request);
      const caller = await this.policies.authenticate(request.id, fields);
      const limits = limitsOf(fields);
      const meant = formRequestOf(request, fields);
      return { request: meant, caller, body: new FormFile(fields, form.file, limits) };
    } catch (error) {
      form.file.destroy();
      throw error;
    }
  }
}

function limitsOf(fields: FormFields): SizeLimits {
  const policy = fields.get('policy');
  return policy === undefined ? ANY_SIZE : checkPolicy(policy, fields);
}

/** Headers that do not depend on the form. */
const KEPT = /^(?:host|origin|referer|user-agent|x-amz-expected-bucket-owner)$/;
/** Fields that are headers under the same name. */
const HEADERS =
  /^(?:cache-control|content-(?:type|disposition|encoding|language|md5)|expires|x-amz-(?!copy-source|tagging$).+)$/s;

/**
 * @param filename stands for `${filename}` in the key
 * @returns the fields as policies are about them: with the key as it is meant, and the bucket
 */
export function meantFields(
  fields: FormFields,
  filename: string,
  { address }: S3Request,
): FormFields {
  const meant = new Map(fields);
  const key = fields.get('key');
  if (key !== undefined)
    meant.set(
      'key',
      key.replaceAll('${filename}', () => filename),
    );
  if (address.bucket) meant.set('bucket', address.bucket.name);
  return meant;
}

/**
 * A form as the request that it stands for: its fields are headers, and one is the key. Public
 * source: Amazon S3 API reference, "POST Object". Pure.
 * @throws S3Error InvalidArgument for a field that cannot be a header, UserKeyMustBeSpecified, KeyTooLongError, MalformedXML, InvalidTag
 */
export function formRequestOf(request: S3Request, fields: FormFields): S3Request {
  const key = fields.get('key') ?? '';
  if (key === '')
    throw new S3Error('UserKeyMustBeSpecified', {
      message:
        "Bucket POST must contain a field named 'key'. If it is specified, please check the order of the fields.",
      details: { ArgumentName: 'key' },
    });
  requireKey(key);
  return {
    ...request,
    headers: headersOf(request.headers, fields),
    address: { ...request.address, key },
  };
}

function headersOf(sent: IncomingHttpHeaders, fields: FormFields): IncomingHttpHeaders {
  const own = Object.entries(sent).filter(([name]) => KEPT.test(name));
  const given = [...fields].flatMap(([name, text]): [string, string][] => {
    if (!HEADERS.test(name)) return [];
    const value = asHeaderValue(text);
    requireHeader(name, value);
    return [[name, value]];
  });
  const headers: IncomingHttpHeaders = Object.fromEntries([...own, ...given]);
  const [acl, tagging] = [fields.get('acl'), fields.get('tagging')];
  if (acl !== undefined) headers['x-amz-acl'] = acl;
  if (tagging !== undefined) headers['x-amz-tagging'] = taggingHeader(tagging);
  return headers;
}

/** @param xml `<Tagging>…`. @returns `a=1&b=2` */
function taggingHeader(xml: string): string {
  const tags = xmlTagsOf(readXml(xml, 'Tagging'), MAX_OBJECT_TAGS);
  const pairs = Object.entries(tags).map((pair) => pair.map(encodeURIComponent).join('='));
  return pairs.join('&');
}
