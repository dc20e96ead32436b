/**
 * What the secrets of a container may be called, by its type. Public source: Key Manager API
 * reference, "Containers API".
 */
import { InvalidInputError } from '@cumulet/common/errors/domain-error';
import type { ContainedSecret } from './container.entity.js';
import type { ContainerType } from './container-types.js';

interface Names {
  readonly required: readonly string[];
  readonly optional: readonly string[];
}

/** Generic ones may call them anything. */
const NAMES: Readonly<Partial<Record<ContainerType, Names>>> = {
  rsa: { required: ['public_key', 'private_key'], optional: ['private_key_passphrase'] },
  certificate: {
    required: ['certificate'],
    optional: ['private_key', 'private_key_passphrase', 'intermediates'],
  },
};

/**
 * A container without any secrets may be of every type, as in Barbican.
 * @throws InvalidInputError naming what is missing, unknown or there twice
 */
export function requireFitting(type: ContainerType, secrets: readonly ContainedSecret[]): void {
  const names = secrets.map(({ name }) => name);
  const twice = names.find((name, at) => names.indexOf(name) !== at);
  if (twice !== undefined) throw new BadSecretsError(`name '${twice}' twice`);
  const ids = secrets.map(({ secretId }) => secretId);
  const same = ids.find((id, at) => ids.indexOf(id) !== at);
  if (same !== undefined) throw new BadSecretsError(`have the secret ${same} twice`);
  const allowed = NAMES[type];
  if (!allowed || secrets.length === 0) return;
  const known = [...allowed.required, ...allowed.optional];
  const unknown = names.find((name) => !known.includes(name));
  if (unknown !== undefined)
    throw new BadSecretsError(
      `name '${unknown}', which is not one of ${known.join(', ')}: those of a container of type ${type}`,
    );
  const missing = allowed.required.find((name) => !names.includes(name));
  if (missing !== undefined)
    throw new BadSecretsError(`lack '${missing}', which a container of type ${type} must have`);
}

class BadSecretsError extends InvalidInputError {
  constructor(reason: string) {
    super(`Invalid input: secret_refs ${reason}.`);
  }
}
