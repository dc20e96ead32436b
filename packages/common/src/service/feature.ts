/**
 * The module of one resource folder: controllers, providers and tables. Every provider of a feature
 * is available to all others of the service: imports in TypeScript already show the dependencies,
 * and a second list would have to be maintained.
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
  /** The feature's tables. */
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

/** Replaces the feature's providers of the same tokens. */
export function withOverrides(
  feature: Type,
  overrides: readonly Provider[],
): { readonly module: Type; readonly providers: Provider[] } {
  const own = (Reflect.getMetadata(MODULE_METADATA.PROVIDERS, feature) ?? []) as Provider[];
  const tokens = new Set(own.map(tokenOf));
  // Nest uses a token's last provider, and those of a dynamic module come after the class's own.
  return { module: feature, providers: overrides.filter((one) => tokens.has(tokenOf(one))) };
}

function tokenOf(provider: Provider): InjectionToken {
  return typeof provider === 'function' ? provider : provider.provide;
}

/** All provider instances of an application, once each, in the order of features. */
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
