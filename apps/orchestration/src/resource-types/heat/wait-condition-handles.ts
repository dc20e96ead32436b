/**
 * What signals for a wait condition are sent to. Public source: Heat, "Template guide",
 * OS::Heat::WaitConditionHandle; AWS CloudFormation user guide, "Using wait conditions".
 *
 * Always holds: a handle's metadata shows its signals by their ids; the same id twice is one signal.
 */
import { quotedWord, sh, type Shell } from '@cumulet/common/languages/shell';
import { InvalidInputError } from '@cumulet/common/errors/domain-error';
import { stringifyExact } from '../../json/exact-json.js';
import type { Json, JsonObject } from '../../json/json.js';
import { attribute, oneOf, text } from '../declare.js';
import { asText, isObject } from '../property-values.js';
import { ReplacementNeeded } from '../resource-type.errors.js';
import type { ResourceType } from '../resource-type.js';
import type { KeptSignal } from '../../rows/resource-signal.entity.js';

/** How a kind of handle names the parts of a signal. */
export interface SignalNames {
  readonly status: string;
  readonly reason: string;
  readonly data: string;
  readonly id: string;
}

export const HEAT_NAMES: SignalNames = {
  status: 'status',
  reason: 'reason',
  data: 'data',
  id: 'id',
};

export const AMAZON_NAMES: SignalNames = {
  status: 'Status',
  reason: 'Reason',
  data: 'Data',
  id: 'UniqueId',
};

const STATUSES = ['SUCCESS', 'FAILURE'];

/** @throws InvalidInputError for a signal of another form */
function kept(names: SignalNames, details: JsonObject): KeptSignal {
  const known: readonly string[] = [names.data, names.reason, names.status, names.id];
  const status = asText(details[names.status]);
  const isGood =
    Object.keys(details).every((name) => known.includes(name)) &&
    known.every((name) => details[name] !== undefined) &&
    STATUSES.includes(status);
  if (!isGood)
    throw new InvalidInputError(
      `Metadata format invalid: a signal has ${known.join(', ')}, and ${names.status} is SUCCESS or FAILURE.`,
    );
  const { [names.id]: id, ...content } = details;
  const reason = asText(details[names.reason]);
  return {
    id: asText(id),
    reason: `status:${status} reason:${reason}`,
    isFailure: status !== 'SUCCESS',
    content,
  };
}

const TRANSPORTS = oneOf(
  'CFN_SIGNAL',
  'TEMP_URL_SIGNAL',
  'HEAT_SIGNAL',
  'NO_SIGNAL',
  'ZAQAR_SIGNAL',
  'TOKEN_SIGNAL',
);

const MAKES_NOTHING: Pick<ResourceType, 'create' | 'remove'> = {
  create: (scope) =>
    Promise.resolve({ physicalId: scope.row.id, data: { url: scope.signalUrl() } }),
  remove: () => Promise.resolve(),
};

export const waitConditionHandle: ResourceType = {
  ...MAKES_NOTHING,
  name: 'OS::Heat::WaitConditionHandle',
  description: 'What signals for a wait condition are sent to.',
  support: { status: 'SUPPORTED', version: '2014.2' },
  properties: {
    signal_transport: text('How signals are sent; each way, the address is signed.', {
      default: 'TOKEN_SIGNAL',
      constraints: [TRANSPORTS],
      since: '6.0.0',
    }),
  },
  attributes: {
    token: attribute('string', 'A token to send with a signal: none, as the address is signed.'),
    endpoint: attribute('string', 'The address to send a signal to.'),
    curl_cli: attribute(
      'string',
      'A command that sends a signal, to which --data-binary with its text is added.',
    ),
    signal: attribute('string', 'All that is needed to send a signal, as JSON.'),
  },

  attributesOf(scope, names) {
    const url = scope.signalUrl();
    const isToken = scope.properties['signal_transport'] === 'TOKEN_SIGNAL';
    const values: JsonObject = {
      token: isToken ? '' : null,
      endpoint: isToken ? url : null,
      curl_cli: isToken ? curlTo(url) : null,
      signal: stringifyExact({ alarm_url: url }),
    };
    return Promise.resolve(
      Object.fromEntries(names.map((name): [string, Json] => [name, values[name] ?? null])),
    );
  },

  keepSignal: (details, number) =>
    kept(HEAT_NAMES, {
      reason: `Signal ${number} received`,
      data: null,
      id: number,
      status: 'SUCCESS',
      ...(isObject(details) ? details : {}),
    }),
};

function curlTo(url: string): Shell {
  return sh`curl -i -X POST -H 'Content-Type: application/json' -H 'Accept: application/json' ${quotedWord(url)}`;
}

export const amazonWaitConditionHandle: ResourceType = {
  ...MAKES_NOTHING,
  name: 'AWS::CloudFormation::WaitConditionHandle',
  description: 'What signals for a wait condition are sent to; a reference to it is the address.',
  support: { status: 'SUPPORTED', version: '2014.1' },
  properties: {},
  attributes: {},
  /** The address, without its signature, is the physical id by which its wait condition finds it. */
  create: (scope) => {
    const url = scope.signalUrl();
    return Promise.resolve({ physicalId: unsigned(url), data: { url } });
  },
  referenceOf: ({ data, name }) => data['url'] ?? name,
  keepSignal: (details) => kept(AMAZON_NAMES, isObject(details) ? details : {}),
};

/** A handle that each update replaces, so that signals are sent anew. */
export const updateWaitConditionHandle: ResourceType = {
  ...amazonWaitConditionHandle,
  name: 'OS::Heat::UpdateWaitConditionHandle',
  description: 'What signals for a wait condition are sent to; another with each update.',
  update: () => Promise.reject(new ReplacementNeeded('each update has a handle of its own')),
};

export function unsigned(url: string): string {
  return url.split('?', 1)[0] ?? url;
}
