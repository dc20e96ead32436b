/** A wait for signals. Public source: Heat, "Template guide", OS::Heat::WaitCondition. */
import { DomainError } from '@cumulet/common/errors/domain-error';
import { stringifyExact } from '../../json/exact-json.js';
import type { Json, JsonObject } from '../../json/json.js';
import { attribute, decimal, integer, range, text } from '../declare.js';
import type { PropertySchema } from '../../constraints/property-schema.js';
import { asObject, asText, isObject, numberIn, textIn } from '../property-values.js';
import type {
  ExistingScope,
  ResourceFacts,
  ResourceScope,
  ResourceType,
} from '../resource-type.js';
import { AMAZON_NAMES, HEAT_NAMES, unsigned, type SignalNames } from './wait-condition-handles.js';

/** A signal said so: its reasons. */
export class WaitConditionFailureError extends DomainError {
  constructor(reasons: readonly string[]) {
    super('unprocessable', reasons.join(';'));
  }
}

/** `1 of 2 received - done` */
export class WaitConditionTimeoutError extends DomainError {
  constructor(count: number, reasons: readonly string[]) {
    const received = `${reasons.length} of ${count} received`;
    super('timeout', reasons.length > 0 ? `${received} - ${reasons.join(';')}` : received);
  }
}

/** Its id and what it says. */
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
    // A reference to a handle: its id, or its signed address.
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

/** Signals that metadata hold: of an adopted stack, or of before each was kept by itself. */
function adoptedSignals({ metadata }: ResourceFacts, { status }: SignalNames): readonly Signal[] {
  // Other metadata of a template is no signal.
  return Object.entries(asObject(metadata) ?? {}).filter(
    (entry): entry is [string, JsonObject] => isObject(entry[1]) && Object.hasOwn(entry[1], status),
  );
}

const SECONDS = 'Seconds that the signals may take.';
const TIMEOUT = { required: true, constraints: [range(1, 43_200)] } as const;

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
