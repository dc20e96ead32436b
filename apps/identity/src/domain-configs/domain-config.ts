/**
 * The options of domain configurations, with their defaults. Public source: Keystone's source,
 * `keystone/resource/core.py` on domain configuration, and `keystone/conf/ldap.py`.
 */
import { forbidden } from '@cumulet/common/errors/domain-error';

export type Options = Readonly<Record<string, unknown>>;
export type DomainConfig = Readonly<Record<string, Options>>;

/** The part of a configuration that a path names: all, a group or an option. */
export interface ConfigPlace {
  readonly group?: string | undefined;
  readonly option?: string | undefined;
}

export const DEFAULTS: DomainConfig = {
  identity: { driver: 'sql', list_limit: null },
  ldap: {
    url: 'ldap://localhost',
    user: null,
    suffix: 'cn=example,cn=com',
    query_scope: 'one',
    page_size: 0,
    alias_dereferencing: 'default',
    debug_level: null,
    chase_referrals: null,
    user_tree_dn: null,
    user_filter: null,
    user_objectclass: 'inetOrgPerson',
    user_id_attribute: 'cn',
    user_name_attribute: 'sn',
    user_mail_attribute: 'mail',
    user_description_attribute: 'description',
    user_pass_attribute: 'userPassword',
    user_enabled_attribute: 'enabled',
    user_enabled_invert: false,
    user_enabled_mask: 0,
    user_enabled_default: 'True',
    user_attribute_ignore: ['default_project_id'],
    user_default_project_id_attribute: null,
    user_enabled_emulation: false,
    user_enabled_emulation_dn: null,
    user_enabled_emulation_use_group_config: false,
    user_additional_attribute_mapping: [],
    group_tree_dn: null,
    group_filter: null,
    group_objectclass: 'groupOfNames',
    group_id_attribute: 'cn',
    group_name_attribute: 'ou',
    group_members_are_ids: false,
    group_member_attribute: 'member',
    group_desc_attribute: 'description',
    group_attribute_ignore: [],
    group_additional_attribute_mapping: [],
    tls_cacertfile: null,
    tls_cacertdir: null,
    use_tls: false,
    tls_req_cert: 'demand',
    use_pool: true,
    pool_size: 10,
    pool_retry_max: 3,
    pool_retry_delay: 0.1,
    pool_connection_timeout: -1,
    pool_connection_lifetime: 600,
    use_auth_pool: true,
    auth_pool_size: 100,
    auth_pool_connection_lifetime: 60,
  },
};

/** Stored, but never shown. */
const SENSITIVE: Readonly<Record<string, readonly string[]>> = { ldap: ['password'] };

export class InvalidDomainConfigError extends forbidden(
  (reason: string) => `Invalid domain specific configuration: ${reason}.`,
) {}

/** @throws InvalidDomainConfigError for an unknown group or option */
export function checkPlace({ group, option }: ConfigPlace): void {
  if (group === undefined) return;
  const options = Object.hasOwn(DEFAULTS, group) ? DEFAULTS[group] : undefined;
  const isKnown =
    options &&
    (option === undefined ||
      Object.hasOwn(options, option) ||
      SENSITIVE[group]?.includes(option) === true);
  if (isKnown) return;
  const what = options ? `Option ${option} in group ${group}` : `Group ${group}`;
  throw new InvalidDomainConfigError(`${what} is not supported for domain specific configurations`);
}

/** @throws InvalidDomainConfigError for a body that names anything but the part that its path names */
export function configIn(body: Options, { group, option }: ConfigPlace = {}): DomainConfig {
  const config = group !== undefined && option !== undefined ? { [group]: body } : body;
  if (Object.keys(config).length === 0) throw new InvalidDomainConfigError('No options specified');
  for (const [name, options] of Object.entries(config)) {
    if (!isOptions(options))
      throw new InvalidDomainConfigError(`The value of group ${name} must be an object of options`);
    for (const one of Object.keys(options)) {
      checkPlace({ group: name, option: one });
      const isAsked = name === (group ?? name) && one === (option ?? one);
      if (!isAsked)
        throw new InvalidDomainConfigError(
          `The path names ${[group, option].filter(Boolean).join('.')}, but the body names ${name}.${one}`,
        );
    }
  }
  return config as DomainConfig;
}

export function partOf(config: DomainConfig, { group, option }: ConfigPlace): Options | undefined {
  if (group === undefined) return Object.keys(config).length === 0 ? undefined : config;
  const options = config[group];
  if (!options || option === undefined) return options && { [group]: options };
  return Object.hasOwn(options, option) ? { [option]: options[option] } : undefined;
}

export function merged(before: DomainConfig, change: DomainConfig): DomainConfig {
  const groups = Object.entries(change).map(([group, options]) => [
    group,
    { ...before[group], ...options },
  ]);
  return { ...before, ...(Object.fromEntries(groups) as DomainConfig) };
}

/** Groups without options are left out too. */
export function without(
  config: DomainConfig,
  isLeftOut: (group: string, option: string) => boolean,
): DomainConfig {
  const groups = Object.entries(config).map(([group, options]) => {
    const kept = Object.entries(options).filter(([option]) => !isLeftOut(group, option));
    return [group, Object.fromEntries(kept)] as const;
  });
  return Object.fromEntries(groups.filter(([, options]) => isOptions(options)));
}

export function visible(config: DomainConfig): DomainConfig {
  return without(config, (group, option) => SENSITIVE[group]?.includes(option) === true);
}

function isOptions(value: unknown): value is Options {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  return isObject && Object.keys(value).length > 0;
}
