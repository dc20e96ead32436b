/**
 * L7 policies of a listener. HAProxy goes through denials first, then redirects, then the choice of
 * a pool, which is the order that the API has for actions, whatever the positions.
 * Public sources: Load Balancer API v2 reference, "L7 Policies", "L7 Rules"; HAProxy Configuration
 * Manual, "7. Using ACLs and fetching samples".
 */
import type {
  CompareType,
  PolicyAction,
  PolicySpec,
  RuleSpec,
  RuleType,
} from '../../balancer-spec.js';
import {
  condition,
  fetchOf,
  line,
  name,
  number,
  word,
  words,
  type Line,
  type Word,
} from './words.js';

const MATCHES: Readonly<Record<CompareType, Word>> = {
  REGEX: words`-m reg`,
  STARTS_WITH: words`-m beg`,
  ENDS_WITH: words`-m end`,
  CONTAINS: words`-m sub`,
  EQUAL_TO: words`-m str`,
};

/** What each type of rule looks at, and whether letters' case counts. */
const CONDITIONS: Readonly<Record<RuleType, (rule: RuleSpec) => Word>> = {
  // A host's name is what the header has before the port.
  HOST_NAME: (rule) => words`${word('req.hdr(host),host_only')} -i ${compared(rule)}`,
  PATH: (rule) => words`path ${compared(rule)}`,
  // What follows the last dot of the path.
  FILE_TYPE: (rule) => words`${word('path,field(-1,.)')} ${compared(withoutDot(rule))}`,
  HEADER: (rule) => words`${fetchOf('req.hdr', keyOf(rule))} ${compared(rule)}`,
  COOKIE: (rule) => words`${fetchOf('req.cook', keyOf(rule))} ${compared(rule)}`,
  SSL_CONN_HAS_CERT: () => words`ssl_c_used`,
  SSL_VERIFY_RESULT: ({ value }) => words`ssl_c_verify ${word(value)}`,
  SSL_DN_FIELD: (rule) => words`${fetchOf('ssl_c_s_dn', keyOf(rule))} ${compared(rule)}`,
};

/** In which turn HAProxy looks at actions; of the same, by position. It warns of any other order. */
const TURNS: Readonly<Record<PolicyAction['type'], number>> = {
  REJECT: 0,
  REDIRECT_TO_URL: 1,
  REDIRECT_PREFIX: 1,
  REDIRECT_TO_POOL: 2,
};

/** @param backendOf the backend of a pool, for this listener; undefined if it is not in use */
export function policyLines(
  policies: readonly PolicySpec[],
  backendOf: (poolId: string) => Word | undefined,
): Line[] {
  return policies
    .filter(({ enabled }) => enabled)
    .sort((one, other) => TURNS[one.action.type] - TURNS[other.action.type])
    .flatMap((one) => policyOf(one, backendOf));
}

function policyOf(
  { action, rules }: PolicySpec,
  backendOf: (poolId: string) => Word | undefined,
): Line[] {
  const counting = rules.filter(({ enabled }) => enabled);
  const effect = effectOf(action, backendOf);
  if (counting.length === 0 || effect === undefined) return [];
  const conditions = counting.map(({ id, invert }) => condition(id, invert));
  return [
    ...counting.map((rule) => line`acl ${name(rule.id)} ${CONDITIONS[rule.type](rule)}`),
    line`${effect} if ${conditions}`,
  ];
}

function effectOf(
  action: PolicySpec['action'],
  backendOf: (poolId: string) => Word | undefined,
): Word | undefined {
  switch (action.type) {
    case 'REJECT':
      return words`http-request deny`;
    case 'REDIRECT_TO_URL':
      return words`redirect location ${word(action.url)} code ${number(action.code)}`;
    case 'REDIRECT_PREFIX':
      return words`redirect prefix ${word(action.url)} code ${number(action.code)}`;
    case 'REDIRECT_TO_POOL': {
      const backend = backendOf(action.poolId);
      return backend && words`use_backend ${backend}`;
    }
  }
}

/** `--` ends the options: a value may begin with a hyphen. */
function compared({ compare, value }: RuleSpec): Word {
  return words`${MATCHES[compare]} -- ${word(value)}`;
}

/** `.jpg` is `jpg`; in an expression, a dot is any character. */
function withoutDot(rule: RuleSpec): RuleSpec {
  return rule.compare === 'REGEX' ? rule : { ...rule, value: rule.value.replace(/^\./, '') };
}

function keyOf({ key }: RuleSpec): string {
  return key ?? '';
}
