/** Public source: Heat, "Template guide", OS::Heat::WaitCondition. */
import { DomainError, InvalidInputError, errorOf } from '@cumulet/common/errors/domain-error';
import { quotedWord, sh, type Shell } from '@cumulet/common/languages/shell';
import type { PropertySchema } from '../../constraints/property-schema.js';
import { stringifyExact } from '../../json/exact-json.js';
import type { Json, JsonObject } from '../../json/json.js';
import type { StoredSignal } from '../../rows/resource-signal.entity.js';
import { attribute, decimal, integer, oneOf, range, text } from '../declare.js';
import { asObject, asText, isObject, numberIn, textIn } from '../property-values.js';
import { ReplacementNeeded } from '../resource-type.errors.js';
import type {
  ExistingScope,
  ResourceFacts,
  ResourceScope,
  ResourceType,
} from '../resource-type.js';

/** A signal reported failure, with its reasons. */
export class WaitConditionFailureError extends errorOf(
  'unprocessable',
  (reasons: readonly string[]) => reasons.join(';'),
) {}

/** `1 of 2 received - done` */
export class WaitConditionTimeoutError extends DomainError {
  constructor(count: number, reasons: readonly string[]) {
    const received = `${reasons.length} of ${count} received`;
    super('timeout', reasons.length > 0 ? `${received} - ${reasons.join(';')}` : received);
  }
}

type Signal = readonly [string, JsonObject];

interface Names {
  readonly handle: string;
  readonly timeout: string;
  readonly count: string;
  readonly data: string;
  readonly signal: SignalNames;
}

function waitConditionType(
  texts: Pick<ResourceType, 'name' | 'support'>,
  names: Names,
  timeout: PropertySchema,
): ResourceType {
  const begin = ({ properties }: ResourceScope): JsonObject => ({
    until: Date.now() + (numberIn(properties, names.timeout) ?? 0) * 1000,
  });

  const handleOf = async (scope: ExistingScope): Promise<ResourceFacts> => {
    // A handle is referred to by its ID or its signed URL.
    const reference = unsigned(textIn(scope.properties, names.handle) ?? '');
    const handle = await scope.sibling(reference);
    if (handle) return handle;
    throw new DomainError('unprocessable', `${reference} is not a valid wait condition handle.`);
  };

  const signalsOf = async (
    scope: ExistingScope,
    handle: ResourceFacts,
  ): Promise<readonly Signal[]> => [
    ...new Map([...adoptedSignals(handle, names.signal), ...(await scope.signals.read(handle.id))]),
  ];

  const hasAll = async (scope: ExistingScope): Promise<boolean> => {
    const handle = await handleOf(scope);
    const { status, reason } = names.signal;
    const isFailure = ([, one]: Signal): boolean => asText(one[status]) !== 'SUCCESS';
    const reasons = (some: readonly Signal[]): readonly string[] =>
      some.map(([, one]) => asText(one[reason]));
    const adopted = adoptedSignals(handle, names.signal);
    const counted = await scope.signals.counts(handle.id);
    if (counted.failures > 0 || adopted.some(isFailure)) {
      const failures = (await signalsOf(scope, handle)).filter(isFailure);
      if (failures.length > 0) throw new WaitConditionFailureError(reasons(failures));
    }
    const signals =
      adopted.length === 0 ? counted.signals : (await signalsOf(scope, handle)).length;
    const count = numberIn(scope.properties, names.count) ?? 1;
    if (signals >= count) return true;
    const until = scope.row.data['until'];
    if (typeof until === 'number' && Date.now() >= until)
      throw new WaitConditionTimeoutError(count, reasons(await signalsOf(scope, handle)));
    return false;
  };

  return {
    ...texts,
    description: 'A wait for signals that a handle takes.',
    properties: {
      [names.handle]: text('The handle that takes the signals.', { required: true }),
      [names.timeout]: timeout,
      [names.count]: integer('How many signals of success are waited for.', {
        default: 1,
        updatable: true,
        constraints: [range(1)],
      }),
    },
    attributes: {
      [names.data]: {
        ...attribute('string', 'What the signals carried, by their ids, as JSON.'),
        isLive: true,
      },
    },
    create: (scope) => Promise.resolve({ physicalId: scope.row.id, data: begin(scope) }),
    isCreated: hasAll,
    update: (scope) => Promise.resolve({ data: begin(scope) }),
    isUpdated: hasAll,
    remove: () => Promise.resolve(),
    async attributesOf(scope) {
      const signals = await signalsOf(scope, await handleOf(scope));
      const data = signals.map(([id, signal]): [string, Json] => [
        id,
        signal[names.signal.data] ?? null,
      ]);
      return { [names.data]: stringifyExact(Object.fromEntries(data)) };
    },
  };
}

/** Signals in metadata: of an adopted stack, or from before signals were stored separately. */
function adoptedSignals({ metadata }: ResourceFacts, { status }: SignalNames): readonly Signal[] {
  // Other metadata of a template is not a signal.
  return Object.entries(asObject(metadata) ?? {}).filter(
    (entry): entry is [string, JsonObject] => isObject(entry[1]) && Object.hasOwn(entry[1], status),
  );
}

const SECONDS = 'Seconds that the signals may take.';
const TIMEOUT = { required: true, constraints: [range(1, 43_200)] } as const;

export const HEAT_NAMES: SignalNames = {
  status: 'status',
  reason: 'reason',
  data: 'data',
  id: 'id',
};

export const waitCondition = waitConditionType(
  { name: 'OS::Heat::WaitCondition', support: { status: 'SUPPORTED', version: '2014.2' } },
  {
    handle: 'handle',
    timeout: 'timeout',
    count: 'count',
    data: 'data',
    signal: HEAT_NAMES,
  },
  decimal(SECONDS, TIMEOUT),
);

export const AMAZON_NAMES: SignalNames = {
  status: 'Status',
  reason: 'Reason',
  data: 'Data',
  id: 'UniqueId',
};

export const amazonWaitCondition = waitConditionType(
  {
    name: 'AWS::CloudFormation::WaitCondition',
    support: { status: 'SUPPORTED', version: '2014.1' },
  },
  {
    handle: 'Handle',
    timeout: 'Timeout',
    count: 'Count',
    data: 'Data',
    signal: AMAZON_NAMES,
  },
  integer(SECONDS, TIMEOUT),
);

/** The names of a signal's fields, by the kind of handle. */
export interface SignalNames {
  readonly status: string;
  readonly reason: string;
  readonly data: string;
  readonly id: string;
}

const STATUSES = ['SUCCESS', 'FAILURE'];

/** @throws InvalidInputError for a malformed signal */
function parsedSignal(names: SignalNames, details: JsonObject): StoredSignal {
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

/**
 * The target of a wait condition's signals. Public source: Heat, "Template guide",
 * OS::Heat::WaitConditionHandle; AWS CloudFormation user guide, "Using wait conditions".
 *
 * Always holds: the handle's metadata shows its signals by their IDs; a repeated ID is one signal.
 */
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

  parseSignal: (details, number) =>
    parsedSignal(HEAT_NAMES, {
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
  /** The URL without its signature is the physical ID, by which the wait condition finds it. */
  create: (scope) => {
    const url = scope.signalUrl();
    return Promise.resolve({ physicalId: unsigned(url), data: { url } });
  },
  referenceOf: ({ data, name }) => data['url'] ?? name,
  parseSignal: (details) => parsedSignal(AMAZON_NAMES, isObject(details) ? details : {}),
};

/** A handle that is replaced by each update, so that signals are expected anew. */
export const updateWaitConditionHandle: ResourceType = {
  ...amazonWaitConditionHandle,
  name: 'OS::Heat::UpdateWaitConditionHandle',
  description: 'What signals for a wait condition are sent to; another with each update.',
  update: () => Promise.reject(new ReplacementNeeded('each update has a handle of its own')),
};

export function unsigned(url: string): string {
  return url.split('?', 1)[0] ?? url;
}
