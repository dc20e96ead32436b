/** Refusals about flavors, in Nova's words. Public source: nova, `exception.py`. */
import { notFound, conflict } from '@cumulet/common/errors/domain-error';

export class FlavorNotFoundError extends notFound(
  (id: string) => `Flavor ${id} could not be found.`,
) {}

export class FlavorExistsError extends conflict(
  (name: string) => `Flavor with name ${name} already exists.`,
) {}

export class FlavorIdExistsError extends conflict(
  (id: string) => `Flavor with ID ${id} already exists.`,
) {}

export class ExtraSpecNotFoundError extends notFound(
  (id: string, key: string) => `Flavor ${id} has no extra specs with key ${key}.`,
) {}

export class NoAccessListError extends notFound('Access list not available for public flavors.') {}

export class PublicFlavorError extends conflict('Can not add access to a public flavor.') {}

export class FlavorAccessExistsError extends conflict(
  (id: string, projectId: string) =>
    `Flavor access already exists for flavor ${id} and project ${projectId} combination.`,
) {}

export class FlavorAccessNotFoundError extends notFound(
  (id: string, projectId: string) =>
    `Flavor access not found for ${id} / ${projectId} combination.`,
) {}
