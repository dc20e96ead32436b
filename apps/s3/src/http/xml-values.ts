/** Values in documents that clients send. All throw S3Error MalformedXML for what they do not know. */
import { malformed, type XmlElement } from './xml.js';

export function choiceOf<const C extends string>(element: XmlElement, among: readonly C[]): C {
  const found = among.find((one) => one === element.text.trim());
  if (found === undefined) throw malformed(unknown(element, `one of ${among.join(', ')}`));
  return found;
}

export function booleanOf(element: XmlElement): boolean {
  const text = element.text.trim();
  if (text === 'true' || text === '1') return true;
  if (text === 'false' || text === '0') return false;
  throw malformed(unknown(element, 'true or false'));
}

/** Also below 0: who asks knows the bounds, and how to say that they are not kept. */
export function integerOf(element: XmlElement): number {
  const text = element.text.trim();
  const value = Number(text);
  if (/^[+-]?\d{1,15}$/.test(text)) return value;
  throw malformed(unknown(element, 'a whole number'));
}

/** @throws S3Error MalformedXML if it has other elements than these */
export function requireOnly(element: XmlElement, names: readonly string[]): void {
  const other = element.names.find((name) => !names.includes(name));
  if (other !== undefined) throw malformed(`${element.name} cannot have a ${other}.`);
}

function unknown({ name, text }: XmlElement, expected: string): string {
  return `${name} must be ${expected}, and not "${text.slice(0, 100)}".`;
}
