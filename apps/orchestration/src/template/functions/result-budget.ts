/**
 * Counts what functions of a template make, and ends them before they make too much: a function of a
 * function of a function may square its text each time.
 */
import type { Json } from '../../json/json.js';
import { TemplateError } from '../template.errors.js';

const MAX_BYTES = 64 * 1024 * 1024;
const MAX_VALUES = 1_000_000;
/** Letters that are looked through: some seconds. */
const MAX_WORK = 2_000_000_000;

export class ResultBudget {
  private bytes = 0;
  private values = 0;
  private work = 0;

  constructor(
    private readonly maxBytes = MAX_BYTES,
    private readonly maxValues = MAX_VALUES,
  ) {}

  /** @returns the value, counted as one more place where it stands */
  spend<Value extends Json>(value: Value): Value {
    const open: Json[] = [value];
    for (let one = open.pop(); one !== undefined; one = open.pop()) {
      this.values += 1;
      if (typeof one === 'string') {
        this.bytes += one.length;
      } else if (Array.isArray(one)) {
        this.check(one.length);
        for (const item of one as readonly Json[]) {
          open.push(item);
        }
      } else if (typeof one === 'object' && one !== null) {
        for (const [key, entry] of Object.entries<Json>(one as never)) {
          this.bytes += key.length;
          open.push(entry);
        }
      }
    }
    this.check();
    return value;
  }

  /** Asked before so much is made. @throws TemplateError */
  check(values = 0, bytes = 0): void {
    if (this.values + values > this.maxValues || this.bytes + bytes > this.maxBytes)
      throw new TemplateError(
        `The functions of the template make more than ${this.maxValues} values or ${this.maxBytes} bytes.`,
      );
  }

  /** Before as many letters are looked through. @throws TemplateError */
  search(letters: number): void {
    this.work += letters;
    if (this.work > MAX_WORK)
      throw new TemplateError('The functions of the template have too many texts to look through.');
  }
}
