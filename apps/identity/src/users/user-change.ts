/** From what a client wants of a user to the user as it is then. Pure. */
import type { ProjectId } from '@cumulet/common/context/ids';
import { changedOptions } from '../http/option-fields.js';
import type { Extra } from '../http/resource-options.js';
import type { UserProfile } from './user.repository.js';

/** What is undefined stays as it is, or is as it is by default. */
export interface UserChange {
  readonly name?: string | undefined;
  readonly description?: string | null | undefined;
  readonly enabled?: boolean | undefined;
  readonly defaultProjectId?: string | null | undefined;
  readonly password?: string | null | undefined;
  /** Of the options that are named, those that are null are taken back. */
  readonly options?: object | undefined;
  readonly extra?: Extra | undefined;
}

export interface NewUser extends UserChange {
  readonly name: string;
  readonly domainId: string;
}

/** A change in which a client may say again what it cannot change. */
export interface UserUpdate extends UserChange {
  readonly id?: string | undefined;
  readonly domainId?: string | undefined;
}

type Owned = Pick<UserProfile, 'id' | 'domainId'>;

export function newUser(owned: Owned, wanted: UserChange): UserProfile {
  return changedUser({ ...BLANK, ...owned }, wanted);
}

export function changedUser(before: UserProfile, change: UserChange): UserProfile {
  const { name, description, enabled, defaultProjectId, options, extra } = change;
  return {
    id: before.id,
    domainId: before.domainId,
    name: name?.trim() ?? before.name,
    description: description === undefined ? before.description : (description ?? ''),
    enabled: enabled ?? before.enabled,
    defaultProjectId:
      defaultProjectId === undefined
        ? before.defaultProjectId
        : (defaultProjectId as ProjectId | null),
    options: changedOptions(before.options, options),
    extra: { ...before.extra, ...extra },
  };
}

const BLANK = {
  name: '',
  description: '',
  enabled: true,
  defaultProjectId: null,
  options: {},
  extra: {},
} satisfies Omit<UserProfile, keyof Owned>;
