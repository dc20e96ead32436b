/** Marks the provider that carries out an operation; it is found without being listed anywhere. */
import type { Operation } from './operation.js';
import type { OperationName } from './operations.js';

const OPERATION = 'cumulet:s3-operation';

export function Handles(name: OperationName) {
  return (target: new (...args: never[]) => Operation): void =>
    Reflect.defineMetadata(OPERATION, name, target);
}

/** By name. @throws Error if two handle the same */
export function handlersAmong(providers: readonly object[]): ReadonlyMap<OperationName, Operation> {
  const handlers = new Map<OperationName, Operation>();
  for (const provider of providers) {
    const name = Reflect.getMetadata(OPERATION, provider.constructor) as OperationName | undefined;
    if (name === undefined) continue;
    if (handlers.has(name)) throw new Error(`two providers handle ${name}`);
    handlers.set(name, provider as Operation);
  }
  return handlers;
}
