/**
 * Microversions as OpenStack negotiates them: `OpenStack-API-Version: compute 2.47`, or the
 * service's older header. Public source: OpenStack API SIG, "Microversion Specification".
 */
import { InvalidInputError, errorOf } from '../errors/domain-error.js';

export class Microversion {
  constructor(
    readonly major: number,
    readonly minor: number,
  ) {}

  atLeast(minor: number): boolean {
    return this.minor >= minor;
  }

  toString(): string {
    return `${this.major}.${this.minor}`;
  }
}

export interface MicroversionRange {
  /** The service type in `OpenStack-API-Version`: `compute`. */
  readonly service: string;
  /** Aliases that clients may use there. */
  readonly aliases?: readonly string[];
  /** Whether answers carry the range in non-standard headers. */
  readonly isAnnounced?: boolean;
  /** The older header: `X-OpenStack-Nova-API-Version`. */
  readonly legacyHeader?: string;
  readonly min: Microversion;
  readonly max: Microversion;
}

export class MicroversionOutOfRangeError extends errorOf(
  'not-acceptable',
  (asked: string, { min, max }: MicroversionRange) =>
    `Version ${asked} is not supported by the API. Minimum is ${min.toString()} and maximum is ${max.toString()}.`,
) {}

type Headers = Readonly<Record<string, string | string[] | undefined>>;

/**
 * The requested version, or the minimum if no header names this service.
 * @throws InvalidInputError for a malformed version
 * @throws MicroversionOutOfRangeError for an unsupported one
 */
export function negotiate(headers: Headers, range: MicroversionRange): Microversion {
  const asked = askedVersion(headers, range);
  if (asked === undefined) return range.min;
  if (asked === 'latest') return range.max;
  const match = /^([1-9]\d*)\.(0|[1-9]\d*)$/.exec(asked);
  if (!match) {
    throw new InvalidInputError(
      `API Version String '${asked}' is of invalid format. It must be of format MajorNum.MinorNum.`,
    );
  }
  const version = new Microversion(Number(match[1]), Number(match[2]));
  const { min, max } = range;
  if (version.major !== max.major || version.minor < min.minor || version.minor > max.minor) {
    throw new MicroversionOutOfRangeError(asked, range);
  }
  return version;
}

function askedVersion(headers: Headers, range: MicroversionRange): string | undefined {
  const standard = headers['openstack-api-version'];
  const entries = (Array.isArray(standard) ? standard.join(',') : (standard ?? '')).split(',');
  const names = [range.service, ...(range.aliases ?? [])];
  for (const entry of entries) {
    const [service = '', version] = entry.trim().split(/\s+/);
    if (names.includes(service) && version) return version.toLowerCase();
  }
  const legacy = range.legacyHeader && headers[range.legacyHeader.toLowerCase()];
  return typeof legacy === 'string' && legacy !== '' ? legacy.trim().toLowerCase() : undefined;
}

/** Response headers with the negotiated version. */
export function versionHeaders(
  range: MicroversionRange,
  version: Microversion,
): Record<string, string> {
  const names = ['OpenStack-API-Version', ...(range.legacyHeader ? [range.legacyHeader] : [])];
  return {
    'OpenStack-API-Version': `${range.service} ${version.toString()}`,
    ...(range.legacyHeader ? { [range.legacyHeader]: version.toString() } : {}),
    Vary: names.join(', '),
  };
}

/** Response headers with the supported range, also for unsupported versions. */
export function rangeHeaders({
  service,
  min,
  max,
  isAnnounced = false,
}: MicroversionRange): Record<string, string> {
  if (!isAnnounced) return {};
  return {
    'OpenStack-API-Minimum-Version': `${service} ${min.toString()}`,
    'OpenStack-API-Maximum-Version': `${service} ${max.toString()}`,
  };
}
