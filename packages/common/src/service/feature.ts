/**
 * The module of one resource folder: its controllers, its providers and its tables.
 *
 * Every provider of a feature is available to all others of the service. TypeScript's imports
 * already say which feature needs which; a second list would only have to be kept in step.
 */
import {
  applyDecorators,
  Global,
  Module,
  SetMetadata,
  type InjectionToken,
  type Provider,
  type Type,
} from '@nestjs/common';
import { ModulesContainer, type NestApplicationContext } from '@nestjs/core';
import { MODULE_METADATA } from '@nestjs/common/constants.js';

const ENTITIES = 'cumulet:entities';

export interface FeatureParts {
  readonly controllers?: Type[];
  readonly providers?: Provider[];
  /** The tables that the feature's migrations make. */
  readonly entities?: readonly Type[];
}

export function Feature({
  controllers = [],
  providers = [],
  entities = [],
}: FeatureParts): ClassDecorator {
  return applyDecorators(
    Global(),
    Module({ controllers, providers, exports: providers.map(tokenOf) }),
    SetMetadata(ENTITIES, entities),
  );
}

/** The tables of the feature. */
export function entitiesOf(feature: Type): readonly Type[] {
  return (Reflect.getMetadata(ENTITIES, feature) ?? []) as readonly Type[];
}

/** The controllers of the feature. */
export function controllersOf(feature: Type): readonly Type[] {
  return (Reflect.getMetadata(MODULE_METADATA.CONTROLLERS, feature) ?? []) as readonly Type[];
}

/** The feature, with these providers in place of its own for the same tokens. */
export function withOverrides(
  feature: Type,
  overrides: readonly Provider[],
): { readonly module: Type; readonly providers: Provider[] } {
  const own = (Reflect.getMetadata(MODULE_METADATA.PROVIDERS, feature) ?? []) as Provider[];
  const tokens = new Set(own.map(tokenOf));
  // Nest keeps a token's last provider, and a dynamic module's come after the class's own.
  return { module: feature, providers: overrides.filter((one) => tokens.has(tokenOf(one))) };
}

function tokenOf(provider: Provider): InjectionToken {
  return typeof provider === 'function' ? provider : provider.provide;
}

/** Every object that an application created or was given, once each, in its features' order. */
export function providersOf(app: Pick<NestApplicationContext, 'get'>): object[] {
  const modules = [...app.get(ModulesContainer).values()];
  const found = modules.flatMap(({ providers }) =>
    [...providers.values()].map((provider): unknown => provider.instance),
  );
  return [...new Set(found)].filter(isObject);
}

function isObject(one: unknown): one is object {
  return typeof one === 'object' && one !== null && 'constructor' in one;
}
