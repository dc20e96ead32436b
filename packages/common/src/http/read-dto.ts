/**
 * Builds a DTO from a parsed body or query, as its fields' decorators declare. Only named
 * properties are read, so the work is linear in the input; values with client-chosen keys are taken
 * unchanged, including `constructor` and `__proto__`.
 */
import { getMetadataStorage } from 'class-validator';

type Constructor = abstract new (...args: never[]) => unknown;

/** The place of a value in the request. */
export interface Sent {
  readonly object: Readonly<Record<string, unknown>>;
  readonly name: string;
  /** Reads a part of the value as a DTO, which refuses unknown properties by their path. */
  readonly part: (dto: Constructor, value: unknown, name: string) => unknown;
}

export type Reader = (value: unknown, sent: Sent) => unknown;

interface Part {
  readonly dto: () => Constructor;
  /** Whether the DTO keeps properties that it does not know, in the one that `KeepsOthers` marks. */
  readonly keepsOthers: boolean;
}

/** By the prototype of the class that declares them. */
const parts = new WeakMap<object, Map<string, Part>>();
const readers = new WeakMap<object, Map<string, readonly Reader[]>>();
const others = new WeakMap<object, string>();
const lenient = new WeakMap<object, Lenience>();

/** Whether unknown properties are ignored, in a DTO and in its parts. */
interface Lenience {
  readonly own: boolean;
  readonly ofParts: boolean;
}

/** A property that is another DTO, or a list of them. */
export function PartField(dto: Part['dto'], { keepsOthers = false } = {}): PropertyDecorator {
  return (prototype, property) =>
    void entriesOf(parts, prototype).set(String(property), { dto, keepsOthers });
}

/** Changes a value before it is validated. Several apply in the order in which they are declared. */
export function Reads(read: Reader): PropertyDecorator {
  return (prototype, property) => {
    const own = entriesOf(readers, prototype);
    own.set(String(property), [...(own.get(String(property)) ?? []), read]);
  };
}

/** The property that collects unknown properties, if the wrapper allows them. */
export function KeepsOthers(): PropertyDecorator {
  return (prototype, property) => void others.set(prototype, String(property));
}

/**
 * Ignores unknown properties, if the original service's schema allows additional ones.
 * @param options `ofParts`: also in nested DTOs
 */
export function IgnoresOthers({ ofParts = false } = {}): ClassDecorator {
  return ({ prototype }) => void lenient.set(prototype as object, { own: true, ofParts });
}

function entriesOf<T>(of: WeakMap<object, Map<string, T>>, prototype: object): Map<string, T> {
  const own = of.get(prototype) ?? new Map<string, T>();
  of.set(prototype, own);
  return own;
}

/** The decorated properties of a class and its ancestors. */
interface Shape {
  readonly names: ReadonlySet<string>;
  readonly parts: ReadonlyMap<string, Part>;
  readonly readers: ReadonlyMap<string, readonly Reader[]>;
  readonly others: string | undefined;
  readonly lenience: Lenience;
}

const STRICT: Lenience = { own: false, ofParts: false };

const shapes = new WeakMap<object, Shape>();

function shapeOf(dto: Constructor): Shape {
  const known = shapes.get(dto);
  if (known) return known;
  const chain: object[] = [];
  for (let at = dto.prototype as object | null; at; at = Object.getPrototypeOf(at) as object | null)
    chain.unshift(at);
  const rules = getMetadataStorage().getTargetValidationMetadatas(dto, '', false, false);
  const shape: Shape = {
    names: new Set(rules.map(({ propertyName }) => propertyName)),
    parts: new Map(chain.flatMap((one) => [...(parts.get(one) ?? [])])),
    readers: new Map(chain.flatMap((one) => [...(readers.get(one) ?? [])])),
    others: chain.map((one) => others.get(one)).findLast((name) => name !== undefined),
    lenience: chain.map((one) => lenient.get(one)).findLast((one) => one) ?? STRICT,
  };
  shapes.set(dto, shape);
  return shape;
}

/** Unknown properties: the paths of the first, and the count. */
export class UnknownProperties {
  readonly paths: string[] = [];
  count = 0;

  constructor(private readonly most: number) {}

  add(path: string): void {
    this.count += 1;
    if (this.paths.length < this.most) this.paths.push(path);
  }
}

/** Client-chosen names are cut to this length in messages. */
const SHOWN_LENGTH = 100;

/**
 * @param value an object; anything else is returned unchanged, to be refused by its field's rules
 * @param unknown collects unknown properties of the DTO and its parts; without it, they are dropped
 * @param ignoresBesides whether to drop unknown properties of the DTO itself anyway
 */
export function readDto(
  dto: Constructor,
  value: unknown,
  unknown?: UnknownProperties,
  ignoresBesides = false,
): unknown {
  return read(dto, value, '', unknown, false, ignoresBesides);
}

function read(
  dto: Constructor,
  value: unknown,
  prefix: string,
  reported: UnknownProperties | undefined,
  keepsOthers: boolean,
  ignoresOthers = false,
): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const object = value as Readonly<Record<string, unknown>>;
  const shape = shapeOf(dto);
  const unknown = shape.lenience.own || ignoresOthers ? undefined : reported;
  const unknownInParts = shape.lenience.ofParts ? undefined : reported;
  const kept = keepsOthers ? shape.others : undefined;
  const rest: [string, unknown][] = [];
  const instance = new (dto as new () => Record<string, unknown>)();
  const part: Sent['part'] = (of, one, name) =>
    read(of, one, `${prefix}${name.slice(0, SHOWN_LENGTH)}.`, unknownInParts, false);
  for (const name of Object.keys(object)) {
    if (!shape.names.has(name) || name === shape.others) {
      if (kept !== undefined) rest.push([name, object[name]]);
      else unknown?.add(prefix + name.slice(0, SHOWN_LENGTH));
      continue;
    }
    let given = object[name];
    const own = shape.parts.get(name);
    if (own) {
      const each = (one: unknown, at?: number): unknown =>
        read(
          own.dto(),
          one,
          `${prefix}${name}.${at === undefined ? '' : `${at}.`}`,
          unknownInParts,
          own.keepsOthers,
        );
      given = Array.isArray(given) ? given.map((one, at) => each(one, at)) : each(given);
    }
    for (const change of shape.readers.get(name) ?? [])
      given = change(given, { object, name, part });
    if (given !== undefined) instance[name] = given;
  }
  if (kept !== undefined) instance[kept] = Object.fromEntries(rest);
  return instance;
}
