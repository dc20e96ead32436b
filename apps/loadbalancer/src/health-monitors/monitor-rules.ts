/**
 * Which fields a type of health monitor has, and which types a pool can have. Pure.
 * Public source: octavia, `api/v2/controllers/health_monitor.py`; Load Balancer API v2 reference,
 * "Create Health Monitor".
 */
import { isDatagram } from '../providers/providers.js';
import { InvalidOptionError, ValidationExceptionError } from '../resources/octavia.errors.js';
import type { HealthMonitor } from '../tree/health-monitor.resource.js';

/** Defaults of types with HTTP. */
const HTTP_DEFAULTS = { httpMethod: 'GET', urlPath: '/', expectedCodes: '200' } as const;

/** Fields that only types with HTTP have. */
const HTTP_FIELDS = {
  httpMethod: 'http_method',
  urlPath: 'url_path',
  expectedCodes: 'expected_codes',
} as const;

/** The others Octavia keeps with every type, though only those with HTTP use them. */
type HttpFields = Partial<
  Pick<HealthMonitor, keyof typeof HTTP_FIELDS | 'httpVersion' | 'domainName'>
>;

/**
 * The columns of a new monitor or of a change, with defaults for what is left out or null.
 * @param before what the monitor has
 * @throws InvalidOptionError for what its type has not
 * @throws ValidationExceptionError
 */
export function httpColumns(type: string, given: HttpFields, before: HttpFields = {}): HttpFields {
  const named = { ...before, ...given };
  const asked = hostAsked(named);
  if (type === 'HTTP' || type === 'HTTPS')
    return {
      httpMethod: named.httpMethod ?? HTTP_DEFAULTS.httpMethod,
      urlPath: named.urlPath ?? HTTP_DEFAULTS.urlPath,
      expectedCodes: named.expectedCodes ?? HTTP_DEFAULTS.expectedCodes,
      ...asked,
    };
  const odd = (Object.keys(HTTP_FIELDS) as (keyof typeof HTTP_FIELDS)[]).find(
    (name) => given[name] != null,
  );
  if (odd) throw new InvalidOptionError(HTTP_FIELDS[odd], `health monitors of type ${type}`);
  return asked;
}

/** The host that is asked for needs a version of HTTP that has one. */
function hostAsked(named: HttpFields): Pick<HealthMonitor, 'httpVersion' | 'domainName'> {
  const domain = named.domainName ?? null;
  const version = named.httpVersion ?? null;
  if (domain !== null && version === null)
    throw new ValidationExceptionError(
      "'http_version' must be specified when 'domain_name' is provided.",
    );
  if (domain !== null && version !== null && version < 1.1)
    throw new InvalidOptionError(
      `http_version ${version.toFixed(1)}`,
      'health monitors HTTP 1.1 domain name health check',
    );
  return { httpVersion: version, domainName: domain };
}

const FOR_DATAGRAMS: readonly string[] = ['UDP-CONNECT', 'SCTP', 'TCP', 'HTTP'];
const DATAGRAMS_ONLY: readonly string[] = ['UDP-CONNECT', 'SCTP'];

/** Seconds: who does not answer to UDP sooner may be there all the same. */
const MIN_UDP_DELAY = 3;

/** @throws ValidationExceptionError naming the pool's protocol */
export function requireMonitorFor(
  protocol: string,
  { type, delay }: Pick<HealthMonitor, 'type' | 'delay'>,
): void {
  const fault = isDatagram(protocol)
    ? datagramFault(protocol, type, delay)
    : DATAGRAMS_ONLY.includes(type) &&
      `The ${type} type is only supported for pools of type UDP/SCTP.`;
  if (fault !== false) throw new ValidationExceptionError(fault);
}

function datagramFault(protocol: string, type: string, delay: number): string | false {
  if (!FOR_DATAGRAMS.includes(type))
    return `The associated pool protocol is ${protocol}, so only a ${FOR_DATAGRAMS.join('/')} health monitor is supported.`;
  if (type === 'UDP-CONNECT' && delay < MIN_UDP_DELAY)
    return `The request delay value ${delay} should be larger than ${MIN_UDP_DELAY} for ${type} health monitor type.`;
  return false;
}
