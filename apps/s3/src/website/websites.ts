/**
 * Serves buckets as websites. Visitors are anonymous, whatever they send: a page is read by the
 * operation that reads objects, and by its decision on access. Public source: Amazon S3 user guide,
 * "Hosting a static website using Amazon S3".
 */
import { Readable } from 'node:stream';
import { fromForeign, isOurFault } from '@cumulet/common/errors/foreign-errors';
import { Feature } from '@cumulet/common/service/feature';
import { CONFIG } from '@cumulet/common/service/tokens';
import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { ANONYMOUS } from '../auth/caller.js';
import type { Bucket, Website, Redirect, RoutingRule } from '../buckets/bucket.entity.js';
import type { S3Config } from '../config.js';
import { Answers, type Site, Dispatcher } from '../dispatch/answers.js';
import { failureOf, type Failure } from '../http/error-answer.js';
import type { S3Answer } from '../http/s3-answer.js';
import { S3Error } from '../http/s3-error.js';
import type { S3Request } from '../http/s3-request.js';
import { contextOf } from '../operations/operation.js';
import { bucketNameOf, noSuchBucket, TargetRepository } from '../operations/target.repository.js';
import { errorPage, redirectPage } from './error-page.js';

/** A request for a page of a website. */
interface Visit {
  readonly request: S3Request;
  readonly site: Website;
  /** Without an index document: empty for the root. */
  readonly key: string;
}

const METHODS = ['GET', 'HEAD'];
const REDIRECT = 'x-amz-website-redirect-location';

/** Failures that an absent object may cause. */
const ABSENCES = ['NoSuchKey', 'AccessDenied'];

@Injectable()
export class Websites implements OnModuleInit, Site {
  constructor(
    @Inject(CONFIG) private readonly config: S3Config,
    private readonly dataSource: DataSource,
    private readonly targets: TargetRepository,
    private readonly dispatcher: Dispatcher,
    private readonly answers: Answers,
  ) {}

  onModuleInit(): void {
    this.answers.serve(this);
  }

  /**
   * @param onBucket gets the bucket that is the website's
   * @throws S3Error MethodNotAllowed, NoSuchBucket, NoSuchWebsiteConfiguration, AccessDenied if
   * nobody says whose bucket it is; and whatever is this service's own fault
   */
  async answer(request: S3Request, onBucket: (bucket: Bucket) => void): Promise<S3Answer> {
    requireRead(request);
    const bucket = await this.#bucket(request);
    onBucket(bucket);
    const site = bucket.configurations.website;
    if (!site)
      throw new S3Error('NoSuchWebsiteConfiguration', { details: { BucketName: bucket.name } });
    if (site.redirectAll) return redirectPage(301, locationElsewhere(site.redirectAll, request));
    const visit = { request, site, key: request.address.key ?? '' };
    return redirectByRule(visit) ?? this.#page(visit);
  }

  failure(failure: Failure, requestId: string): S3Answer {
    return errorPage(failure, requestId);
  }

  async #bucket(request: S3Request): Promise<Bucket> {
    const { bucket: named } = request.address;
    if (!named) throw new S3Error('NoSuchBucket');
    const ctx = contextOf(request, ANONYMOUS, this.dataSource);
    const name = bucketNameOf(named, ANONYMOUS, this.config);
    const bucket = await this.targets.findBucket(ctx, name);
    if (!bucket) throw noSuchBucket(named.name);
    return bucket;
  }

  async #page(visit: Visit): Promise<S3Answer> {
    const { request, site, key } = visit;
    const isFolder = key === '' || key.endsWith('/');
    const document = isFolder ? key + indexOf(site) : key;
    const answer = await this.#read(request, document);
    if ('code' in answer) return this.#insteadOf(answer, visit, isFolder);
    const location = answer.headers?.[REDIRECT];
    if (location === undefined) return answer;
    if (answer.body instanceof Readable) answer.body.destroy();
    return redirectPage(301, location);
  }

  /** The error document, or a redirect, in place of a page. */
  async #insteadOf(failure: Failure, visit: Visit, isFolder: boolean): Promise<S3Answer> {
    const { request, site, key } = visit;
    const { status, code } = failure;
    const plain = withoutConditions(request);
    if (!isFolder && ABSENCES.includes(code)) {
      const index = await this.#read({ ...plain, method: 'HEAD' }, `${key}/${indexOf(site)}`);
      if (!('code' in index)) return redirectPage(302, locationOfFolder(key, request));
    }
    const redirect = redirectByRule(visit, status);
    if (redirect) return redirect;
    if (site.errorKey === undefined || status < 400) return errorPage(failure, request.id);
    const document = await this.#read(plain, site.errorKey);
    if ('code' in document) return errorPage(failure, request.id, document);
    return { ...document, status, errorCode: code };
  }

  /** @throws whatever is this service's own fault */
  async #read(request: S3Request, key: string): Promise<S3Answer | Failure> {
    try {
      return await this.dispatcher.dispatch({ ...request, address: { ...request.address, key } });
    } catch (error) {
      if (isOurFault(fromForeign(error))) throw error;
      return failureOf(error, request.id);
    }
  }
}

/** @throws S3Error MethodNotAllowed */
function requireRead({ method }: S3Request): void {
  if (METHODS.includes(method)) return;
  throw new S3Error('MethodNotAllowed', {
    allow: METHODS,
    details: { Method: method, ResourceType: 'OBJECT' },
  });
}

function redirectByRule({ request, site, key }: Visit, status?: number): S3Answer | undefined {
  const rule = ruleFor(site, key, status);
  return rule && redirectPage(rule.redirect.status ?? 301, locationByRule(rule, key, request));
}

function indexOf({ indexSuffix = '' }: Website): string {
  return indexSuffix;
}

/** Conditions and ranges apply to the requested page alone. */
function withoutConditions(request: S3Request): S3Request {
  const headers = Object.entries(request.headers).filter(
    ([name]) => name !== 'range' && !name.startsWith('if-'),
  );
  return { ...request, headers: Object.fromEntries(headers) };
}

@Feature({ providers: [Websites] })
export class WebsiteModule {}

type Visited = Pick<S3Request, 'host' | 'isEncrypted' | 'rawPath' | 'rawQuery'>;

/**
 * The first rule that holds.
 * @param key as the visitor asked for it, without an index document: empty for the root
 * @param errorStatus which the page failed with; undefined before anything has been looked for
 */
export function ruleFor(
  { rules = [] }: Website,
  key: string,
  errorStatus?: number,
): RoutingRule | undefined {
  return rules.find(
    ({ condition }) =>
      condition.errorStatus === errorStatus && key.startsWith(condition.keyPrefix ?? ''),
  );
}

export function locationByRule(
  { condition, redirect }: RoutingRule,
  key: string,
  visit: Visited,
): string {
  const path = replaced(redirect, condition.keyPrefix ?? '', key);
  return withQuery(`${originOf(redirect, visit)}/${path}`, visit);
}

export function locationElsewhere(to: NonNullable<Website['redirectAll']>, visit: Visited): string {
  return withQuery(`${originOf(to, visit)}${plain(visit.rawPath)}`, visit);
}

/** A folder's address at the same host. */
export function locationOfFolder(key: string, visit: Visited): string {
  // Two slashes at the front would name a host.
  return withQuery(`/${encodedKey(key).replace(/^\//, '%2F')}/`, visit);
}

function replaced({ key: whole, keyPrefix }: Redirect, prefix: string, key: string): string {
  if (whole !== undefined) return encodeURI(whole);
  if (keyPrefix === undefined) return encodedKey(key);
  return encodeURI(keyPrefix) + encodedKey(key.slice(prefix.length));
}

function originOf({ host, protocol }: Pick<Redirect, 'host' | 'protocol'>, visit: Visited): string {
  const scheme = protocol ?? (visit.isEncrypted ? 'https' : 'http');
  return `${scheme}://${encodeURI(host ?? visit.host)}`;
}

/** Redirects keep the query, unless the location has one. */
function withQuery(location: string, { rawQuery }: Visited): string {
  if (rawQuery === '' || /[?#]/.test(location)) return location;
  return `${location}?${plain(rawQuery)}`;
}

function encodedKey(key: string): string {
  return key.split('/').map(encodeURIComponent).join('/');
}

function plain(text: string): string {
  return text.replaceAll(/[^\x21-\x7e]/gu, encodeURIComponent);
}
